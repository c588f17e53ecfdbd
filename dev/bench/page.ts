import { machine } from '../n8n/host';
import { tableOf } from '../n8n/markdown';
import type { Contender, Job } from './jobs';
import type { Measurement } from './measure';
import { MOST_OWN, type Share } from './share';

/** The measurements of a job: of each contender, in the order of the repetitions. */
export interface Result {
	job: Job;
	measurements: Map<Contender, Measurement[]>;
}

/** A bound, what was measured, and whether it is met. */
interface Check {
	name: string;
	measured: string;
	bound: string;
	isMet: boolean;
}

function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** Summed over all repetitions: a median could hide one. */
const sum = (all: Measurement[], name: 'lost' | 'doubled') =>
	all.reduce((total, measurement) => total + measurement[name], 0);

const secondsOf = (all: Measurement[]) => median(all.map(({ seconds }) => seconds)).toFixed(2);

function checksOf({ job, measurements }: Result): Check[] {
	const own = measurements.get(job.contenders[0])!;
	const bounds = job.bounds.map(({ by, atMost }) => {
		// Within each repetition: what slows the machine down for a while affects both.
		const ratios = own.map(({ seconds }, round) => {
			return seconds / ('seconds' in by ? by.seconds : measurements.get(by)![round].seconds);
		});
		const ratio = median(ratios);
		const isMet = ratio <= atMost;
		const name = `Local SEO ÷ ${by.name}`;
		return { name, measured: ratio.toFixed(2), bound: `at most ${atMost}`, isMet };
	});
	const wrong = sum(own, 'lost') + sum(own, 'doubled');
	const name = 'Local SEO: lost or doubled';
	return [...bounds, { name, measured: `${wrong}`, bound: '0', isMet: wrong === 0 }];
}

const shareChecks = (shares: Share[]): Check[] =>
	shares.map(({ job, own }) => ({
		name: job,
		measured: percent(own),
		bound: `at most ${percent(MOST_OWN)}`,
		isMet: own <= MOST_OWN,
	}));

const percent = (part: number) => `${(100 * part).toFixed(1)} %`;

/** The bounds that are missed, a line each. */
export function missedIn(results: Result[], shares: Share[]): string[] {
	const line = (title: string, { name, measured, bound }: Check) =>
		`${title}: ${name}: ${measured}, wanted ${bound}`;
	const missed = (title: string, checks: Check[]) =>
		checks.filter(({ isMet }) => !isMet).map((check) => line(title, check));
	return [
		...results.flatMap((result) => missed(result.job.title, checksOf(result))),
		...missed('Our share of the processor', shareChecks(shares)),
	];
}

const boundTable = (checks: Check[]) => {
	const yes = (isMet: boolean) => (isMet ? 'yes' : '**no**');
	const rows = checks.map(({ name, measured, bound, isMet }) => [
		name,
		measured,
		bound,
		yes(isMet),
	]);
	return tableOf(['', 'measured', 'wanted', 'met'], rows);
};

function sectionOf(result: Result): string {
	const { job, measurements } = result;
	const head = ['', 'seconds', 'requests', 'refused', 'lost', 'doubled'];
	const rows = [...measurements].map(([{ name }, all]) => {
		const failures = [...new Set(all.flatMap(({ failure }) => failure?.split(/[.,] /)[0] ?? []))];
		return [
			`${name}${failures.length > 0 ? ` (failed: ${failures.join('; ')})` : ''}`,
			secondsOf(all),
			median(all.map(({ requests }) => requests)),
			median(all.map(({ refused }) => refused)),
			sum(all, 'lost'),
			sum(all, 'doubled'),
		];
	});
	return [`## ${job.title}`, tableOf(head, rows), boundTable(checksOf(result))].join('\n\n');
}

function shareSection(shares: Share[]): string {
	const rows = shares.map(({ job, rows: count, seconds, busySeconds }) => {
		return [job, count, seconds.toFixed(2), busySeconds.toFixed(2)];
	});
	return [
		'## Our share of the processor',
		"Rows that become posts, in n8n's engine alone, under V8's profiler. Ours is the time whose nearest file is in `nodes/`, with what that code calls of lodash, luxon and Node.js; the rest is n8n, axios and the sandbox, in the same process.",
		tableOf(['', 'rows', 'seconds', 'busy seconds'], rows),
		boundTable(shareChecks(shares)),
	].join('\n\n');
}

/** The whole page, with how it was measured. */
export async function pageOf(results: Result[], shares: Share[], runs: number): Promise<string> {
	return [
		'# Speed and reliability, measured side by side',
		`Written by \`npm run bench\` (${await machine()} with SQLite; ${runs} runs each, in turn). The seconds depend on the machine; the ratios count.`,
		`- **seconds**: median of the node's execution time in n8n. **÷** is the median of the ratios of consecutive runs.
- **HTTP Request**: n8n's own node with Header Auth, its pagination (up to the last page, no interval), body fields filled by expressions, no options.
- **lost, doubled**: over all runs, in the response or in the account. A post with other content counts as lost.
- Each run has a service of its own, whose limits the node does not know yet.`,
		...results.map(sectionOf),
		shareSection(shares),
		'',
	].join('\n\n');
}
