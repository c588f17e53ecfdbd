import fc from 'fast-check';

import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';
import { counted, expectInProportion } from '../support/growth';
import { oddBodies, oddJson } from '../support/oddJson';
import { RUNS, SEED } from '../support/property';

const location = { id: 'loc_1', name: 'Bakery East' };
const daily = (data: unknown, beside = {}) => dailyRows({ location, data, beside });
const many = <T>(count: number, make: (at: number) => T) =>
	Array.from({ length: count }, (_, at) => make(at));
const dayAt = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

test('whatever a service sends, rows or a clear message come of it', () => {
	const ordinary = { totals: { views: 3 }, days: [{ date: '2026-01-05', views: 3, calls: null }] };
	const read = (data: unknown) => {
		for (const table of [dailyRows, summaryRows]) {
			try {
				const { rows } = table({ location, data });
				expect(rows.every((row) => row.location_id === 'loc_1')).toBe(true);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
			}
		}
	};
	fc.assert(fc.property(oddBodies(ordinary), read), { numRuns: RUNS, seed: SEED });
	fc.assert(fc.property(oddJson, read), { numRuns: RUNS, seed: SEED });
});

test('a column may have any name', () => {
	const row = '{"date":"2026-01-05","__proto__":1,"constructor":2,"toString":3}';
	const [own] = daily({ days: [JSON.parse(row)] }).rows;
	expect(JSON.stringify(own)).toBe(
		'{"date":"2026-01-05","location_id":"loc_1","location_name":"Bakery East","__proto__":1,"constructor":2,"toString":3}',
	);
});

describe('twice the insights are at most 2.5 times the work', () => {
	const shapes: Record<string, (count: number) => unknown> = {
		days: (count) => ({ days: many(count, (at) => ({ date: dayAt(at), views: at, calls: 1 })) }),
		'another key in each day': (count) => ({
			days: many(count, (at) => ({ date: dayAt(at), [`metric_${at}`]: at })),
		}),
		'another key in each entry without dates': (count) =>
			many(count, (at) => ({ [`m_${at}`]: at })),
		'many paths to one name of a column': (count) => ({
			...Object.fromEntries(
				many(count, (at) => [`${'_'.repeat(at % 7)}${at}`, { data: { values: at } }]),
			),
		}),
		'values by date': (count) => ({
			views: Object.fromEntries(many(count, (at) => [dayAt(at), at])),
		}),
		'lists side by side': (count) => ({
			labels: many(count, dayAt),
			datasets: [{ label: 'views', data: many(count, (at) => at) }],
		}),
	};
	test.each(Object.keys(shapes))('%s', (name) => {
		for (const table of [dailyRows, summaryRows]) {
			expectInProportion((count) => {
				const response = counted(shapes[name](count));
				table({ location, data: response.value });
				return response.count;
			});
			// What comes out, too.
			expectInProportion((count) => {
				const { rows } = table({ location, data: shapes[name](count) });
				return JSON.stringify(rows).length;
			});
		}
	});

	test('many days beside many texts, which each day would repeat, are refused with what to do', () => {
		const texts = Object.fromEntries(many(8_000, (at) => [`note_${at}`, 'text']));
		const days = many(8_000, (at) => ({ date: dayAt(at), views: at }));
		expect(() => daily({ days, ...texts })).toThrow(/too many values for daily rows: 64\d+/);
	});
});

/** One table of days: some values are missing, and a location may have no days at all. */
const table = fc.array(
	fc.record({ views: fc.option(fc.nat({ max: 99 })), calls: fc.option(fc.nat({ max: 99 })) }),
	{ maxLength: 6 },
);
type Day = { date: string; views: number | null; calls: number | null };
const columnOrder = fc.shuffledSubarray(['date', 'views', 'calls'] as const, { minLength: 3 });

/** The same days as services write them. */
const SHAPES: Record<string, (days: Day[]) => unknown> = {
	'days in a list': (days) => ({ days }),
	'days alone': (days) => days,
	'the date last': (days) => ({ daily: days.map(({ date, ...of }) => ({ ...of, day: date })) }),
	'metrics one level down': (days) => ({
		rows: days.map(({ date, ...metrics }) => ({ dimensions: { date }, metrics })),
	}),
	'by date': (days) => Object.fromEntries(days.map(({ date, ...of }) => [date, of])),
	'series of values': (days) => ({
		series: (['views', 'calls'] as const).map((metric) => ({
			metric,
			values: days.map((day) => ({ date: day.date, value: day[metric] })),
		})),
	}),
	'labels and datasets': (days) => ({
		labels: days.map(({ date }) => date),
		datasets: (['views', 'calls'] as const).map((label) => ({
			label,
			data: days.map((day) => day[label]),
		})),
	}),
	'columns and rows': (days) => ({
		columns: ['date', 'views', 'calls'],
		rows: days.map(({ date, views, calls }) => [date, views, calls]),
	}),
	'digits for a date': (days) => ({
		days: days.map((day) => ({ ...day, date: day.date.replaceAll('-', '') })),
	}),
	'parts of a date': (days) => ({
		days: days.map(({ date, ...of }) => {
			const [year, month, day] = date.split('-').map(Number);
			return { date: { year, month, day }, ...of };
		}),
	}),
	milliseconds: (days) => ({
		days: days.map((day) => ({ ...day, date: Date.parse(day.date) })),
	}),
	midnights: (days) => ({ days: days.map((day) => ({ ...day, date: `${day.date}T00:00:00Z` })) }),
	'with dots': (days) => ({
		days: days.map((day) => ({ ...day, date: day.date.split('-').reverse().join('.') })),
	}),
};

test.each(Object.keys(SHAPES))('the same rows come of the same days: %s', (name) => {
	fc.assert(
		fc.property(table, fc.nat({ max: 700 }), columnOrder, (drawn, from, order) => {
			const days = drawn.map((of, at): Day => ({ date: dayAt(from + at), ...of }));
			// Without a single value, nothing tells a metric from anything else.
			fc.pre(days.length !== 1);
			for (const metric of ['views', 'calls'] as const) {
				fc.pre(days.length === 0 || days.some((day) => day[metric] !== null));
			}
			const written = days.map(
				(day) => Object.fromEntries(order.map((column) => [column, day[column]])) as Day,
			);
			const { rows } = daily(SHAPES[name](written));
			const { id: location_id, name: location_name } = location;
			const none = { views: null, calls: null, location_id, location_name };
			const byDate = rows
				.map((row) => ({ ...none, ...row }))
				.sort((a, b) => String(Object(a).date).localeCompare(String(Object(b).date)));
			expect(byDate).toEqual(days.map((day) => ({ ...none, ...day })));
		}),
		{ numRuns: 100, seed: SEED },
	);
});
