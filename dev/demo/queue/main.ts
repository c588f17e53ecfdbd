import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ROOT, shown } from '../../n8n/home';
import { installHost } from '../../n8n/host';
import { machine } from '../../n8n/machine';
import { withBlock } from '../../n8n/markdown';
import { type Program, runProgram } from '../../n8n/program';
import { publish } from '../../n8n/publish';
import { startSandbox } from '../../sandbox';
import { startCluster, WORKERS } from './cluster';
import { type Figures, problemsOf } from './figures';
import { isFull, type Load, readFlags } from './flags';
import { tablesOf } from './page';
import { postAll, postThroughKill } from './posting';
import type { Stage } from './stage';
import { startStores } from './stores';
import { watchThroughRestart } from './trigger';
import type { Named } from '../../n8n/workflow';
import { posting } from './workflows';

const PAGE = join(ROOT, 'docs', 'scale.md');

async function openStage(program: Program, load: Load, docker: boolean): Promise<Stage> {
	await installHost();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-queue-'));
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const sandbox = await startSandbox({ requestsPerSecond: load.rate });
	program.atEnd(async () => await sandbox.close());

	console.log(`Starting PostgreSQL, Redis, n8n and ${WORKERS} workers …`);
	const stores = await startStores(program, { docker });
	// No more than a worker's share: if all start at once, both have to take some.
	const concurrency = Math.ceil(load.executions / WORKERS);
	const cluster = await startCluster(program, { folder, stores, concurrency });

	const { rest, url } = cluster;
	const credentialWith = async (name: string, apiKey: string) =>
		await rest.post<Named>('/credentials', {
			name,
			type: 'localSeoApi',
			data: { baseUrl: sandbox.baseUrl, apiKey },
		});
	const credential = await credentialWith('Local SEO sandbox', sandbox.keys.write);
	return {
		cluster,
		sandbox,
		load,
		concurrency,
		credential,
		readOnly: await credentialWith('May only read', sandbox.keys.read),
		post: await publish(rest, url, posting('post-rows', credential, false)),
		postAgain: await publish(rest, url, posting('post-rows-again', credential, true)),
	};
}

/** The figures as docs/scale.md shows them: what ran where, the tables, what else was seen. */
async function reportOf(load: Load, figures: Figures[], notes: string[]): Promise<string> {
	const { executions, rows, rate } = load;
	const about = `Measured on ${await machine()}, with PostgreSQL and Redis on the same machine: ${executions} executions of ${rows} rows, ${WORKERS} workers, one API key with ${rate} requests per second.`;
	return [about, tablesOf(figures), ...notes].join('\n\n');
}

/** Runs everything; returns whether all figures are within their bounds. */
async function queue(program: Program): Promise<boolean> {
	const { load, docker } = readFlags();
	const stage = await openStage(program, load, docker);
	const notes: string[] = [];
	console.log(`Posting ${load.executions} times ${load.rows} rows …`);
	const figures: Figures[] = [await postAll(stage)];
	console.log('Posting them again, and killing a worker halfway …');
	figures.push(...(await postThroughKill(stage, (note) => notes.push(note))));
	console.log('Watching posts with the trigger, and restarting the main …');
	figures.push(await watchThroughRestart(stage));

	const report = await reportOf(load, figures, notes);
	console.log(`\n${report}\n`);
	if (isFull(load)) {
		const page = withBlock(readFileSync(PAGE, 'utf8'), 'figures', report);
		const config = await resolveConfig(PAGE);
		writeFileSync(PAGE, await format(page, { ...config, parser: 'markdown' }));
		console.log(`Written to ${shown(PAGE)}\n`);
	}
	const problems = problemsOf(figures);
	console.log(problems.length > 0 ? problems.join('\n') : 'All figures are within their bounds.');
	return problems.length === 0;
}

void runProgram(queue);
