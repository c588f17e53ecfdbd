import { createServer as createProxy, type Server } from 'node:http';
import { createServer, type Server as SecureServer } from 'node:https';
import {
	type AddressInfo,
	connect,
	createServer as createPlain,
	type Server as Plain,
	type Socket,
} from 'node:net';
import tls from 'node:tls';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { type CertificateOptions, makeCertificate } from './certificates';

const open = new Set<Plain | Server | SecureServer | Socket>();

/** Listens on a port of its own, which it returns. */
export async function listening(server: Plain | Server | SecureServer): Promise<number> {
	open.add(server);
	server.on('connection', (socket: Socket) => open.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return (server.address() as AddressInfo).port;
}

/** For `afterEach`. */
export function closeAll(): void {
	for (const one of open) {
		if ('close' in one) one.close();
		// Where the other side has hung up, a connection stays half open, and keeps the process alive.
		else one.destroy();
	}
	open.clear();
}

/** An authority that no program knows. */
export const authority = makeCertificate({ name: 'Authority of the tests' });
const LOCAL = { name: 'localhost', hosts: ['localhost', '127.0.0.1'] };

/** A service without records that speaks https, with such a certificate; returns its port. */
export async function startSecureService(more: Partial<CertificateOptions> = {}): Promise<number> {
	const { cert, key } = makeCertificate({ ...LOCAL, ...more });
	const server = createServer({ cert, key }, (_, response) => {
		response.setHeader('content-type', 'application/json').end('{"data":[],"meta":{"total":0}}');
	});
	return await listening(server);
}

/** A port at which something else is spoken. */
export async function startOther(banner: string): Promise<number> {
	return await listening(
		createPlain((socket) => {
			socket.on('error', () => {});
			if (banner === '') socket.once('data', () => socket.destroy());
			else socket.end(banner);
		}),
	);
}

/** Has this process trust an authority, as NODE_EXTRA_CA_CERTS does; returns what undoes it. */
export function trusting({ cert }: { cert: string }): () => void {
	const make = tls.createSecureContext;
	tls.createSecureContext = (options) => {
		const made = make(options);
		(made.context as { addCACert(cert: string): void }).addCACert(cert);
		return made;
	};
	return () => {
		tls.createSecureContext = make;
	};
}

/** A proxy that connects, as squid and others do, or answers; what it was asked for is in `asked`. */
export async function startProxy(asked: string[], answer?: string): Promise<number> {
	const proxy = createProxy();
	proxy.on('connect', ({ url = '' }, socket) => {
		asked.push(url);
		socket.on('error', () => {});
		if (answer !== undefined) {
			socket.end(answer);
			return;
		}
		const [, host, port] = /^(.*):(\d+)$/.exec(url)!;
		const target = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			target.pipe(socket).pipe(target);
		});
		open.add(target);
		target.on('error', () => socket.destroy());
	});
	return await listening(proxy);
}

/** What n8n shows after a test of the credential. */
export async function verdictOn(data: { baseUrl: string; apiKey: string }): Promise<string> {
	const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
	const { testCredential } = new LocalSeo().methods.credentialTest;
	const credential = { id: '1', name: 'Local SEO', type: 'localSeoApi', data };
	const test = testCredential.bind(context as unknown as ICredentialTestFunctions);
	return (await test(credential)).message;
}
