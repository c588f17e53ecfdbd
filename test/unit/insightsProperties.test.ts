import type { JsonObject } from '../../nodes/LocalSeo/client';
import { dailyRows, readDates, summaryRow } from '../../nodes/LocalSeo/insights';
import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { fc } from '../support/random';

// What holds for insights of any shape.

const reading = { dates: readDates(undefined), acceptsIncomplete: false };
const location = { id: 'loc_1', name: 'Corner Bakery' };

/** Undefined for what is refused. */
function rowsOf(form: typeof dailyRows, data: unknown): JsonObject[] | undefined {
	try {
		const insights = { location, data, beside: {}, isWhole: false };
		return form(insights, reading).rows as JsonObject[];
	} catch (error) {
		if (error instanceof InputError) return undefined;
		throw error;
	}
}

const names = fc.uniqueArray(
	fc.constantFrom('views', 'calls', 'name', 'id', 'list', 'a_b', 'a', 'b', '5', '__proto__'),
	{ maxLength: 3 },
);
/** The names of the members of days, of the entries around them, and of the objects around these. */
const shape = fc.record({
	own: names,
	outer: fc.array(names, { maxLength: 2 }),
	around: fc.array(names, { maxLength: 2 }),
	isKeyed: fc.boolean(),
	isNested: fc.boolean(),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;
type Kind = 'day' | 'label' | 'other';

const DATES = ['2026-03-01', '2026-03-02', '2026-03-03'];

/** A response with so many days and lists. */
function build(of: Shape, value: (kind: Kind) => unknown, days = 2, lists = 2): unknown {
	const members = (list: string[], kind: Kind) =>
		Object.fromEntries(list.map((name) => [name, value(kind)]));
	const entry = () => (of.isNested ? { a: members(of.own, 'day') } : members(of.own, 'day'));
	const listOfDays = () => {
		const all = DATES.slice(0, days).map((date) => ({ date, ...entry() }));
		if (!of.isKeyed) return all;
		return Object.fromEntries(all.map(({ date, ...more }) => [date, more]));
	};
	const level = (at: number): unknown =>
		at === of.outer.length
			? listOfDays()
			: Array.from({ length: lists }, () => ({
					...members(of.outer[at], 'label'),
					days: level(at + 1),
				}));
	return of.around.reduce<unknown>(
		(data, list, at) => ({ ...members(list, 'other'), [`of${at}`]: data }),
		level(0),
	);
}

/** Numbers in order, by their kind. */
function counting() {
	const all: Record<Kind, number[]> = { day: [], label: [], other: [] };
	let last = 10_000;
	const value = (kind: Kind) => {
		all[kind].push(++last);
		return last;
	};
	return { all, value };
}

function check(property: (of: Shape) => boolean): void {
	let compared = 0;
	fc.assert(
		fc.property(shape, (of) => {
			if (property(of)) compared++;
		}),
		{ numRuns: 400 },
	);
	expect(compared).toBeGreaterThan(100);
}

test('no value is lost: it is in a row, or without a date and in One Row per Location', () => {
	check((of) => {
		const { all, value } = counting();
		const data = build(of, value);
		const [daily, summary] = [dailyRows, summaryRow].map((form) => rowsOf(form, data));
		const isIn = (rows?: JsonObject[]) => (one: number) => JSON.stringify(rows).includes(`${one}`);
		if (daily) expect([...all.day, ...all.label].filter((one) => !isIn(daily)(one))).toEqual([]);
		if (summary)
			expect([...all.label, ...all.other].filter((one) => !isIn(summary)(one))).toEqual([]);
		return Boolean(daily && summary);
	});
});

test('no column is called after a value: other values have the same columns', () => {
	check((of) => {
		const columns = ['views', '2026-03-01', 'loc_9'].map((text) => {
			let at = 0;
			const rows = rowsOf(
				dailyRows,
				build(of, () => `${text} ${at++}`),
			);
			return rows?.map((row) => Object.keys(row).join()).join('\n');
		});
		expect(new Set(columns).size).toBe(1);
		return columns[0] !== undefined;
	});
});

test('one more day or list adds rows, and changes none', () => {
	check((of) => {
		let labels = 0;
		const value = (kind: Kind) => (kind === 'label' ? `a${labels++}` : 7);
		const build3 = (days: number, lists: number) => {
			labels = 0;
			return rowsOf(dailyRows, build(of, value, days, lists));
		};
		const before = build3(2, 1);
		for (const after of [build3(3, 1), build3(2, 2)]) {
			if (before && after) expect(after).toEqual(expect.arrayContaining(before));
		}
		return before !== undefined;
	});
});
