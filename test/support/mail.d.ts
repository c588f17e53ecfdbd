/* As much of these packages as the tests use; their own types would be two packages more. */

declare module 'mailparser' {
	export interface ParsedMail {
		to?: { text: string };
		subject?: string;
		text?: string;
		html: string | false;
		attachments: Array<{ cid?: string; filename?: string; contentType: string; content: Buffer }>;
	}
	export function simpleParser(source: unknown, options: object): Promise<ParsedMail>;
}

declare module 'smtp-server' {
	import type { Server } from 'node:net';

	export class SMTPServer {
		readonly server: Server;
		constructor(options: {
			disabledCommands: string[];
			onData(stream: unknown, session: unknown, done: (error?: Error) => void): void;
		});
		listen(port: number, host: string, done: () => void): void;
		close(done: () => void): void;
	}
}
