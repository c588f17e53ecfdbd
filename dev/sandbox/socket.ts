import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Answer, Request } from './account';

/** An answer to be sent; with `cutAfterBytes`, the connection closes in the middle of the body. */
export interface SocketAnswer extends Answer {
	cutAfterBytes?: number;
}

/** A request as it arrives: `path` with its query string, `body` as text. */
export interface Arrival {
	method: string;
	path: string;
	headers: Record<string, string | string[] | undefined>;
	body?: string;
}

/** An app in which bodies stay text, so that the service itself rejects a malformed one. */
export function appWithTexts(): FastifyInstance {
	const app = fastify({ forceCloseConnections: true });
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	return app;
}

export function arrivalOf({ method, url: path, headers, body }: FastifyRequest): Arrival {
	return { method, path, headers, body: body as string | undefined };
}

/** A request as the service sees it; in its query, the values of a repeated name are joined by commas. */
export function requestIn(arrival: Arrival): Request & { query: Record<string, string> } {
	const { pathname, searchParams } = new URL(arrival.path, 'http://sandbox');
	const names = [...new Set(searchParams.keys())];
	return {
		...arrival,
		path: pathname.replace(/^.*?\/api\/v1/, ''),
		query: Object.fromEntries(names.map((name) => [name, searchParams.getAll(name).join(',')])),
	};
}

/** Sends an answer; text and bytes as they are, anything else as JSON. */
export function send(reply: FastifyReply, answer: SocketAnswer): void {
	const { status = 200, body, cutAfterBytes } = answer;
	const payload = Buffer.isBuffer(body) ? body : Buffer.from(textOf(body));
	const own = Object.entries(answer.headers ?? {}).map(([name, value]) => [
		name.toLowerCase(),
		value,
	]);
	const type = body === undefined ? {} : { 'content-type': `${typeOf(body)}; charset=utf-8` };
	const headers = { ...type, ...(Object.fromEntries(own) as Record<string, string>) };
	if (cutAfterBytes === undefined) {
		void reply
			.code(status)
			.headers(headers)
			.send(body === undefined ? undefined : payload);
		return;
	}
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(status, { ...headers, 'content-length': payload.length });
	raw.flushHeaders();
	raw.write(payload.subarray(0, cutAfterBytes), () => raw.destroy());
}

export function drop(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.destroy();
}

const textOf = (body: unknown) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));

function typeOf(body: unknown): string {
	if (typeof body !== 'string') return 'application/json';
	return body.trimStart().startsWith('<') ? 'text/html' : 'text/plain';
}
