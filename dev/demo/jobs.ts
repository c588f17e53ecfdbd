import { parse } from 'csv-parse/sync';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { posts as rows } from '../../examples/posts';
import { Complaint } from '../n8n/complaint';
import { runByHand } from '../n8n/execution';
import type { NewWorkflow } from '../n8n/workflow';
import { insightProblems, type Line, postProblems } from './checks';
import { exampleWith, WORKFLOWS } from './setup';
import type { Stage } from './stage';

/** The outcome of a job; it succeeded if there are no problems. */
export interface Outcome {
	name: string;
	summary: string;
	problems: string[];
	seconds: number;
}

type Findings = Pick<Outcome, 'summary' | 'problems'>;

/** The lines of the CSV file that a run writes; that of an earlier run is removed before. */
async function linesWritten(file: string, run: () => Promise<unknown>): Promise<Line[]> {
	rmSync(file, { force: true });
	await run();
	if (!existsSync(file)) throw new Complaint(`the workflow did not write ${file}`);
	return parse(readFileSync(file, 'utf8'), { columns: true, bom: true });
}

/** Runs the workflow that posts every row, with its Dry Run off, and checks the posts and the results file. */
async function postFromSpreadsheet(stage: Stage): Promise<Findings> {
	const { home, rest, workflows, sandbox, credential } = stage;
	const posts = () => sandbox.account.locations.flatMap(({ id }) => sandbox.account.postsOf(id));
	const use = async ({ nodes }: NewWorkflow) =>
		await rest.patch(`/workflows/${workflows.spreadsheet}`, { nodes });
	const asShipped = () => exampleWith(credential, WORKFLOWS.spreadsheet);
	const posting = asShipped();
	for (const { parameters } of posting.nodes) if ('dryRun' in parameters) parameters.dryRun = false;
	const before = new Set(posts());
	try {
		await use(posting);
		const results = await linesWritten(
			join(home.files, 'posts-results.csv'),
			async () => await runByHand(rest, workflows.spreadsheet),
		);
		const created = posts().filter((post) => !before.has(post));
		const sent = sandbox.requests.filter(({ method }) => method === 'POST').length;
		return {
			summary: `${rows.length} rows, ${created.length} posts created with ${sent} requests`,
			problems: postProblems(rows, created, results),
		};
	} finally {
		await use(asShipped());
	}
}

/** Runs the workflow that writes the insights of all locations into one table. */
async function exportInsights({ home, rest, workflows, sandbox }: Stage): Promise<Findings> {
	const table = await linesWritten(
		join(home.files, 'insights.csv'),
		async () => await runByHand(rest, workflows.insights),
	);
	const { account } = sandbox;
	const insights = account.locations.map(({ id }) => account.insightOf(id));
	return {
		summary: `${insights.length} locations, ${table.length} rows of insights`,
		problems: insightProblems(insights, table),
	};
}

async function outcomeOf(name: string, job: () => Promise<Findings>): Promise<Outcome> {
	const started = Date.now();
	const findings = await job().catch((error: unknown): Findings => {
		if (!(error instanceof Complaint)) throw error;
		return { summary: 'not completed', problems: [error.message] };
	});
	return { name, ...findings, seconds: (Date.now() - started) / 1000 };
}

/** Runs the jobs and checks their results. */
export async function runJobs(stage: Stage): Promise<Outcome[]> {
	return [
		await outcomeOf('Posts from a CSV file', () => postFromSpreadsheet(stage)),
		await outcomeOf('Insights to a table', () => exportInsights(stage)),
	];
}
