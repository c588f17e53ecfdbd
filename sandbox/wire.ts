import type { FastifyReply } from 'fastify';
import type { Answer } from './answer';

/** An answer as it is sent; with `cutAfterBytes` the connection closes within the body. */
export interface WireAnswer extends Answer {
	cutAfterBytes?: number;
}

/** Sends an answer; a text goes as it is, anything else as JSON. */
export function send(reply: FastifyReply, answer: WireAnswer): void {
	const payload = Buffer.from(textOf(answer.body));
	const headers = { ...typeOf(answer.body), ...answer.headers };
	if (answer.cutAfterBytes === undefined) {
		void reply
			.code(answer.status)
			.headers(headers)
			.send(payload.length > 0 ? payload : undefined);
		return;
	}
	reply.hijack();
	const { raw } = reply;
	raw.writeHead(answer.status, { ...headers, 'content-length': payload.length });
	raw.flushHeaders();
	raw.write(payload.subarray(0, answer.cutAfterBytes), () => raw.destroy());
}

/** Closes the connection without an answer. */
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
