import { ledgerOf } from '../../n8n/ledger';
import { rowsFor } from '../../n8n/rows';
import { until } from '../../n8n/until';
import type { Sandbox } from '../../sandbox';
import type { PostingFigures } from './figures';
import { type Answer, sendAll, sheetsOf, type Sheet } from './sheets';
import type { Stage } from './stage';

function accepted({ requests }: Sandbox, method: string): number {
	return requests.filter((one) => one.method === method && one.status !== 429).length;
}

/**
 * New posts go into an account without any, and only their requests count. Their titles are those of this
 * part alone: for an hour, a worker knows what it has posted before, and would skip it.
 */
function freshSheets({ sandbox, load }: Stage, part: string): Sheet[] {
	sandbox.reset();
	const rows = rowsFor(sandbox.account.locations, load.executions * load.rows);
	const ofPart = rows.map((row) => ({ ...row, title: `${row.title} (${part})` }));
	return sheetsOf(ofPart, load.rows);
}

/** What became of the rows of these answers; `needed` requests are what the work takes. */
function figuresOf(
	{ sandbox, load, concurrency }: Stage,
	answers: Answer[],
	{ needed, ...more }: Pick<PostingFigures, 'name' | 'kills' | 'perWorker'> & { needed: number },
): PostingFigures {
	const rows = answers.flatMap(({ sheet }) => sheet);
	const done = answers.filter(({ isOk }) => isOk);
	const reported = ledgerOf(
		sandbox,
		done.flatMap(({ sheet }) => sheet),
		done.flatMap(({ results }) => results),
	);
	// Whatever was reported: some rows of a failed execution have their post.
	const { lost, twice } = ledgerOf(sandbox, rows);
	return {
		kind: 'posting',
		...more,
		concurrency,
		executions: answers.length,
		failedExecutions: answers.length - done.length,
		rows: rows.length,
		missing: lost.length,
		twice: twice.length,
		failedRows: reported.failed.length + reported.lost.length,
		failure: messageOf(reported.failed[0]),
		requests: sandbox.requests.length,
		refused: sandbox.requests.filter(({ status }) => status === 429).length,
		seconds: Math.max(0, ...done.map(({ seconds }) => seconds)),
		idealSeconds: needed / load.rate,
	};
}

/** What the node said of a row that failed. */
function messageOf(failed: unknown): string | undefined {
	return (failed as { error?: { message?: string } } | undefined)?.error?.message;
}

/** Counts the executions that each worker starts from now on. */
function counter({ cluster }: Stage): () => number[] {
	const before = cluster.started();
	return () => cluster.started().map((started, index) => started - before[index]);
}

/** All executions at once, over both workers. */
export async function postAll(stage: Stage): Promise<PostingFigures> {
	const sheets = freshSheets(stage, 'both workers');
	const perWorker = counter(stage);
	const answers = await sendAll(stage.post, sheets);
	return figuresOf(stage, answers, {
		name: 'Both workers',
		kills: 0,
		perWorker: perWorker(),
		needed: sheets.flat().length,
	});
}

/** The same, but the second worker is killed in the middle; then what failed is run again. */
export async function postThroughKill(
	stage: Stage,
	note: (line: string) => void,
): Promise<PostingFigures[]> {
	const { cluster, sandbox, post, postAgain } = stage;
	const sheets = freshSheets(stage, 'one killed');
	const half = sheets.flat().length / 2;
	const started = counter(stage);
	const kill = async () => {
		const isHalf = () => accepted(sandbox, 'POST') >= half || undefined;
		await until('half of the rows', isHalf, { seconds: 1_800, everyMs: 20 });
		await cluster.killWorker(1);
		return { killed: Date.now(), perWorker: started() };
	};
	const sent = Date.now();
	const [answers, { killed, perWorker }] = await Promise.all([sendAll(post, sheets), kill()]);
	const failed = answers.filter(({ isOk }) => !isOk);
	const interrupted = figuresOf(stage, answers, {
		name: 'A worker killed halfway',
		kills: 1,
		perWorker,
		needed: accepted(sandbox, 'POST'),
	});
	if (failed.length === 0) return [interrupted];
	const longest = Math.max(...failed.map(({ seconds }) => seconds)) - (killed - sent) / 1000;
	note(`n8n showed the executions of the killed worker as failed ${Math.round(longest)} s later.`);

	await cluster.startWorker(1);
	sandbox.requests.length = 0;
	const perWorkerAgain = counter(stage);
	const again = await sendAll(
		postAgain,
		failed.map(({ sheet }) => sheet),
	);
	const rerun = figuresOf(stage, again, {
		name: 'Its executions, run again with Skip the Row',
		kills: 0,
		perWorker: perWorkerAgain(),
		needed: accepted(sandbox, 'POST') + accepted(sandbox, 'GET'),
	});
	// Nothing that the interrupted run had posted may have been posted again.
	const { twice } = ledgerOf(sandbox, sheets.flat());
	return [interrupted, { ...rerun, twice: twice.length }];
}
