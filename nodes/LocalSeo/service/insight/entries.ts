import { type DateContext, type DateUnit, readDates } from '../../client';
import { inSnakeCase } from '../sendableFields';
import { type Field, isName, joined, NAMES } from './fields';

/** The entries of a list by their dates. */
export interface Entries {
	unit: DateUnit;
	days: Array<{ date: string; fields: Field[] }>;
	/** Entries without a date among others that have one: a total at the end, say. */
	undated: Field[][];
	/** Whether a date is there several times, and no few names tell its entries apart. */
	isRepeated: boolean;
	/** Whether the dates are those of what happened, and not of days that are counted. */
	isOfEvents: boolean;
	/** Whether each entry is about a day of its own, so that dates within it say nothing. */
	isSure: boolean;
}

const DAY_LENGTH = 86_400_000;
type Columns = Map<string, unknown[]>;

/** So many names beside the date become columns; more are rows of their own. */
const MAX_NAMES = 24;
const DAY = /(^|_)(date|day)$/;
const START = /(^|_)(start|begin|from|since)/;
const END = /(^|_)(ends?|to|until|till|last|expir\w*|due)(_|$)/;
const EVENT = /(^|_)(creat|updat|modif|publish|post|scan|refresh|generat|sync|seen|review)/;
const IDENTIFIER = /(^|_)(id|code|zip|postal|phone|number)$/;
const NUMBER = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/;
const MISSING = /^(|-|–|—|n\/?a|null)$/i;

/** The days that the entries of a list are about; undefined unless most of them have a date. */
export function daysOf(flat: Field[][], around: Omit<DateContext, 'name'>): Entries | undefined {
	const columns = columnsOf(flat);
	const dated = [...columns].flatMap(([name, values]) => {
		const column = readDates(values, { ...around, name });
		return column ? [{ name, ...column, rank: rankOf(inSnakeCase(name), column.unit) }] : [];
	});
	const [best] = dated.sort((one, other) => one.rank - other.rank);
	if (!best) return undefined;
	const { unit, dates, rank } = best;
	const isPeriod = ({ dates: [date] }: (typeof dated)[number]) =>
		Math.abs(Date.parse(String(date)) - Date.parse(String(dates[0]))) > DAY_LENGTH;
	if (flat.length === 1 && rank >= 0 && dated.some(isPeriod)) return undefined;
	const known = dates.filter((date) => date !== undefined);
	const isRepeated = new Set(known).size < known.length;
	for (const { name } of dated) columns.delete(name);
	const isLong = columns.has('') && [...columns.keys()].some((name) => NAMES.test(name));
	const told = isRepeated || isLong ? labelsOf(columns, dates) : undefined;
	const labels = told && new Set(told.labels).size <= MAX_NAMES ? told.labels : [];
	const dropped = new Set([best.name, ...(labels.length > 0 ? told!.columns : [])]);
	const numbers = numbersIn(flat);
	const days = flat.map((fields, at) =>
		fields
			.filter(([name]) => !dropped.has(name))
			.map(([name, value]): Field => {
				const date = typeof value === 'number' && dated.find((one) => one.name === name)?.dates[at];
				const own = numbers.has(name) ? numberOf(value) : value;
				return [joined(labels[at] ?? '', name), date || own];
			}),
	);
	return {
		unit,
		days: days.flatMap((fields, at) =>
			dates[at] === undefined ? [] : { date: dates[at], fields },
		),
		undated: flat.filter((_, at) => dates[at] === undefined),
		isRepeated: isRepeated && labels.length === 0,
		isOfEvents: rank >= 40,
		isSure: rank < 0 || (flat.length > 1 && rank < 20 && 2 * new Set(known).size > flat.length),
	};
}

/** Which of several dates in an entry is that of its day: the lower one. */
function rankOf(name: string, unit: DateUnit): number {
	const isExact = /^(date|day)$/.test(name);
	const kind = isExact ? -8 : START.test(name) ? 1 : DAY.test(name) ? 0 : 2;
	const isOther = (EVENT.test(name) ? 40 : 0) + (END.test(name) ? 20 : 0);
	return kind + isOther + (unit === 'day' ? 0 : 4);
}

/** The values of each column that most entries have. */
export function columnsOf(flat: Field[][]): Columns {
	const counts = new Map<string, number>();
	for (const [name] of flat.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
	const columns: Columns = new Map();
	for (const [at, fields] of flat.entries()) {
		for (const [name, value] of fields) {
			if (2 * counts.get(name)! <= flat.length) continue;
			if (!columns.has(name)) columns.set(name, new Array(flat.length).fill(undefined));
			columns.get(name)![at] ??= value;
		}
	}
	return columns;
}

/** Texts that tell the entries of each group apart: those of one column, else of several. */
export function labelsOf(columns: Columns, groups: unknown[]) {
	const isText = (value: unknown) => isName(value) && !NUMBER.test(value);
	const order = (name: string) => (NAMES.test(inSnakeCase(name)) ? 0 : 1);
	const texts = [...columns]
		.filter(([, values]) => values.every(isText))
		.sort(([one], [other]) => order(one) - order(other)) as Array<[string, string[]]>;
	const isTold = (labels: string[]) =>
		new Set(labels.map((label, at) => JSON.stringify([groups[at], label]))).size === groups.length;
	const single = texts.find(([, labels]) => isTold(labels));
	if (single) return { labels: single[1], columns: [single[0]] };
	const varying = texts.filter(([, labels]) => new Set(labels).size > 1);
	const labels = groups.map((_, at) =>
		varying.reduce((label, [, values]) => joined(values[at], label), ''),
	);
	return isTold(labels) ? { labels, columns: varying.map(([name]) => name) } : undefined;
}

/** The columns in which all texts are numbers: those of identifiers stay as they are. */
function numbersIn(flat: Field[][]): Set<string> {
	const numbers = new Set<string>();
	const others = new Set<string>();
	for (const [name, value] of flat.flat()) {
		if (typeof value !== 'string' || MISSING.test(value)) continue;
		(NUMBER.test(value) && !IDENTIFIER.test(inSnakeCase(name)) ? numbers : others).add(name);
	}
	return new Set([...numbers].filter((name) => !others.has(name)));
}

function numberOf(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return MISSING.test(value) ? null : Number(value);
}
