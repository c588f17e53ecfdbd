import { Session } from 'node:inspector/promises';
import type { Profiler } from 'node:inspector';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { IDataObject, INodeType } from 'n8n-workflow';
import { rowsFor } from '../n8n/rows';
import { startSandbox } from '../sandbox';
import { asLoaded, runNode, running } from '../../test/support/engine';
import { createPosts, postSheet } from '../../test/support/sheet';

/** How much of the processor a job takes, and how much of that is this package's. */
export interface Share {
	job: string;
	rows: number;
	/** From the start of the run to its end. */
	seconds: number;
	/** Processor time of the run in this process: n8n's engine, the node and the sandbox. */
	busySeconds: number;
	/** The part of it that code in nodes/ takes, between 0 and 1. */
	own: number;
}

/** At most this share; the rest belongs to n8n, axios, Node.js and the sandbox. */
export const MOST_OWN = 0.22;

const ROWS = 2_000;
const SAMPLE_EVERY_US = 500;
const OWN = '/nodes/LocalSeo/';
/** What the package calls and what has no file: their time belongs to whoever called them. */
const CALLED = /^$|lodash|luxon|^node:/;
const RESTING = ['(idle)', '(program)'];

/**
 * The seconds of a profile that the processor was busy, and those of them whose nearest file is in nodes/.
 *
 * @param profile of V8, with samples and their distances in microseconds
 */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const callers = new Map(
		nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
	);
	const isOwn = (id: number | undefined): boolean => {
		const url = id === undefined ? undefined : byId.get(id)?.callFrame.url;
		if (url === undefined) return false;
		return url.includes(OWN) || (CALLED.test(url) && isOwn(callers.get(id!)));
	};
	let [busy, own] = [0, 0];
	samples.forEach((id, index) => {
		if (RESTING.includes(byId.get(id)!.callFrame.functionName)) return;
		busy += timeDeltas[index];
		if (isOwn(id)) own += timeDeltas[index];
	});
	return { busySeconds: busy / 1e6, own: own / busy };
}

/** The package as it is published; `npm run build` has made it. */
function runBuilt() {
	const from = createRequire(join(__dirname, '../../dist/package.json'));
	const { LocalSeo } = from('./nodes/LocalSeo/LocalSeo.node.js') as {
		LocalSeo: new () => INodeType;
	};
	const { LocalSeoApi } = from('./credentials/LocalSeoApi.credentials.js') as {
		LocalSeoApi: new () => (typeof running)['credential'];
	};
	Object.assign(running, { node: asLoaded(new LocalSeo()), credential: new LocalSeoApi() });
}

/** Profiles rows that become posts in n8n's engine: new ones without a look, new ones, and the same again. */
export async function sharesOf(): Promise<Share[]> {
	runBuilt();
	const sandbox = await startSandbox({ hasPage: false });
	const rows = (name: string) =>
		rowsFor(sandbox.account.locations.slice(0, 3), ROWS).map((row) => ({
			...row,
			title: `${row.title}, ${name}`,
			content: `${row.content} ${name}`,
		}));
	const run = async (parameters: typeof postSheet, data: object[]) => {
		const credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write };
		const { error } = await runNode({ credential, rows: data as IDataObject[], parameters });
		if (error) throw error;
	};
	// V8 has compiled the code by then.
	for (const parameters of [createPosts, postSheet]) await run(parameters, rows('before'));
	const jobs = [
		['Create Another One', createPosts, rows('another')],
		['Skip the Row, all new', postSheet, rows('skip')],
		['Skip the Row, all there', postSheet, rows('skip')],
	] as const;
	const shares: Share[] = [];
	for (const [job, parameters, data] of jobs) {
		const session = new Session();
		session.connect();
		await session.post('Profiler.enable');
		await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_EVERY_US });
		await session.post('Profiler.start');
		const started = performance.now();
		await run(parameters, data);
		const seconds = (performance.now() - started) / 1_000;
		const { profile } = await session.post('Profiler.stop');
		session.disconnect();
		shares.push({ job, rows: ROWS, seconds, ...timesOf(profile) });
	}
	await sandbox.close();
	return shares;
}
