// What the tests use of packages that come without types.

declare module 'json-server' {
	import type { RequestListener } from 'node:http';

	type Handler = (
		request: { method: string; url: string },
		response: object,
		next: () => void,
	) => void;
	const jsonServer: {
		create(): RequestListener & { use(handler: Handler): void };
		rewriter(routes: Record<string, string>): Handler;
		router(db: object): Handler;
	};
	export default jsonServer;
}

declare module 'express' {
	import type { IncomingMessage, RequestListener } from 'node:http';

	export type Request = IncomingMessage & { body: unknown };
	export interface Response {
		status(code: number): Response;
		json(body: object): void;
	}
	type Handler = (request: Request, response: Response, next: () => void) => void;
	const express: {
		(): RequestListener & {
			use(handler: unknown): void;
			post(path: string, handler: Handler): void;
		};
		json(): Handler;
	};
	export default express;
}
