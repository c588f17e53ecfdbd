// `npx gulp demo:queue`: n8n in queue mode, with PostgreSQL, Redis and two workers. Sheets are posted, a
// worker is killed halfway, and the sheets that failed are run again with Skip the Row. Afterwards each row
// has to have its post, once. docs/dev/n8n-facts.md, section 13, has what this has shown.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { flagsOf, whole } from '../n8n/flags';
import { temporaryHome } from '../n8n/home';
import { type Host, installHost, startHost, startWorker } from '../n8n/host';
import { http } from '../n8n/http';
import { ledgerOf } from '../n8n/ledger';
import { installPackage } from '../n8n/nodePackage';
import { freePort } from '../n8n/port';
import { type Program, runProgram } from '../n8n/program';
import { publish } from '../n8n/publish';
import { logIn } from '../n8n/rest';
import { type Row, rowsFor } from '../n8n/rows';
import { startStores } from '../n8n/stores';
import { until } from '../n8n/until';
import { inARow, type Named, type NewWorkflow, step } from '../n8n/workflow';
import { type Sandbox, startSandbox } from '../sandbox';

const WORKERS = 2;

/** How much is posted, and how fast the service lets it through. */
interface Flags {
	executions: number;
	/** Of each execution. */
	rows: number;
	/** Requests per second of the one API key. */
	rate: number;
}

/** What came back for a sheet. */
interface Answer {
	sheet: Row[];
	/** Whether the execution ended well; each row may still have failed. */
	isOk: boolean;
	/** What the node returned for each row; empty if the execution failed. */
	results: Array<{ error?: { message?: string } }>;
	/** Milliseconds since 1970. */
	at: number;
}

const readFlags = () =>
	flagsOf('npx gulp demo:queue', 'Queue mode: kills a worker, and runs the sheet again.')
		.option('--executions <number>', 'how many start at once', whole(WORKERS), 8)
		.option('--rows <number>', 'rows of each execution', whole(1), 100)
		.option('--rate <number>', 'requests per second that the service allows', whole(1), 20)
		.parse()
		.opts<Flags>();

/** Rows come in by a webhook, each becomes a post, and the results go back in the order of the rows. */
function posting(path: string, ifExists: 'create' | 'skip', credential: Named): NewWorkflow {
	const answer = { responseMode: 'lastNode', responseData: 'allEntries' };
	const webhook = { path, httpMethod: 'POST', ...answer };
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId: { __rl: true, mode: 'id', value: '={{ $json.location_id }}' },
		whenToPublish: 'now',
		fields: { mappingMode: 'autoMapInputData', value: null },
		ifExists,
		options: {},
	};
	const split = { fieldToSplitOut: 'body.rows', options: {} };
	return inARow(path, [
		step('Rows come in', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: path }),
		step('One item a row', 'n8n-nodes-base.splitOut', 1, split),
		step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, parameters, {
			credentials: { localSeoApi: credential },
			onError: 'continueRegularOutput',
		}),
	]);
}

/** Sends all sheets to a webhook at once, and waits for the executions that this starts. */
async function sendAll(address: string, sheets: Row[][]): Promise<Answer[]> {
	const send = async (sheet: Row[]) => {
		const { status, data } = await http.post<Answer['results']>(address, { rows: sheet });
		const isOk = status === 200;
		return { sheet, isOk, results: isOk ? data : [], at: Date.now() };
	};
	return await Promise.all(sheets.map(send));
}

/** Starts n8n and its workers; resolves with the webhooks that post rows, and what kills the last worker. */
async function startCluster(program: Program, sandbox: Sandbox, concurrency: number) {
	console.log(`Starting PostgreSQL, Redis, n8n and ${WORKERS} workers …`);
	const key = randomBytes(24).toString('hex');
	const settings = { ...(await startStores(program)), N8N_ENCRYPTION_KEY: key };
	const home = temporaryHome('queue');
	await installPackage(home);
	// First, since it sets up the database.
	const main = await startHost(home, await freePort(), settings);
	program.atEnd(async () => await main.stop());
	const addWorker = async (number: number): Promise<Host> => {
		const own = { ...home, log: join(home.n8n, `worker-${number}.log`) };
		const worker = await startWorker(own, await freePort(), concurrency, settings);
		program.atEnd(async () => await worker.stop());
		return worker;
	};
	const workers: Host[] = [];
	for (let number = 1; number <= WORKERS; number++) workers.push(await addWorker(number));

	const rest = await logIn(main.url, home);
	const credential = await rest.post<Named>('/credentials', {
		name: 'Local SEO sandbox',
		type: 'localSeoApi',
		data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
	});
	const webhook = async (path: string, ifExists: 'create' | 'skip') =>
		await publish(rest, main.url, posting(path, ifExists, credential));
	return {
		post: await webhook('post-rows', 'create'),
		postAgain: await webhook('post-rows-again', 'skip'),
		killWorker: async () => await workers[WORKERS - 1].kill(),
		startWorker: async () => await addWorker(WORKERS + 1),
	};
}

/** Posts, kills, posts again; returns whether each row has its post, once. */
async function queue(program: Program): Promise<boolean> {
	const { executions, rows, rate } = readFlags();
	await installHost();
	const sandbox = await startSandbox({ requestsPerSecond: rate });
	program.atEnd(async () => await sandbox.close());
	// A worker takes no more than its share: if all start at once, both are busy.
	const cluster = await startCluster(program, sandbox, Math.ceil(executions / WORKERS));

	const all = rowsFor(sandbox.account.locations, executions * rows);
	const sheets = Array.from({ length: executions }, (_, index) =>
		all.slice(index * rows, (index + 1) * rows),
	);
	console.log(`Posting ${executions} sheets of ${rows} rows, and killing a worker halfway …`);
	const posts = () =>
		sandbox.requests.filter(({ method, status }) => method === 'POST' && status === 201).length;
	const sending = sendAll(cluster.post, sheets);
	const isHalf = () => posts() >= all.length / 2;
	await until('half of the rows', isHalf, { seconds: 1_800, everyMs: 20 });
	await cluster.killWorker();
	const killedAt = Date.now();
	const failed = (await sending).filter(({ isOk }) => !isOk);
	const before = ledgerOf(sandbox, all);
	const waited = Math.round((Math.max(...failed.map(({ at }) => at)) - killedAt) / 1_000);
	console.log(
		`n8n showed ${failed.length} of ${executions} executions as failed, the last after ${waited} s.`,
	);
	console.log(`${before.lost.length} rows have no post. Running these sheets again …`);

	await cluster.startWorker();
	const unposted = failed.map(({ sheet }) => sheet);
	const repeated = await sendAll(cluster.postAgain, unposted);
	const { lost, twice } = ledgerOf(sandbox, all);
	const errors = repeated.flatMap(({ results }) => results.flatMap(({ error }) => error ?? []));
	const refused = sandbox.requests.filter(({ status }) => status === 429).length;
	console.log(`${lost.length} rows have no post, ${twice.length} posts are there twice.`);
	console.log(`${sandbox.requests.length} requests, of which ${refused} were refused (429).`);
	const problems = [
		failed.length === 0 && 'The killed worker was running nothing.',
		failed.length === executions && 'The other worker was running nothing.',
		lost.length > 0 && 'Rows are missing.',
		twice.length > 0 && 'Rows were posted twice.',
		errors.length > 0 && `${errors.length} rows failed, first with: ${errors[0].message}`,
	].filter((problem) => problem !== false);
	console.log(problems.length > 0 ? problems.join('\n') : 'Each row has its post, once.');
	return problems.length === 0;
}

void runProgram(queue);
