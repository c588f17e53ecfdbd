import type { FastifyReply } from 'fastify';
import type { ServiceResponse } from './response';

/** A response to be sent; with `cutAfterBytes`, the connection closes in the middle of the body. */
export interface WireResponse extends ServiceResponse {
	cutAfterBytes?: number;
}

/** Sends a response; text as it is, anything else as JSON. */
export function send(reply: FastifyReply, response: WireResponse): void {
	const payload = Buffer.from(textOf(response.body));
	const headers = { ...typeOf(response.body), ...response.headers };
	if (response.cutAfterBytes === undefined) {
		void reply
			.code(response.status)
			.headers(headers)
			.send(payload.length > 0 ? payload : undefined);
		return;
	}
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(response.status, { ...headers, 'content-length': payload.length });
	raw.flushHeaders();
	raw.write(payload.subarray(0, response.cutAfterBytes), () => raw.destroy());
}

/** Closes the connection without a response. */
export function drop(reply: FastifyReply): void {
	reply.hijack();
	reply.raw.destroy();
}

function textOf(body: unknown): string {
	if (body === undefined) return '';
	return typeof body === 'string' ? body : JSON.stringify(body);
}

function typeOf(body: unknown): Record<string, string> {
	if (body === undefined) return {};
	if (typeof body !== 'string') return { 'content-type': 'application/json; charset=utf-8' };
	const kind = body.trimStart().startsWith('<') ? 'html' : 'plain';
	return { 'content-type': `text/${kind}; charset=utf-8` };
}
