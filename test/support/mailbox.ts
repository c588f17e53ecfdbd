import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';

export type Mailbox = Awaited<ReturnType<typeof startMailbox>>;

/** Starts a mail server that keeps what it gets, in its order. */
export async function startMailbox() {
	const mails: ParsedMail[] = [];
	const server = new SMTPServer({
		disabledCommands: ['AUTH', 'STARTTLS'],
		onData(stream, _session, done) {
			simpleParser(stream, { keepCidLinks: true }).then((mail) => {
				mails.push(mail);
				done();
			}, done);
		},
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.server.address() as AddressInfo;
	return {
		/** What a credential of the type SMTP takes. */
		smtp: { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
		mails,
		close: async () => await new Promise<void>((resolve) => server.close(resolve)),
	};
}
