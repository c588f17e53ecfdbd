/** What was measured while rows were posted. */
export interface PostingFigures {
	kind: 'posting';
	name: string;
	executions: number;
	/** Executions that each worker started. */
	perWorker: number[];
	/** How many run on one worker at the same time, at most. */
	concurrency: number;
	/** Executions that n8n reported as failed. */
	failedExecutions: number;
	/** Workers that were killed on the way. */
	kills: number;
	rows: number;
	/** Rows without a post at the end. */
	missing: number;
	/** Posts beyond the first one of their row. */
	twice: number;
	/** Rows that the node reported as failed. */
	failedRows: number;
	/** What it said of the first of them. */
	failure?: string;
	requests: number;
	/** Requests that got status 429. */
	refused: number;
	/** From the sending of the rows to the last execution that succeeded. */
	seconds: number;
	/** What the accepted requests that the work needs take at the full rate. */
	idealSeconds: number;
}

/** What was measured while the trigger watched posts, with one restart. */
export interface TriggerFigures {
	kind: 'trigger';
	name: string;
	posts: number;
	/** Posts that no execution reported. */
	untold: number;
	/** Reports beyond the first one of their post. */
	twice: number;
	requests: number;
	restarts: number;
	/** From the making of a post to the execution that reported it, at most. */
	seconds: number;
}

export type Figures = PostingFigures | TriggerFigures;

/** At most this many times the shortest possible time. */
export const BOUND = 1.25;
/** At most this share of the requests is refused: the processes keep to the rate instead of running into it. */
export const REFUSED_BOUND = 0.1;
/** A shorter run shows how fast n8n starts an execution, not how well the rate is used. */
const JUDGED_FROM_SECONDS = 60;

export function ratioOf({ seconds, idealSeconds }: PostingFigures): number {
	return seconds / idealSeconds;
}

/** Whether a run is long enough for its time and its refusals to be judged. */
export function isJudged({ idealSeconds }: PostingFigures): boolean {
	return idealSeconds >= JUDGED_FROM_SECONDS;
}

function postingProblems(figures: PostingFigures): string[] {
	const {
		executions,
		perWorker,
		concurrency,
		failedExecutions,
		kills,
		missing,
		twice,
		failedRows,
	} = figures;
	const { requests, refused, failure } = figures;
	const ratio = ratioOf(figures);
	return [
		twice > 0 && `${twice} posts are there twice`,
		failedRows > 0 && `${failedRows} rows failed${failure ? `, first with: ${failure}` : ''}`,
		kills === 0 && missing > 0 && `${missing} rows have no post`,
		kills === 0 && failedExecutions > 0 && `${failedExecutions} executions failed`,
		kills > 0 && failedExecutions === 0 && 'the killed worker was running nothing',
		kills > 0 && failedExecutions === executions && 'the other worker was running nothing',
		// What one worker has room for may go to one.
		executions > concurrency &&
			perWorker.includes(0) &&
			`a worker took none of the executions (${perWorker.join(' and ')})`,
		isJudged(figures) &&
			ratio > BOUND &&
			`it took ${ratio.toFixed(3)} times the ideal time, more than ${BOUND}`,
		isJudged(figures) &&
			refused > REFUSED_BOUND * requests &&
			`${refused} of ${requests} requests were refused, more than ${100 * REFUSED_BOUND} %`,
	].filter((problem) => problem !== false);
}

function triggerProblems({ untold, twice }: TriggerFigures): string[] {
	return [
		untold > 0 && `${untold} posts were not reported`,
		twice > 0 && `${twice} posts were reported twice`,
	].filter((problem) => problem !== false);
}

/** What is wrong with the figures, each as a sentence that names the run. */
export function problemsOf(all: Figures[]): string[] {
	return all.flatMap((figures) =>
		(figures.kind === 'posting' ? postingProblems(figures) : triggerProblems(figures)).map(
			(problem) => `${figures.name}: ${problem}`,
		),
	);
}
