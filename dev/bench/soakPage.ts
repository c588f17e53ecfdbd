import type { RecordedRequest } from '../sandbox';
import { lineThrough } from './line';
import { machine } from '../n8n/machine';
import type { Look } from './soakProbe';
import type { Tally } from './soakTraffic';
import { tableOf } from '../n8n/markdown';

/** All that is known of one soak. */
export interface Soak {
	minutes: number;
	tally: Tally;
	requests: RecordedRequest[];
	/** While there was traffic, in order. */
	looks: Look[];
	/** n8n at rest, before the traffic and after it. */
	start: Look;
	end: Look;
	/** n8n's own log. */
	log: string;
}

/** By how much the heap may rise in the second half, as a fraction of its size; stores of bounded size still fill. */
const MOST_RISE = 0.1;

/** Bytes that the heap rises in the second half, by the straight line through it, and its size there. */
function heapOf({ looks }: Soak): { rise: number; size: number } {
	const half = looks.slice(Math.floor(looks.length / 2));
	if (half.length < 2) return { rise: Infinity, size: NaN };
	const [first, last] = [half[0].at, half[half.length - 1].at];
	const { start, slope } = lineThrough(
		half.map(({ at, heapUsed }) => ({ x: at - first, y: heapUsed })),
	);
	return { rise: slope * (last - first), size: start };
}

/**
 * n8n's own timers come and go, those of its database's connections, say. What a community node can
 * make is `AbortSignal.timeout`, and is counted by itself.
 */
const OF_THE_HOST = 'Timeout';

/** Kinds of which there are more at the end than at the start, with both numbers. */
function moreOf(start: Record<string, number>, end: Record<string, number>): string[] {
	return Object.entries(end)
		.filter(([name, count]) => name !== OF_THE_HOST && count > (start[name] ?? 0))
		.map(([name, count]) => `${name} (${start[name] ?? 0} → ${count})`);
}

/** Node.js writes warnings to the log as well, those from before the probe was there included. */
function listenerWarnings({ end, log }: Soak): string[] {
	const seen = end.warnings
		.filter(({ name }) => name === 'MaxListenersExceededWarning')
		.map(({ stack }) => stack);
	return seen.length > 0 ? seen : (log.match(/.*MaxListenersExceededWarning.*/g) ?? []);
}

function statuses(requests: RecordedRequest[]): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of requests) {
		const name = status === undefined ? 'no response' : String(status);
		counts[name] = (counts[name] ?? 0) + 1;
	}
	return counts;
}

interface Ended {
	done: number;
	/** Stopped by a person. */
	stopped: number;
	failed: number;
}

function executionsOf({ end }: Soak): Ended {
	const counts: Ended = { done: 0, stopped: 0, failed: 0 };
	for (const byStatus of Object.values(end.executions)) {
		for (const [status, count] of Object.entries(byStatus)) {
			if (status === 'success') counts.done += count;
			else if (status === 'canceled') counts.stopped += count;
			else counts.failed += count;
		}
	}
	return counts;
}

/** Sentences on everything that should not be; a soak in which something never happened shows nothing. */
export function soakFlawsIn(soak: Soak): string[] {
	const { tally, start, end, requests } = soak;
	const { rise, size } = heapOf(soak);
	const { failed, stopped } = executionsOf(soak);
	const answered = statuses(requests);
	const happened: Record<string, number | undefined> = {
		...Object.fromEntries(KINDS.map((kind) => [`rounds of ${kind}`, tally.rounds[kind]])),
		'stopped executions': stopped,
		'executions of the trigger': end.executions.Trigger?.success,
		'lost responses': answered['no response'],
		'responses with status 429': answered[429],
		'responses with status 500': answered[500],
	};
	return [
		...tally.unexpected,
		...Object.entries(happened)
			.filter(([, count]) => !count)
			.map(([what]) => `There were no ${what}.`),
		...(failed > 0 ? [`${failed} executions failed: ${JSON.stringify(end.executions)}`] : []),
		...(rise <= MOST_RISE * size
			? []
			: [
					`The heap rises by ${megabytes(rise)} in the second half; at most ${megabytes(MOST_RISE * size)} is expected.`,
				]),
		...(end.socketsToService > 0
			? [`${end.socketsToService} connections to the service are left.`]
			: []),
		...(end.timers > start.timers ? [`Timers are left: ${start.timers} → ${end.timers}`] : []),
		...moreOf(start.resources, end.resources).map((kind) => `More resources than before: ${kind}`),
		...moreOf(start.listeners, end.listeners).map((kind) => `More listeners than before: ${kind}`),
		...listenerWarnings(soak),
	];
}

/** All kinds of traffic. */
const KINDS = ['List', 'Insights', 'Rows', 'Slow rows', 'Stopped', 'Pickers', 'Changes'];

const megabytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MB`;
const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);
const othersOf = ({ resources }: Look) => sum(resources) - (resources[OF_THE_HOST] ?? 0);
const listed = (counts: Record<string, number>) =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');

/** The report. */
export async function soakPageOf(soak: Soak): Promise<string> {
	const { minutes, tally, requests, start, end } = soak;
	const { done, stopped, failed } = executionsOf(soak);
	const { rise, size } = heapOf(soak);
	const flaws = soakFlawsIn(soak);
	const counts = tableOf(
		['', 'count'],
		[
			[
				'requests (the latest that the sandbox keeps)',
				`${requests.length} (${listed(statuses(requests))})`,
			],
			['executions that succeeded', done],
			['executions that were stopped, as intended', stopped],
			['executions that failed', failed],
			['rows posted', tally.rows],
			['rows that failed', tally.failedRows],
			['rounds', `${sum(tally.rounds)} (${listed(tally.rounds)})`],
			['executions of the trigger', end.executions.Trigger?.success ?? 0],
			['unexpected', tally.unexpected.length],
		],
	);
	const levels = tableOf(
		['n8n at rest, after garbage collection', 'start', 'end'],
		[
			['heap', megabytes(start.heapUsed), megabytes(end.heapUsed)],
			['memory (RSS)', megabytes(start.rss), megabytes(end.rss)],
			['connections to the service', start.socketsToService, end.socketsToService],
			['timers of nodes (`AbortSignal.timeout`)', start.timers, end.timers],
			["n8n's own timers", start.resources[OF_THE_HOST] ?? 0, end.resources[OF_THE_HOST] ?? 0],
			['other handles and requests of Node.js', othersOf(start), othersOf(end)],
			['listeners of the process', sum(start.listeners), sum(end.listeners)],
			['warnings of too many listeners', '', listenerWarnings(soak).length],
		],
	);
	return [
		`# ${minutes} minutes of mixed traffic`,
		`Written by \`npx gulp bench:soak --minutes ${minutes}\` (${await machine()} with SQLite). One n8n lists 300 locations, exports insights, posts rows, opens pickers, polls with a trigger and has executions stopped, all at the same time, while the service loses responses and answers with 429, 500 and 503.`,
		counts,
		levels,
		`In the second half, the heap (after garbage collection, with traffic) rose by ${megabytes(rise)} from ${megabytes(size)}; at most ${100 * MOST_RISE} % is expected. What the node remembers of its writes still fills up; it has an upper bound ([docs/dev/architecture.md](../architecture.md)).`,
		flaws.length > 0
			? `**Not as expected:**\n\n${flaws.map((flaw) => `- ${flaw.split('\n')[0]}`).join('\n')}`
			: 'Everything is as expected.',
		'',
	].join('\n\n');
}
