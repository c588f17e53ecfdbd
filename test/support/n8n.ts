import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';

import { type Home, prepareHome } from '../../dev/n8n/home';
import { type Host, installHost, startHost } from '../../dev/n8n/host';
import { type Login, loginOf } from '../../dev/n8n/login';
import { installPackage, pack } from '../../dev/n8n/nodePackage';
import { freePort } from '../../dev/n8n/port';
import { activate, publish } from '../../dev/n8n/publish';
import { logIn, Rejection, type Rest } from '../../dev/n8n/rest';
import { until } from '../../dev/n8n/until';
import type { Named, NewWorkflow } from '../../dev/n8n/workflow';
import { startSandbox, type Sandbox } from '../../dev/sandbox';
import { openBrowser } from './browser';

/** The pinned n8n with this package installed, and a sandbox. */
export interface RealN8n {
	url: string;
	/** Of its owner. */
	login: Login;
	rest: Rest;
	sandbox: Sandbox;
	credential: Named;
	/** Another one, whose key has the read scope. */
	readOnly: Named;
	/** The folder that workflows may read and write. */
	files: string;
	stop(): Promise<void>;
	/** Starts n8n again, at the same address. */
	start(): Promise<void>;
	/** Publishes a workflow; resolves with its ID. */
	activate(workflow: NewWorkflow): Promise<string>;
	/** Publishes a workflow that starts with a webhook; resolves with the webhook's address. */
	publish(workflow: NewWorkflow): Promise<string>;
}

/** An n8n in a home folder of its own. */
class Instance {
	url!: string;
	rest!: Rest;
	private host: Host | undefined;

	private constructor(
		readonly home: Home,
		private readonly port: number,
	) {}

	static async start(): Promise<Instance> {
		await installHost();
		const home = prepareHome(mkdtempSync(join(tmpdir(), 'local-seo-n8n-')));
		process.env.LOCAL_SEO_TARBALL = await packed();
		await installPackage(home);
		const instance = new Instance(home, await freePort());
		await instance.start();
		return instance;
	}

	async start(): Promise<void> {
		this.host = await startHost(this.home, this.port);
		this.url = this.host.url;
		this.rest = await logIn(this.url, this.home);
	}

	async stop(): Promise<void> {
		await this.host?.stop();
	}

	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.home.folder, { recursive: true, force: true });
	}

	/** Removes what a suite has made: its workflows, credentials and files. */
	async clear(): Promise<void> {
		const idsIn = async (path: string) => await this.rest.get<Array<{ id: string }>>(path);
		for (const { id } of await idsIn('/workflows')) {
			await this.rest.post(`/workflows/${id}/deactivate`, {});
			await this.rest.post(`/workflows/${id}/archive`, {});
			await until(`the end of workflow ${id}`, async () => await this.hasRemoved(id));
		}
		for (const { id } of await idsIn('/credentials')) await this.rest.delete(`/credentials/${id}`);
		rmSync(this.home.files, { recursive: true });
		prepareHome(this.home.folder);
	}

	/** n8n refuses (409) while it still ends what the workflow has registered. */
	private async hasRemoved(id: string): Promise<boolean> {
		const refusal = await this.rest.delete(`/workflows/${id}`).then(
			() => undefined,
			(error: unknown) => error,
		);
		if (refusal && !(refusal instanceof Rejection && refusal.status === 409)) throw refusal;
		return refusal === undefined;
	}
}

/** What all suites of a run share: they are in one process and realm. */
class Shared {
	private readonly folder = mkdtempSync(join(tmpdir(), 'local-seo-shared-'));
	private packing: Promise<string> | undefined;
	private starting: Promise<Instance> | undefined;
	private opening: Promise<BrowserContext> | undefined;

	async tarball(): Promise<string> {
		const { LOCAL_SEO_TARBALL: given } = process.env;
		return await (this.packing ??= given ? Promise.resolve(given) : pack(this.folder));
	}

	async n8n(): Promise<Instance> {
		return await (this.starting ??= Instance.start());
	}

	/** One for all: it keeps n8n's editor, whose scripts take seconds to load. */
	async browser(): Promise<BrowserContext> {
		const open = async () => await (await openBrowser()).newContext();
		return await (this.opening ??= open());
	}

	/** What the open pages say, as a screen reader would read it. */
	async shown(): Promise<string> {
		const read = async (page: Page) => await page.locator('body').ariaSnapshot({ timeout: 10_000 });
		const pages = (await this.opening)?.pages() ?? [];
		return (await Promise.all(pages.map(read))).join('\n\n');
	}

	/** After the last suite. */
	async end(): Promise<void> {
		await (await this.opening)?.browser()?.close();
		await (await this.starting)?.remove();
		rmSync(this.folder, { recursive: true });
	}
}

const run = globalThis as typeof globalThis & { sharedN8n?: Shared };
const shared = () => (run.sharedN8n ??= new Shared());

/** The node, built and packed once for all suites. */
export const packed = async () => await shared().tarball();

/** A page in the browser of all suites. */
export async function openPage(viewport = { width: 1440, height: 900 }): Promise<Page> {
	const page = await (await shared().browser()).newPage();
	await page.setViewportSize(viewport);
	// Longer than anything takes: what does not come on a machine that is busy is never there.
	page.setDefaultTimeout(120_000);
	return page;
}

/** The header with which the first page of a form opens. */
export const basicAuth = ({ email, password }: Login): string =>
	`Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`;

/** A workflow whose trigger polls every five seconds: n8n refuses such intervals, but takes several a minute. */
export function pollingOften(workflow: NewWorkflow): NewWorkflow {
	const item = Array.from({ length: 12 }, (_, at) => {
		return { mode: 'custom', cronExpression: `${5 * at} * * * * *` };
	});
	const trigger = workflow.nodes.find(({ type }) => type.endsWith('localSeoTrigger'))!;
	trigger.parameters.pollTimes = { item };
	return workflow;
}

/** The n8n of all suites, with nothing of another suite in it, and a sandbox for the tests of a file. */
export function useN8n(): RealN8n {
	const n8n = {} as RealN8n;
	let instance: Instance;

	beforeAll(async () => {
		instance = await shared().n8n();
		const { home, url, rest } = instance;
		n8n.sandbox = await startSandbox();
		Object.assign(n8n, { url, rest, files: home.files, login: loginOf(home) });
		const credentialWith = async (name: string, apiKey: string) =>
			await rest.post<Named>('/credentials', {
				name,
				type: 'localSeoApi',
				data: { baseUrl: n8n.sandbox.baseUrl, apiKey },
			});
		n8n.credential = await credentialWith('Local SEO sandbox', n8n.sandbox.keys.write);
		n8n.readOnly = await credentialWith('May only read', n8n.sandbox.keys.read);
	});
	afterAll(async () => {
		await instance.clear();
		await n8n.sandbox.close();
	});

	n8n.stop = async () => await instance.stop();
	n8n.start = async () => {
		await instance.start();
		n8n.rest = instance.rest;
	};
	n8n.activate = async (workflow) => await activate(n8n.rest, workflow);
	n8n.publish = async (workflow) => await publish(n8n.rest, n8n.url, workflow);
	return n8n;
}
