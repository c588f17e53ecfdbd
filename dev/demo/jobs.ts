import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { posts as rows } from '../../examples/posts';
import type { Post, Sandbox } from '../sandbox';
import { insightProblems, postProblems, type Line } from './checks';
import { Complaint } from '../n8n/complaint';
import { runByHand } from '../n8n/execution';
import { CREDENTIAL, exampleWith, putCredential, WORKFLOWS } from './setup';
import { publishForm, upload } from './form';
import { loginOf } from '../n8n/login';
import type { Stage } from './stage';
import type { Named, NewWorkflow } from '../n8n/workflow';

/** The outcome of a job; it succeeded if there are no problems. */
export interface Outcome {
	name: string;
	summary: string;
	problems: string[];
	seconds: number;
}

type Findings = Pick<Outcome, 'summary' | 'problems'>;

const linesOf = (csv: string): Line[] => parse(csv, { columns: true, bom: true });

/** A file that the run wrote; those of earlier runs have been removed. */
function readWritten(file: string): string {
	if (!existsSync(file)) throw new Complaint(`the workflow did not write ${file}`);
	return readFileSync(file, 'utf8');
}

/** A workflow that was looked at: with its Dry Run off, it posts. */
function withoutDryRun(workflow: NewWorkflow): NewWorkflow {
	for (const { parameters } of workflow.nodes)
		if ('dryRun' in parameters) parameters.dryRun = false;
	return workflow;
}

function allPosts({ account }: Sandbox): Post[] {
	return account.locations.flatMap(({ id }) => account.postsOf(id));
}

/** Runs something that posts every row, then checks the posts and the results file. */
async function checkPosting({ sandbox }: Stage, run: () => Promise<Line[]>): Promise<Findings> {
	const before = new Set(allPosts(sandbox).map(({ id }) => id));
	const results = await run();
	const created = allPosts(sandbox).filter(({ id }) => !before.has(id));
	const sent = sandbox.requests.filter(({ method }) => method === 'POST').length;
	return {
		summary: `${rows.length} rows, ${created.length} posts created with ${sent} requests`,
		problems: postProblems(rows, created, results),
	};
}

async function postFromForm(stage: Stage): Promise<Findings> {
	const { home, host, rest, workflows } = stage;
	// n8n lists first what was saved last: here, the workflow that a user looks for.
	const { name } = await rest.get<Named>(`/workflows/${workflows.form}`);
	await rest.patch(`/workflows/${workflows.form}`, { name });
	await publishForm(rest, host.url, workflows.form);
	const file = join(home.files, 'posts.xlsx');
	return await checkPosting(stage, async () => {
		const [headings, ...cells] = await readSheet(await upload(rest, host.url, file, loginOf(home)));
		const lineOf = (row: unknown[]) => headings.map((name, at) => [name, String(row[at] ?? '')]);
		return cells.map((row) => Object.fromEntries(lineOf(row)) as Line);
	});
}

/**
 * Runs the workflow with its Dry Run off. With a key of its own: n8n's process remembers for a while what was
 * created with a key, and the form is going to post the same rows to an emptied account.
 */
async function postFromSpreadsheet(stage: Stage): Promise<Findings> {
	const { home, rest, workflows, sandbox, credential } = stage;
	const results = join(home.files, 'posts-results.csv');
	rmSync(results, { force: true });
	const access = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.admin };
	const name = `${CREDENTIAL.name} (check)`;
	const own = await putCredential(rest, access, { ...CREDENTIAL, name });
	const use = async ({ nodes }: Pick<NewWorkflow, 'nodes'>) =>
		await rest.patch(`/workflows/${workflows.spreadsheet}`, { nodes });
	return await checkPosting(stage, async () => {
		try {
			await use(withoutDryRun(exampleWith(own, WORKFLOWS.spreadsheet)));
			await runByHand(rest, workflows.spreadsheet);
		} finally {
			await use(exampleWith(credential, WORKFLOWS.spreadsheet));
			await rest.delete(`/credentials/${own.id}`);
		}
		return linesOf(readWritten(results));
	});
}

/** Runs the workflow that writes the insights of all locations into one table. */
async function exportInsights({ home, rest, workflows, sandbox }: Stage): Promise<Findings> {
	const file = join(home.files, 'insights.csv');
	rmSync(file, { force: true });
	await runByHand(rest, workflows.insights);
	const table = linesOf(readWritten(file));
	const { account } = sandbox;
	const insights = account.locations.map(({ id }) => account.insightOf(id));
	return {
		summary: `${insights.length} locations, ${table.length} rows of insights`,
		problems: insightProblems(insights, table),
	};
}

async function outcomeOf(name: string, job: () => Promise<Findings>): Promise<Outcome> {
	const started = Date.now();
	const seconds = () => (Date.now() - started) / 1000;
	try {
		return { name, ...(await job()), seconds: seconds() };
	} catch (error) {
		if (!(error instanceof Complaint)) throw error;
		return { name, summary: 'not completed', problems: [error.message], seconds: seconds() };
	}
}

/** Runs the jobs and checks their results. The form comes last: as it is checked, a user finds it. */
export async function runJobs(stage: Stage): Promise<Outcome[]> {
	const outcomes = [
		await outcomeOf('Posts from a CSV file', () => postFromSpreadsheet(stage)),
		await outcomeOf('Insights to a table', () => exportInsights(stage)),
	];
	// Both spreadsheets contain the same rows, so the second one starts with a fresh account.
	stage.sandbox.reset();
	const form = await outcomeOf('Posts from an uploaded Excel file', () => postFromForm(stage));
	return [...outcomes, form];
}
