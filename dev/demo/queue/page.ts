import { tableOf } from '../../n8n/markdown';
import { BOUND, type Figures, isJudged, type PostingFigures, ratioOf } from './figures';

const whole = (seconds: number) => Math.round(seconds);

/** What is out of bounds is bold. */
function timeOf(figures: PostingFigures): string {
	const ratio = ratioOf(figures);
	const text = ratio.toFixed(2);
	if (!isJudged(figures)) return `${text} (too short to judge)`;
	return ratio > BOUND ? `**${text}**` : text;
}

/** The figures as two tables in Markdown: the runs that post rows, and the trigger. */
export function tablesOf(all: Figures[]): string {
	const postings = all.filter((figures) => figures.kind === 'posting');
	const triggers = all.filter((figures) => figures.kind === 'trigger');
	return [
		tableOf(
			[
				'Run',
				'Executions (per worker)',
				'Workers killed',
				'Executions failed',
				'Rows',
				'Rows without a post',
				'Posted twice',
				'Requests',
				'Refused (429)',
				'Seconds',
				'Shortest possible',
				`Ratio (at most ${BOUND})`,
			],
			postings.map((figures) => [
				figures.name,
				`${figures.executions} (${figures.perWorker.join(' + ')})`,
				figures.kills,
				figures.failedExecutions,
				figures.rows,
				figures.missing,
				figures.twice,
				figures.requests,
				figures.refused,
				whole(figures.seconds),
				whole(figures.idealSeconds),
				timeOf(figures),
			]),
		),
		tableOf(
			[
				'Run',
				'Restarts of the main',
				'Posts made',
				'Not reported',
				'Reported twice',
				'Requests',
				'Seconds until reported, at most',
			],
			triggers.map((figures) => [
				figures.name,
				figures.restarts,
				figures.posts,
				figures.untold,
				figures.twice,
				figures.requests,
				whole(figures.seconds),
			]),
		),
	].join('\n\n');
}
