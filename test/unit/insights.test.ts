import type { JsonObject } from '../../nodes/LocalSeo/client';
import { isOnePageOfSeveral, readDays } from '../../nodes/LocalSeo/insights';
import { dailyRows, summaryRows } from '../../nodes/LocalSeo/insights/rows';
import { InputError } from '../../nodes/LocalSeo/text/inputError';
import { oddBodies, oddJson } from '../support/oddJson';
import { fc } from '../support/random';

const location = { id: 'loc_1', name: 'Corner Bakery' };

/** Rows without the location's ID and name. */
function table(rowsOf: typeof dailyRows, data: unknown, days: object = {}) {
	const { rows, notes } = rowsOf({ location, data }, readDays({ read: days }));
	const own = rows.map(({ location_id, location_name, ...more }) => {
		expect([location_id, location_name]).toEqual([location.id, location.name]);
		return more;
	});
	return { rows: own, hints: notes.map(({ say, of = '' }) => say(of, 1)) };
}
const daily = (data: unknown, days?: object) => table(dailyRows, data, days);
const summary = (data: unknown, days?: object) => table(summaryRows, data, days);

/** What is asked about the insights: what came, and what to do. */
function asked(work: () => unknown): InputError {
	try {
		work();
	} catch (error) {
		if (error instanceof InputError) return error;
		throw error;
	}
	throw new Error('Nothing was asked');
}

// Two days, and what services say of them.
const [A, B] = ['2026-03-01', '2026-03-02'];
const both = <T extends object>(make: (at: number) => T) =>
	[A, B].map((date, at) => ({ date, ...make(at) }));
const DAYS = both((views) => ({ views }));
const VIEWS = both((value) => ({ value }));
const CALLS = both(() => ({ value: 5 }));
const series = (...all: object[][]) =>
	all.map((values, at) => ({ name: ['views', 'calls'][at], values }));
const BY_DATE = { [A]: 0, [B]: 1 };
const PAID = { calls: { paid: 1, free: { value: 2 } }, none: [] };
const JSON_OF = ['A column holds a list as JSON: tags.'];

test.each<[string, unknown, rows?: object[], hints?: string[]]>([
	['days in another order', [...DAYS].reverse()],
	['a series without days', series(VIEWS, [])],
	['days beside lists that have none', { days: DAYS, labels: [A, B], calls: [5, 5] }],
	['series by the one text that each has', [{ total: '120', device: 'views', ...BY_DATE }]],
	['days within other names', { report: { of: DAYS } }, both((at) => ({ report_of_views: at }))],
	['objects in an entry', both(() => PAID), both(() => ({ calls_paid: 1, calls_free: 2 }))],
	['a list in an entry, as JSON', [{ day: A, tags: [1] }], [{ date: A, tags: '[1]' }], JSON_OF],
])('names become columns, entries become rows: %s', (_, data, rows = DAYS, hints = []) => {
	expect(daily(data)).toEqual({ rows, hints });
});

