import { tableOf } from '../n8n/markdown';
import type { Contender } from './contenders';
import type { Measurement } from './measure';
import type { Scenario, Wanted } from './scenarios';

/** The measurements of one scenario: of each contender, in the order of the repetitions. */
export interface Result {
	scenario: Scenario;
	measurements: Map<Contender, Measurement[]>;
}

export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length / 2;
	return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/** The ratio within each repetition: what slows the machine down for a while affects both. */
function ratioOf({ measurements }: Result, { of, by }: Wanted): number {
	const seconds = (contender: Contender, round: number) =>
		measurements.get(contender)![round].seconds;
	const rounds = measurements.get(of)!.map((_, round) => round);
	return median(
		rounds.map((round) => seconds(of, round) / ('seconds' in by ? by.seconds : seconds(by, round))),
	);
}

/** Summed over all repetitions: a median could hide one. */
const sum = (measurements: Measurement[], name: 'lost' | 'doubled') =>
	measurements.reduce((total, measurement) => total + measurement[name], 0);

function contenderTable({ scenario, measurements }: Result): string {
	const about = scenario.posts ?? scenario.sandbox.locations ?? 0;
	const head = [
		'',
		'seconds',
		'of all runs',
		'requests',
		'refused',
		'expressions',
		'lost',
		'doubled',
	];
	const rows = scenario.contenders.map((contender) => {
		const all = measurements.get(contender)!;
		const middle = (name: 'requests' | 'refused' | 'expressions') =>
			median(all.map((measurement) => measurement[name] ?? 0));
		const evaluated = contender.node ? middle('expressions') : '–';
		const failures = [...new Set(all.map(({ failure }) => failure).filter(Boolean))];
		return [
			`${contender.name}${failures.length > 0 ? ` (failed: ${failures.join('; ')})` : ''}`,
			median(all.map(({ seconds }) => seconds)).toFixed(2),
			all.map(({ seconds }) => seconds.toFixed(2)).join(' '),
			middle('requests'),
			middle('refused'),
			scenario.posts && contender.node
				? `${evaluated} (${middle('expressions') / about} per row)`
				: evaluated,
			sum(all, 'lost'),
			sum(all, 'doubled'),
		];
	});
	return tableOf(head, rows);
}

function boundOf({ atLeast, atMost }: Wanted): string {
	return atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
}

/** A bound, what was measured, and whether it is met. */
interface Check {
	name: string;
	measured: string;
	bound: string;
	isMet: boolean;
}

function refusalsOf({ scenario: { refused }, measurements }: Result): Check[] {
	if (!refused) return [];
	const most = Math.max(...measurements.get(refused.of)!.map((one) => one.refused));
	return [
		{
			name: `${refused.of.name}: refused`,
			measured: `${most}`,
			bound: `at most ${refused.atMost}`,
			isMet: most <= refused.atMost,
		},
	];
}

function checksOf(result: Result): Check[] {
	const { scenario, measurements } = result;
	const ratios = scenario.wanted.map((wanted) => {
		const { of, by, atLeast = 0, atMost = Infinity } = wanted;
		const ratio = ratioOf(result, wanted);
		return {
			name: `${of.name} ÷ ${by.name}`,
			measured: ratio.toFixed(2),
			bound: boundOf(wanted),
			isMet: ratio >= atLeast && ratio <= atMost,
		};
	});
	const ledgers = scenario.reliable.map((contender) => {
		const all = measurements.get(contender)!;
		const wrong = sum(all, 'lost') + sum(all, 'doubled');
		return {
			name: `${contender.name}: lost or doubled`,
			measured: `${wrong}`,
			bound: '0',
			isMet: wrong === 0,
		};
	});
	return [...ratios, ...refusalsOf(result), ...ledgers];
}

/** The bounds that a scenario misses, a line each. */
export function missedIn(result: Result): string[] {
	return checksOf(result)
		.filter(({ isMet }) => !isMet)
		.map(({ name, measured, bound }) => {
			return `${result.scenario.title}: ${name}: ${measured}, wanted ${bound}`;
		});
}

function wantedTable(result: Result): string {
	const rows = checksOf(result).map(({ name, measured, bound, isMet }) => {
		return [name, measured, bound, isMet ? 'yes' : '**no**'];
	});
	return tableOf(['', 'measured', 'wanted', 'met'], rows);
}

/** One scenario: what was measured, and whether it meets the targets. */
export function sectionOf(result: Result): string {
	return [`## ${result.scenario.title}`, contenderTable(result), wantedTable(result)].join('\n\n');
}
