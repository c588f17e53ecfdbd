import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepareHome } from '../../harness/home';
import { type Host, startHost } from '../../harness/host';
import { type Login, loginOf } from '../../harness/login';
import { installPackage } from '../../harness/nodePackage';
import { freePort } from '../../harness/port';
import { activate, type NewWorkflow, publish } from '../../harness/publish';
import { logIn, type Rest } from '../../harness/rest';
import { startSandbox, type Sandbox } from '../../sandbox';

export interface Credential {
	id: string;
	name: string;
}

/** The pinned n8n with this package installed, and a sandbox. */
export interface RealN8n {
	url: string;
	/** Of its owner. */
	login: Login;
	rest: Rest;
	sandbox: Sandbox;
	credential: Credential;
	/** Another one, whose key has the read scope. */
	readOnly: Credential;
	/** The folder that workflows may read and write. */
	files: string;
	/** Stops n8n. */
	stop(): Promise<void>;
	/** Starts n8n again, at the same address. */
	start(): Promise<void>;
	/** Publishes a workflow; resolves with its ID. */
	activate(workflow: NewWorkflow): Promise<string>;
	/** Publishes a workflow that starts with a webhook; resolves with the webhook's address. */
	publish(workflow: NewWorkflow): Promise<string>;
}

/** Starts n8n, with more settings if given, and a sandbox for the tests of a file. */
export function useN8n(
	settings: () => Promise<Record<string, string>> = async () => ({}),
): RealN8n {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-n8n-'));
	const stops: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })];
	const n8n = {} as RealN8n;

	beforeAll(async () => {
		const home = prepareHome(folder);
		await installPackage(home);
		n8n.files = home.files;
		n8n.login = loginOf(home);
		n8n.sandbox = await startSandbox();
		stops.push(async () => await n8n.sandbox.close());
		const port = await freePort();
		const more = await settings();
		let host: Host | undefined;
		n8n.stop = async () => await host?.stop();
		n8n.start = async () => {
			host = await startHost(home, port, more);
			n8n.url = host.url;
			n8n.rest = await logIn(host.url, home);
		};
		stops.push(async () => await n8n.stop());
		await n8n.start();
		const credentialWith = async (name: string, apiKey: string) =>
			await n8n.rest.post<Credential>('/credentials', {
				name,
				type: 'localSeoApi',
				data: { baseUrl: n8n.sandbox.baseUrl, apiKey },
			});
		n8n.credential = await credentialWith('Local SEO sandbox', n8n.sandbox.keys.write);
		n8n.readOnly = await credentialWith('May only read', n8n.sandbox.keys.read);
	});
	afterAll(async () => {
		for (const stop of stops.reverse()) await stop();
	});

	n8n.activate = async (workflow) => await activate(n8n.rest, workflow);
	n8n.publish = async (workflow) => await publish(n8n.rest, n8n.url, workflow);
	return n8n;
}
