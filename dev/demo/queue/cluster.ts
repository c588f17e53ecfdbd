import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareHome, type Home } from '../../n8n/home';
import { type Host, startHost, startWorker } from '../../n8n/host';
import { installPackage } from '../../n8n/nodePackage';
import { freePort } from '../../n8n/port';
import type { Program } from '../../n8n/program';
import { logIn, type Rest } from '../../n8n/rest';

export const WORKERS = 2;

/** n8n in queue mode: a main and its workers, with this package installed. */
export interface Cluster {
	readonly url: string;
	readonly rest: Rest;
	/** Stops the main in order; its workers go on. */
	stopMain(): Promise<void>;
	/** Starts the main again, at the same address. */
	startMain(): Promise<void>;
	/** Kills a worker, as a crash of its machine would. */
	killWorker(index: number): Promise<void>;
	/** Starts a worker in its place, as a process manager would. */
	startWorker(index: number): Promise<void>;
	/** How many executions each worker has started so far, by its log. */
	started(): number[];
}

function startedIn(log: string): number {
	return readFileSync(log, 'utf8').match(/Worker started execution/g)?.length ?? 0;
}

/** Starts the main and its workers; at most `concurrency` executions run on each worker at the same time. */
export async function startCluster(
	program: Program,
	{
		folder,
		stores,
		concurrency,
	}: { folder: string; stores: Record<string, string>; concurrency: number },
): Promise<Cluster> {
	const home = prepareHome(folder);
	await installPackage(home);
	const settings = { ...stores, N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex') };
	const port = await freePort();
	const homeOf = (index: number): Home => ({
		...home,
		log: join(home.n8n, `worker-${index + 1}.log`),
	});

	let main: Host | undefined;
	let rest: Rest | undefined;
	const workers: Array<Host | undefined> = [];
	program.atEnd(async () => {
		await Promise.all([main, ...workers].map(async (host) => await host?.stop()));
	});

	const cluster: Cluster = {
		url: `http://127.0.0.1:${port}`,
		get rest() {
			return rest!;
		},
		stopMain: async () => await main?.stop(),
		async startMain() {
			main = await startHost(home, port, settings);
			rest = await logIn(main.url, home);
		},
		killWorker: async (index) => await workers[index]?.kill(),
		async startWorker(index) {
			workers[index] = await startWorker(homeOf(index), await freePort(), concurrency, settings);
		},
		started: () => workers.map((_, index) => startedIn(homeOf(index).log)),
	};
	await cluster.startMain(); // first, since it sets up the database
	for (let index = 0; index < WORKERS; index++) await cluster.startWorker(index);
	return cluster;
}