const MOBILE = ['mobile', 'desktop'].map((device) => ({ date: A, device, views: 4 }));
const TOTAL = { date: 'Total', views: 1 };
const LAST = { name: 'views', last: { date: B }, values: VIEWS };
/** What a message begins with, and what it advises. */
const ADVICE: Array<[message: string, advice: RegExp]> = [
	['No list of days', /'Days'.*'Output' to Raw, and put n8n's Split Out.*'One Row per Location'/],
	['The list "report.days" has an entry', /To take the others, .* enter report\.days as 'List'/],
	['The list "data" has an entry without', /enter data as 'List'/],
	['Several lists have dates, and one of them', /enter the list .* as 'List'.*Split Out/],
	['The entries of the list "data" have several dates', /enter the one that is meant as 'Date'/],
	[
		'The list "all" may be one of days',
		/enter (last\.|first\.)?date as 'Date'.*as 'List'.*with all in front/,
	],
	['It is not certain what the series', /enter the field that names each of them as 'Series Name'/],
	['Two columns would be called', /enter the list .* as 'List'.*n8n's Edit Fields/],
];
test.each<[string, unknown, message: string]>([
	['a list as long by chance', { dates: [A], by_weekday: [7] }, 'but: dates, by_weekday'],
	['numbers, and an empty list', { views: 500, top_keywords: [] }, 'but: views'],
	['texts, and an empty list', { rating: '4.5', reviews: [] }, 'but: rating'],
	['totals alone', { views: [], totals: { views: 5 } }, 'but: totals.views'],
	['a list without dates', [{ a: 1 }, { a: 2 }], 'but: data'],
	['a date of another name', { days: [{ when: A }] }, 'but: days'],
	['a date that is no list of days', { date: A, views: 1 }, 'but: date, views'],
	['a day by its number', { days: [{ day: 1, month: '2026-03' }] }, 'but: days'],
	['no date', { report: { days: [...DAYS, TOTAL] } }, 'date: {"date":"Total","views":1}'],
	['null in a list of days', [DAYS[0], null], 'date: null'],
	['a date that is null', [DAYS[0], { date: null, month: A }], 'date: {"date":null'],
	['a date twice beside another list', { days: DAYS, devices: MOBILE }, 'times: days, devices'],
	['the same, of series', ['a', 'b'].map((of) => ({ of, all: MOBILE })), 'times: all'],
	['two dates one level down', [{ from: { date: A }, to: { date: B } }], ': from.date, to.date'],
	['a date one level down, and days within', { all: [LAST] }, 'the date in last.date, or one of'],
	[
		'rows of several locations',
		['a', 'b'].map((id) => ({ date: A, location: { id, name: id } })),
		'"location_id"',
	],
	['days within a day', { all: [{ date: A, days: DAYS }] }, 'the date in date, or one of'],
	[
		'empty days beside a date',
		{ all: [{ k: 'x', first: { date: A }, days: [] }] },
		'date in first.date, or one',
	],
	['a month as a week', [{ week: '2026-10', views: 1 }], 'No list of days'],
	['series with texts', [{ name: 'x', unit: 'y', days: DAYS }], 'name, unit are a text in each'],
	['of one kind', [1, 2].map((id) => ({ id, of: 'x', days: DAYS })), 'several are called "x"'],
	['one without a name', [LAST, { days: DAYS }].map((one) => ({ ...one, last: 1 })), 'no field is'],
	['of numbers', [1, 2].map((id) => ({ id, total: '7', days: DAYS })), 'no field is a text'],
	['columns of one name', [{ date: A, a_b: 1, a: { b: 2 } }], '"a_b": "a_b" and "a.b"'],
	['of two lists', { days: DAYS, daily: DAYS }, '"views": "days.views" and "daily.views"'],
	['another date', [{ date: 'Mar 1', at: { date: A } }], '"date": "date" and "date"'],
])('what is not certain is asked: %s', (_, data, message) => {
	const error = asked(() => daily(data));
	expect(error.message).toContain(message);
	const [, advice] = ADVICE.find(([begins]) => error.message.startsWith(begins))!;
	expect(error.description).toMatch(advice);
});

describe('one more, or another value, renames no column and moves no value to another row', () => {
	const names = 'views calls device views_mobile mobile total date day name'.split(' ');
	const name = fc.constantFrom(...names);
	const number = fc.noBias(fc.integer({ min: 500e12, max: 599e12 }));
	const others = fc.constantFrom('a', 'b', '120', '1,000', '', null, {});
	const value = fc.oneof(number, others, fc.tuple(number), fc.record({ mobile: number }));
	const date = fc.constantFrom(A, B, '2026-03-03', '2026-03-03T00:00:00Z');
	const entry = fc
		.tuple(date, fc.dictionary(name, value))
		.map(([date, more]) => ({ ...more, date }));
	const days = fc.array(entry, { maxLength: 4 });
	const one = fc.tuple(fc.dictionary(name, value), days).map(([more, days]) => ({ ...more, days }));
	const data = fc.oneof(
		days,
		fc.array(one, { maxLength: 3 }),
		fc.dictionary(fc.constantFrom('days', 'daily', 'views', 'values'), fc.oneof(days, value)),
		fc.record({
			sources: fc.dictionary(name, fc.record({ days })),
			totals: fc.dictionary(name, value),
		}),
	);

	/** Every list and object in a value. */
	const holders = (value: unknown): object[] =>
		typeof value === 'object' && value !== null
			? [value, ...Object.values(value).flatMap(holders)]
			: [];
	/** Adds a member, or an entry like the others, somewhere, or puts null or a text in place of a number. */
	const changed = fc
		.tuple(data, fc.nat(), fc.nat(), fc.record({ value, entry, one }), name, fc.boolean())
		.map(([before, where, at, more, named, isAdded]) => {
			const after = structuredClone(before);
			const added = structuredClone(more);
			const all = holders(after);
			const holder = all[where % all.length] as Record<string, unknown>;
			const keys = Object.keys(holder);
			const key = keys[at % Math.max(1, keys.length)];
			// A text of a single series that has had none is its name from then on.
			const isSeries = 'days' in holder;
			if (isAdded && Array.isArray(holder)) {
				const [first = {}] = holder as object[];
				holder.push('days' in Object(first) ? added.one : added.entry);
			} else if (isAdded && !Object.hasOwn(holder, named)) {
				if (!isSeries || typeof added.value !== 'string') holder[named] = added.value;
			} else if (typeof holder[key] === 'number') {
				holder[key] = at % 2 === 0 || isSeries ? null : 'n/a';
			}
			return { before: structuredClone(before), after };
		});

	/** The column and date of each number; no two are the same. */
	function placesOf(data: unknown, rowsOf: typeof dailyRows): Map<number, string> {
		const places = new Map<number, string>();
		for (const { date, ...row } of rowsOf({ location, data }).rows) {
			for (const [column, value] of Object.entries(row)) {
				for (const [own] of String(value).matchAll(/5\d{14}/g)) {
					places.set(Number(own), rowsOf === dailyRows ? `${String(date)} ${column}` : column);
				}
			}
		}
		return places;
	}
	test.each([
		['Daily Rows', dailyRows],
		['One Row per Location', summaryRows],
	])('%s', (_, rowsOf) => {
		let compared = 0;
		const property = fc.property(changed, (pair) => {
			const [before, after] = [pair.before, pair.after].map((data) => {
				try {
					return placesOf(data, rowsOf);
				} catch (error) {
					if (error instanceof InputError) return undefined;
					throw error;
				}
			});
			if (!before || !after) return;
			compared++;
			for (const [value, place] of before) {
				const isKept = JSON.stringify(pair.after).includes(String(value));
				if (isKept) expect(after.get(value)).toBe(place);
			}
		});
		fc.assert(property, { numRuns: 3_000 });
		expect(compared).toBeGreaterThan(500);
	});
});

const NO_DAYS = [
	...['2026-02-30', '2026-13', '2026-W54', '2026-03-01T25:00:00Z', '3/1/2026', '01.03.2026'],
	...[{ year: 2026, month: 3 }, '2026', 1_772_323_200, [A], null],
];
test.each<[unknown, string | null, string?]>([
	[A, A],
	['2026-03-01T00:00:00Z', A],
	['2026-03-01 00:00', A],
	['2026-03-01T00:00:00.000+01:00', A],
	['2026-03-01 00:00:00 UTC', A],
	// Midnights of another zone stay times.
	['2026-10-25T23:00:00Z', '2026-10-25T23:00:00Z'],
	['2026-03-01 09:30', '2026-03-01 09:30'],
	['2026-03', '2026-03'],
	['2026-W09', '2026-W09'],
	[20_260_301, A],
	['20260301', A, 'day'],
	[{ year: 2026, month: 3, day: 1 }, A],
	[{ year: 2026, month: 3, day: 0 }, null],
	['20260301', null, 'week'],
	...NO_DAYS.map((value): [unknown, null] => [value, null]),
])('a date is a day only where it is written as one: %j is %j', (value, date, name = 'date') => {
	const data = { days: [{ [name]: value, views: 1 }] };
	if (date === null) expect(asked(() => daily(data)).message).toContain('No list of days');
	else expect(daily(data).rows).toEqual([{ date, views: 1 }]);
});

test.each<[string, string[], string[]?]>([
	['days', ['2026-03-01T00:00:00Z', '2026-03-02T00:00Z'], [A, B]],
	[
		'days of two zones',
		['2026-03-29 00:00+01:00', '2026-03-30 00:00+02:00'],
		['2026-03-29', '2026-03-30'],
	],
	['hours', ['2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z', '2026-03-02T01:00:00Z']],
	['hours, also as names', ['2026-03-02 00:00', '2026-03-02 12:00']],
])('midnight is the day, but in a list of hours: %s', (_, dates, read = dates) => {
	const entries = dates.map((date, views) => ({ date, views }));
	const named = Object.fromEntries(dates.map((date, views) => [date, { views }]));
	for (const data of [entries, named]) {
		expect(daily(data).rows.map(({ date }) => date)).toEqual(read);
	}
});

test.each([...[null, [], {}, { views: null }, { views: [] }, { views: {}, calls: null }]])(
	'no data is no row: %j',
	(data) => {
		expect(daily(data)).toEqual({ rows: [], hints: [] });
		expect(summary(data)).toEqual({ rows: [], hints: [] });
	},
);

const EMPTY = ['The list of days is empty for Corner Bakery, which therefore has no rows.'];
test.each([
	...[{ days: [] }, { days: null }, { period: { from: A }, totals: { views: 0 }, daily: [] }],
	...[[{ name: 'views', days: [] }], { labels: [], datasets: [{ label: 'Calls', daily: [] }] }],
])('an empty list of days is no row, and a hint says why: %j', (data) => {
	expect(daily(data)).toEqual({ rows: [], hints: EMPTY });
	expect(daily({ report: { of: [] }, views: 5 }, { list: 'report.of' }).hints).toEqual(EMPTY);
});

const ONLY_DAYS = expect.stringContaining('only days, and no totals, for Corner Bakery');
const KEYWORDS = ['A column holds a list as JSON: keywords.'];
test.each<[string, unknown, object[], unknown[]?]>([
	[
		'totals, texts, switches and zeros, and no days',
		{ period: { from: A }, totals: { views: 0, calls: 12 }, verified: true, daily: DAYS },
		[{ period_from: A, totals_views: 0, totals_calls: 12, verified: true }],
	],
	['of a series, its own', [{ name: 'views', total: 5, days: { [A]: 5 } }], [{ views_total: 5 }]],
	[
		'without the location itself',
		{ location_id: 'loc_9', location_name: 'x', total: 1 },
		[{ total: 1 }],
	],
	['with a hint if there are only days', DAYS, [{}], [ONLY_DAYS]],
	['no row without data', { days: [] }, []],
	['totals beside empty lists', { days: [], totals: { views: 0 } }, [{ totals_views: 0 }]],
	['numbers, and an empty list', { views: 500, top_keywords: [] }, [{ views: 500 }]],
	['texts, and an empty list', { rating: '4.5', reviews: [] }, [{ rating: '4.5' }]],
	['a list of one', [{ views: 3 }], [{ views: 3 }]],
	['a value', 5, [{ data: 5 }]],
	['lists, as JSON', { keywords: [{ a: 1 }, 2] }, [{ keywords: '[{"a":1},2]' }], KEYWORDS],
	[
		'entries without a date',
		{ keywords: [...DAYS, TOTAL] },
		[{ keywords: '[{"date":"Total","views":1}]' }],
		KEYWORDS,
	],
])('one row per location has what has no date: %s', (_, data, rows, hints = []) => {
	expect(summary(data)).toEqual({ rows, hints });
});

describe('the option Days says where the days are', () => {
	test.each<[unknown, string, string]>([
		[1_772_323_200, 'seconds', A],
		['1772323200', 'seconds', A],
		[1_772_323_200_000, 'milliseconds', A],
		[1_772_319_600, 'seconds', '2026-02-28T23:00:00Z'],
		['3/1/2026', 'M/d/yyyy', A],
		['01.03.2026 00:00', 'dd.MM.yyyy HH:mm', A],
		['01.03.2026 09:00', 'dd.MM.yyyy HH:mm', '2026-03-01T09:00:00'],
		['01.03.2026 09:00 +02:00', 'dd.MM.yyyy HH:mm ZZ', '2026-03-01T09:00:00+02:00'],
		['20260301', 'auto', A],
	])('%j as %s is %s', (at, format, date) => {
		const days = { list: 'days', date: 'at', format };
		expect(daily({ days: [{ at, views: 1 }] }, days).rows).toEqual([{ date, views: 1 }]);
	});

	test.each<[unknown, string]>([
		[1_772_323_200_000, 'seconds'],
		[12, 'milliseconds'],
		['13/1/2026', 'M/d/yyyy'],
	])('%j is no date as %s: asked', (at, format) => {
		const { message } = asked(() => daily([{ at }], { date: 'at', format }));
		expect(message).toBe("No list of days is where the option 'Days' says, but: at");
	});

	test.each(['MMM d', 'MM/yyyy', 'HH:mm', 'yesterday'])('the format %j makes no day', (format) => {
		expect(() => readDays({ read: { format } })).toThrow(/has no year, month and day/);
	});

	const SET_TO_NOTHING = { read: { list: '', date: '', series: '', format: 'auto' } };
	test.each([undefined, null, {}, SET_TO_NOTHING])('as %j, it changes nothing', (option) => {
		const { rows } = dailyRows({ location, data: DAYS }, readDays(option));
		expect(rows).toEqual(dailyRows({ location, data: DAYS }).rows);
	});

	test('the date may be within an entry, of which the rest is kept; the list may be within series', () => {
		const entries = [{ start: { date: A, hour: 9 }, end: { date: B }, views: 0 }];
		const rows = [{ date: A, start_hour: 9, end_date: B, views: 0 }];
		expect(daily(entries, { date: 'start.date' }).rows).toEqual(rows);
		const days = [{ date: A, value: 1 }];
		const report = [{ name: 'views', days, before: days }];
		const read = daily({ report }, { list: 'report.days' }).rows;
		expect(read).toEqual([{ date: A, report_views: 1 }]);
	});

	test('entries without a date are left out with a hint; a series without its name is asked about', () => {
		expect(daily([...DAYS, TOTAL], { date: 'date' }).hints).toEqual([
			'Entries without a date were left out: Corner Bakery (1).',
		]);
		const nameless = [...series(VIEWS), { name: null, values: CALLS }];
		const { message } = asked(() => daily(nameless, { series: 'name' }));
		expect(message).toContain('one has no text in "name"');
	});
});

test.each<[unknown, boolean]>([
	[{ days: [], meta: { current_page: 1, per_page: 3, total: 90 } }, true],
	[{ meta: { current_page: '1', per_page: '3', total: '90' } }, true],
	[{ meta: { current_page: 30, per_page: 3, total: 90 } }, false],
	[{ meta: { current_page: 0, per_page: 15, total: 10 } }, false],
	[{ current_page: 1, last_page: 2 }, true],
	[{ current_page: 1, last_page: 1 }, false],
	[{ page: { number: 0 }, total_pages: 2 }, true],
	[{ page: 0, total_pages: 1 }, false],
	[[{ name: 'views', has_more: true }], true],
	...['next_page_url', 'next_cursor', 'nextPageToken'].map((name): [unknown, boolean] => [
		{ [name]: 'x' },
		true,
	]),
	[{ next_page_url: null, next_cursor: '', has_more: false }, false],
	[{ paging: { next: 'x' }, pages: 7, total: 90, views: null }, false],
	[{ links: { first: '/x', next: null } }, false],
	[{ links: { next: '/x?page=2' } }, true],
])('%j is one page of several: %p', (data, isOne) => {
	expect(isOnePageOfSeveral({ data })).toBe(isOne);
	expect(isOnePageOfSeveral({ data: { days: DAYS }, beside: data as JsonObject })).toBe(isOne);
});

test.each([
	[1, {}, false],
	[2, {}, true],
	[2, { total: 2 }, false],
])('%i of 2 entries of a page, with %j, are one page of several: %p', (count, more, isOne) => {
	const beside = { meta: { per_page: 2, ...more } };
	expect(isOnePageOfSeveral({ data: DAYS.slice(0, count), beside })).toBe(isOne);
});

test('whatever a service sends, rows or a clear message come of it', () => {
	const ordinary = { totals: { views: 3 }, days: [{ date: A, views: 3, calls: null }] };
	const property = fc.property(fc.oneof(oddBodies(ordinary), oddJson), (data) => {
		for (const rowsOf of [dailyRows, summaryRows]) {
			try {
				const { rows } = rowsOf({ location, data });
				expect(rows.every((row) => row.location_id === 'loc_1')).toBe(true);
			} catch (error) {
				if (!(error instanceof InputError)) throw error;
			}
		}
	});
	fc.assert(property);
});
