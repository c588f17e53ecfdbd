// `npx gulp demo:queue`: n8n in queue mode, with PostgreSQL, Redis and two workers. Sheets are posted, a
// worker is killed halfway, and the sheets that failed are run again with Skip the Row. Afterwards each row
// has to have its post, once. docs/dev/n8n-facts.md, section 13, has what this has shown.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import chunk from 'lodash/chunk';
import { temporaryHome } from '../n8n/home';
import { installHost, startHost, startWorker } from '../n8n/host';
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
/** They start at once: each worker takes half of them. */
const SHEETS = 8;
const ROWS = 100;
const REQUESTS_PER_SECOND = 20;

/** Rows come in by a webhook, each becomes a post, and the results go back in the order of the rows. */
function posting(credential: Named): NewWorkflow {
	const answer = { responseMode: 'lastNode', responseData: 'allEntries' };
	const webhook = { path: 'post-rows', httpMethod: 'POST', ...answer };
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId: { __rl: true, mode: 'id', value: '={{ $json.location_id }}' },
		whenToPublish: 'now',
		fields: { mappingMode: 'autoMapInputData', value: null },
		ifExists: 'skip',
		options: {},
	};
	const split = { fieldToSplitOut: 'body.rows', options: {} };
	return inARow('Post the rows', [
		step('Rows come in', 'n8n-nodes-base.webhook', 2, webhook, { webhookId: 'post-rows' }),
		step('One item a row', 'n8n-nodes-base.splitOut', 1, split),
		step('Create the post', 'n8n-nodes-local-seo.localSeo', 1, parameters, {
			credentials: { localSeoApi: credential },
			onError: 'continueRegularOutput',
		}),
	]);
}

/** Sends all sheets to the webhook at once; resolves with those whose execution failed, and the rows' errors. */
async function sendAll(address: string, sheets: Row[][]) {
	const answers = await Promise.all(
		sheets.map(async (sheet) => {
			const { status, data } = await http.post<Array<{ error?: unknown }>>(address, {
				rows: sheet,
			});
			return { sheet, isOk: status === 200, results: status === 200 ? data : [] };
		}),
	);
	return {
		failed: answers.filter(({ isOk }) => !isOk).map(({ sheet }) => sheet),
		errors: answers.flatMap(({ results }) => results.flatMap(({ error }) => error ?? [])),
	};
}

/** Starts n8n and its workers; resolves with the address that posts rows. */
async function startCluster(program: Program, sandbox: Sandbox) {
	console.log(`Starting PostgreSQL, Redis, n8n and ${WORKERS} workers …`);
	const key = randomBytes(24).toString('hex');
	const settings = { ...(await startStores(program)), N8N_ENCRYPTION_KEY: key };
	const home = temporaryHome('queue');
	await installPackage(home);
	// First, since it sets up the database.
	const main = await startHost(home, await freePort(), settings);
	program.atEnd(main.stop);
	const addWorker = async (name: string) => {
		const own = { ...home, log: join(home.n8n, `${name}.log`) };
		const worker = await startWorker(own, await freePort(), SHEETS / WORKERS, settings);
		program.atEnd(worker.stop);
		return worker;
	};
	await addWorker('one worker');
	const other = await addWorker('another worker');
	const rest = await logIn(main.url, home);
	const credential = await rest.post<Named>('/credentials', {
		name: 'Local SEO sandbox',
		type: 'localSeoApi',
		data: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.write },
	});
	return { address: await publish(rest, main.url, posting(credential)), other, addWorker };
}

/** Posts, kills, posts again; returns whether each row has its post, once. */
async function queue(program: Program): Promise<boolean> {
	await installHost();
	const sandbox = await startSandbox({ requestsPerSecond: REQUESTS_PER_SECOND });
	program.atEnd(sandbox.close);
	const { address, other, addWorker } = await startCluster(program, sandbox);

	const rows = rowsFor(sandbox.account.locations, SHEETS * ROWS);
	console.log(`Posting ${SHEETS} sheets of ${ROWS} rows, and killing a worker halfway …`);
	const sending = sendAll(address, chunk(rows, ROWS));
	const isHalf = () =>
		sandbox.requests.filter(({ status }) => status === 201).length >= rows.length / 2;
	await until('half of the rows', isHalf, { seconds: 1_800, everyMs: 20 });
	await other.kill();
	const { failed } = await sending;
	const without = ledgerOf(sandbox, rows).lost.length;
	console.log(`${failed.length} executions failed, and ${without} rows have no post.`);

	console.log('Running the sheets that failed again …');
	await addWorker('a new worker');
	const { errors } = await sendAll(address, failed);
	const { lost, twice } = ledgerOf(sandbox, rows);
	const problems = [
		failed.length === 0 && 'The killed worker was running nothing.',
		failed.length === SHEETS && 'The other worker was running nothing.',
		lost.length > 0 && `${lost.length} rows are missing.`,
		twice.length > 0 && `${twice.length} rows were posted twice.`,
		errors.length > 0 && `${errors.length} rows failed: ${JSON.stringify(errors[0])}`,
	].filter((problem) => problem !== false);
	console.log(problems.length > 0 ? problems.join('\n') : 'Each row has its post, once.');
	return problems.length === 0;
}

void runProgram(queue);
