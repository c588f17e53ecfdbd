import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A mail that n8n has sent. */
export interface Mail {
	to: string;
	subject: string;
	/** The text or the HTML. */
	body: string;
	/** Files and pictures, by their content ID. */
	files: Record<string, { type: string; name?: string; content: Buffer }>;
}

export interface Mailbox {
	/** What a credential of the type SMTP takes. */
	smtp: object;
	mails: Mail[];
	close(): Promise<void>;
}

/** Starts a mail server that keeps what it gets: the part of SMTP that n8n's mail library uses. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket.once('close', () => sockets.delete(socket)));
		receive(socket, (text) => mails.push(mailOf(text)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		smtp: { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' },
		mails,
		close: async () => {
			for (const socket of sockets) socket.destroy();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

const END = '\r\n.\r\n';

function receive(socket: Socket, keep: (text: string) => void): void {
	const say = (line: string) => socket.write(`${line}\r\n`);
	let pending = '';
	let isText = false;
	say('220 mailbox');
	socket.on('data', (data) => {
		pending += data.toString('latin1');
		for (;;) {
			const ending = isText ? END : '\r\n';
			const at = pending.indexOf(ending);
			if (at < 0) return;
			const part = pending.slice(0, at);
			pending = pending.slice(at + ending.length);
			if (isText) {
				keep(part.replaceAll('\r\n..', '\r\n.'));
				isText = false;
				say('250 kept');
			} else if (part === 'QUIT') {
				say('221 bye');
				socket.end();
			} else if (part === 'DATA') {
				isText = true;
				say('354 go on');
			} else say('250 mailbox');
		}
	});
}

interface Part {
	header(name: string): string;
	content: string;
}

function partOf(text: string): Part {
	const at = text.indexOf('\r\n\r\n');
	const head = text.slice(0, at).replaceAll(/\r\n[ \t]+/g, ' ');
	return {
		header: (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1].trim() ?? '',
		content: text.slice(at + 4),
	};
}

/** A part and those in it, from the outside to the inside. */
function partsOf(text: string): Part[] {
	const part = partOf(text);
	const [, boundary] = /boundary="?([^";]+)/.exec(part.header('Content-Type')) ?? [];
	if (!boundary) return [part];
	const inner = part.content.split(`--${boundary}`).slice(1, -1);
	return inner.flatMap((one) => partsOf(one.replace(/^\r\n/, '')));
}

function bytesOf({ header, content }: Part): Buffer {
	const encoding = header('Content-Transfer-Encoding');
	if (encoding === 'base64') return Buffer.from(content, 'base64');
	if (encoding !== 'quoted-printable') return Buffer.from(content, 'latin1');
	const text = content
		.replaceAll('=\r\n', '')
		.replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(text, 'latin1');
}

function mailOf(text: string): Mail {
	const { header } = partOf(text);
	const [body, ...files] = partsOf(text);
	const fileOf = (part: Part) => {
		const [type] = part.header('Content-Type').split(';');
		const [, name] = /filename="?([^";]+)/.exec(part.header('Content-Disposition')) ?? [];
		return [part.header('Content-Id').slice(1, -1), { type, name, content: bytesOf(part) }];
	};
	return {
		to: header('To'),
		subject: header('Subject'),
		body: bytesOf(body).toString().replaceAll('\r\n', '\n'),
		files: Object.fromEntries(files.map(fileOf)),
	};
}
