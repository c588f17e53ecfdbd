import type { AddressInfo } from 'node:net';
import type { ServerResponse } from 'node:http';

import { fastify } from 'fastify';

import type { HttpResponse, JsonObject, Method } from '../../../nodes/LocalSeo/client';
import type { Service } from '../service';

/** How a service may repeat the key. */
const ECHOES: Array<(key: string) => string> = [
	(key) => key,
	(key) => `Bearer ${key}`,
	(key) => encodeURIComponent(key).replace(/[a-z]/g, (letter) => `%${hex(letter)}`),
	(key) => key.replace(/./g, (letter) => `&#${letter.charCodeAt(0)};`),
	(key) => key.replace(/./g, (letter) => `\\u00${hex(letter)}`),
	(key) => Buffer.from(`Bearer ${key}`).toString('base64'),
	(key) => Buffer.from(`x${key}`).toString('base64url'),
];
const hex = (letter: string) => letter.charCodeAt(0).toString(16);

/** Responses that a parser refuses, by the code with which it does. */
const MALFORMED: Record<string, string> = {
	HPE_INVALID_CHUNK_SIZE: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
	HPE_INVALID_HEADER_TOKEN: 'HTTP/1.1 200 OK\r\nbad header\u0001: 1\r\n\r\n',
	HPE_INVALID_CONSTANT: 'SSH-2.0-OpenSSH_9.6\r\n',
	Z_DATA_ERROR: 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 8\r\n\r\nnot gzip',
	ERR_BAD_RESPONSE: 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"data":',
};

export interface Served {
	baseUrl: string;
	/** What was wrong with the requests: a key in the wrong place, say. */
	complaints: string[];
	close(): Promise<void>;
}

/**
 * A world behind HTTP, with malformed responses as bytes, which repeats the key wherever it can.
 *
 * @param keys that it accepts
 * @param callerOf names the row of a request by its body
 */
export async function serve(
	service: Service,
	keys: string[],
	callerOf: (fields: JsonObject) => string,
): Promise<Served> {
	const complaints: string[] = [];
	let answered = 0;
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	app.all('*', async (request, reply) => {
		const { method, url, headers } = request;
		const key = keys.find((one) => headers.authorization === `Bearer ${one}`);
		if (key === undefined) {
			complaints.push(`${method} without the key`);
			return await reply.code(401).send();
		}
		const others = JSON.stringify([url, { ...headers, authorization: '' }, request.body]);
		if (others.includes(key)) complaints.push(`${method} shows the key`);
		const text = typeof request.body === 'string' ? request.body : undefined;
		const stop = new AbortController();
		reply.raw.on('close', () => stop.abort());
		const exchanged = await service.transportOf(text ? callerOf(JSON.parse(text)) : 'the node')(
			{
				method: method as Method,
				path: url.split('?')[0].replace('/api/v1', ''),
				query: request.query as JsonObject,
				headers: {},
				body: text,
				timeoutMs: 5_000,
			},
			stop.signal,
		);
		reply.hijack();
		if ('fault' in exchanged) fail(reply.raw, (exchanged.cause as { code?: string }).code);
		else answer(reply.raw, exchanged, ECHOES[answered++ % ECHOES.length](key));
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}`,
		complaints,
		close: async () => await app.close(),
	};
}

function fail(raw: ServerResponse, code = ''): void {
	const bytes = MALFORMED[code];
	if (bytes) raw.socket?.end(bytes);
	else raw.socket?.destroy();
}

function answer(raw: ServerResponse, { status, headers, body }: HttpResponse, echo: string): void {
	const text = typeof body === 'string' ? body : JSON.stringify(withEcho(body as object, echo));
	raw.writeHead(status, {
		'content-type': 'application/json',
		...(headers as Record<string, string>),
		'x-request': echo,
	});
	raw.end(status === 204 ? undefined : text);
}

/** In messages, records and names of fields. */
function withEcho(body: object, echo: string): object {
	const { message, data } = body as { message?: string; data?: unknown };
	if (message !== undefined) return { ...body, message: `${message} (${echo})` };
	const add = (record: unknown) =>
		typeof record === 'object' && record !== null ? { ...record, note: echo, [echo]: 1 } : record;
	if (Array.isArray(data)) return { ...body, data: data.map(add) };
	return data === undefined ? body : { ...body, data: add(data) };
}
