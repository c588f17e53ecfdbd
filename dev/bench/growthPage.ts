import { availableParallelism } from 'node:os';
import type { Cost, Kind } from './growthJob';
import { type Line, lineThrough } from './line';
import { tableOf } from '../n8n/markdown';

/** What is measured: one kind of job, in ever larger sizes. */
export interface Series {
	kind: Kind;
	title: string;
	/** One of what is counted. */
	one: string;
	counts: number[];
}

export const SERIES: Series[] = [
	{
		kind: 'list',
		title: 'Locations listed, 15 per page',
		one: 'record',
		counts: [1_000, 3_000, 10_000, 30_000, 100_000],
	},
	{
		kind: 'rows',
		title: 'Content posts created, one per row',
		one: 'row',
		counts: [100, 300, 1_000, 3_000, 10_000],
	},
];

export interface Growth {
	series: Series;
	points: Array<{ count: number; cost: Cost }>;
}

/**
 * What may grow no faster than the count, and how much more one record may cost in the largest size
 * than in the middle one. CPU time is the steadiest: a list that was read in quadratic time came to
 * 1.2 there, one that is linear to 0.9, since Node.js optimizes code that runs for long.
 */
const MEASURES = [
	{ name: 'seconds', title: 'time', atMost: 1.5 },
	{ name: 'cpuSeconds', title: 'CPU time', atMost: 1.1 },
	{ name: 'held', title: 'memory held', atMost: 1.5 },
] as const;

type Measure = (typeof MEASURES)[number];
export type MeasureName = Measure['name'];

export function lineOf({ points }: Growth, name: MeasureName): Line {
	return lineThrough(points.map(({ count, cost }) => ({ x: count, y: cost[name] })));
}

/** What one record costs in the largest size, compared with the middle one; 1 is linear. */
function growthOf({ points }: Growth, name: MeasureName): number {
	const each = ({ count, cost }: Growth['points'][number]) => cost[name] / count;
	return each(points[points.length - 1]) / each(points[Math.floor(points.length / 2)]);
}

/** What is no positive number was not measured. */
function isLinear(ratio: number, { atMost }: Measure): boolean {
	return ratio > 0 && ratio <= atMost;
}

/** Sentences on what grows faster than it may. */
export function flawsIn(growth: Growth): string[] {
	const { title, one } = growth.series;
	return MEASURES.flatMap((measure) => {
		const ratio = growthOf(growth, measure.name);
		if (isLinear(ratio, measure)) return [];
		return [
			`${title}: the ${measure.title} per ${one} grows ${ratio.toFixed(2)} times from the middle size to the largest; at most ${measure.atMost} is expected.`,
		];
	});
}

/** Bytes of heap that cannot be told from what else changes there: what is less is no figure, only a bound. */
const HEAP_NOISE = 2 ** 20;

/** Bytes as a figure in a unit, or as the bound that noise leaves. */
const held = (bytes: number, unit: number, digits: number) =>
	`${bytes < HEAP_NOISE ? '< ' : ''}${(Math.max(bytes, HEAP_NOISE) / unit).toFixed(digits)}`;
const percent = (fraction: number) => `${Math.round(100 * fraction)} %`;

function sectionOf(growth: Growth): string {
	const { series, points } = growth;
	const { title, one } = series;
	const costs = points.map(({ count, cost }) => [
		count.toLocaleString('en'),
		cost.seconds.toFixed(2),
		((1_000 * cost.seconds) / count).toFixed(3),
		((1_000 * cost.cpuSeconds) / count).toFixed(3),
		held(cost.held, 2 ** 20, 1),
		held(cost.held, 1_024 * count, 2),
		Math.round(cost.peak / 2 ** 20),
	]);
	const head = [
		`${one}s`,
		'seconds',
		`ms per ${one}`,
		`CPU ms per ${one}`,
		'held (MB)',
		`held per ${one} (KB)`,
		'peak (MB)',
	];
	const lines = MEASURES.map((measure) => {
		const ratio = growthOf(growth, measure.name);
		const off = percent(lineOf(growth, measure.name).off);
		const isMet = isLinear(ratio, measure) ? 'yes' : '**no**';
		return [measure.title, off, ratio.toFixed(2), `at most ${measure.atMost}`, isMet];
	});
	return [
		`## ${title}`,
		tableOf(head, costs),
		tableOf(['', 'worst point off the line', 'largest ÷ middle', 'wanted', 'met'], lines),
	].join('\n\n');
}

/** The whole page, with how it was measured. */
export function pageOf(growths: Growth[], runs: number): string {
	const machine = `${availableParallelism()} cores, Node ${process.version.slice(1)}`;
	return [
		'# Growth, measured',
		`Written by \`npx gulp bench:growth\` (${machine}; the cheapest of ${runs} runs of each size). The seconds depend on the machine; how they grow does not.`,
		'![Time and memory against the number of records](growth.svg)',
		`- Each run has a process of its own, with n8n's execution engine and the node in it; the service is the sandbox in another process, without latency or rate limit. A run counts only if every record came out once.
- **seconds**: from the start of the execution to its end. **CPU**: processor time of that process, which other work on the machine disturbs less.
- **held**: heap that the result takes, after garbage collection. Less than 1 MB cannot be told from what else changes in the heap, so it is given as a bound. **peak**: the most memory that the process had (RSS), n8n's engine included.
- **worst point off the line**: the largest distance of a size from the straight line through all of them. **largest ÷ middle**: what one record costs in the largest size compared with the middle one. The command fails if that is more than wanted.`,
		...growths.map(sectionOf),
		'',
	].join('\n\n');
}
