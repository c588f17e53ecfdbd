import { insight } from '../../nodes/LocalSeo/resources';
import { hintsOf } from '../../nodes/LocalSeo/rows/report/hints';
import { keptPeriod, withinPeriod } from '../../nodes/LocalSeo/insights/period';

const BERLIN = 'Europe/Berlin';
/** A Wednesday. */
const NOW = Date.parse('2026-11-25T12:00:00Z');
const chosen = (days: object, now = NOW, zone = BERLIN) => keptPeriod({ days }, zone, now);

test.each([
	['last7Days', '2026-11-18', '2026-11-24'],
	['last28Days', '2026-10-28', '2026-11-24'],
	['lastWeek', '2026-11-16', '2026-11-22'],
	['lastMonth', '2026-10-01', '2026-10-31'],
])('%s on a Wednesday, November 25', (range, from, to) => {
	expect(chosen({ range })).toEqual({ from, to });
});

test.each([
	['lastWeek', '2026-11-23T00:30:00+01:00', '2026-11-16', '2026-11-22'],
	['lastWeek', '2026-11-22T23:30:00+01:00', '2026-11-09', '2026-11-15'],
	['lastWeek', '2027-01-01T12:00:00Z', '2026-12-21', '2026-12-27'],
	['lastMonth', '2027-01-01T00:30:00+01:00', '2026-12-01', '2026-12-31'],
	['lastMonth', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
	['last7Days', '2026-03-30T12:00:00Z', '2026-03-23', '2026-03-29'],
])('%s at %s', (range, now, from, to) => {
	expect(chosen({ range }, Date.parse(now))).toEqual({ from, to });
});

test('the days are those of the zone', () => {
	const now = Date.parse('2026-11-23T03:00:00Z');
	const ofZone = (zone: string) => chosen({ range: 'last7Days' }, now, zone)?.to;
	expect(['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati'].map(ofZone)).toEqual([
		'2026-11-21',
		'2026-11-22',
		'2026-11-22',
	]);
});

test('without the option there is no period', () => {
	for (const option of [undefined, null, {}, '']) {
		expect(keptPeriod(option, BERLIN, NOW)).toBeUndefined();
	}
});

test.each([
	['2026-11-16', '2026-11-16'],
	['2026-11-16T00:00:00', '2026-11-16'],
	['2026-11-16T00:00:00.000Z', '2026-11-16'],
	['2026-11-16T00:00:00.000-08:00', '2026-11-16'],
	['2026-11-16T23:30:00Z', '2026-11-17'],
	['16.11.2026', '2026-11-16'],
	['Nov 16, 2026', '2026-11-16'],
	[new Date('2026-11-16T08:00:00Z'), '2026-11-16'],
	['', undefined],
	[null, undefined],
])('From as %j', (from, day) => {
	expect(chosen({ range: 'fromTo', from, to: '2026-12-31' })).toEqual({
		from: day,
		to: '2026-12-31',
	});
});

test.each([
	[{ range: 'yesterday' }, 'There is no period "yesterday"'],
	[{ range: 'fromTo' }, "'Period' has no dates"],
	[{ range: 'fromTo', from: '2026-11-22', to: '2026-11-16' }, "'Period' ends before it begins"],
	[{ range: 'fromTo', from: 'next Friday' }, "'From' of 'Period' is not a certain date"],
	[{ range: 'fromTo', to: '03/04/2027' }, "'To' of 'Period' is not a certain date"],
])('%j is refused', (days, message) => {
	expect(() => chosen(days)).toThrow(message);
});

const WEEK = { from: '2026-11-16', to: '2026-11-22' };
/** Rows from one day of November to another. */
const november = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, at) => ({
		date: `2026-11-${String(first + at).padStart(2, '0')}`,
		views: first + at,
	}));
const kept = (rows: object[], period: object | undefined = WEEK, zone = BERLIN) => {
	const notes = [(names: string) => `Earlier note: ${names}.`];
	const table = withinPeriod({ rows: rows as never, notes }, period, zone);
	return {
		dates: table.rows.map(({ date }) => date),
		says: table.notes.map((say) => say('Bakery', 1)),
	};
};

test('the days of the period stay, and nothing is said if it is whole', () => {
	const { dates, says } = kept(november(1, 25));
	expect(dates).toEqual(november(16, 22).map(({ date }) => date));
	expect(says).toEqual(['Earlier note: Bakery.']);
	expect(withinPeriod({ rows: november(1, 25), notes: [] }, undefined, BERLIN).rows).toHaveLength(
		25,
	);
});

const ADVICE = "If your service has parameters for a period, add them under 'Query Parameters'.";

test.each([
	[[1, 20], WEEK, 5, 'Nov 16 to 22; the service returned days up to Nov 20 (Bakery).'],
	[[20, 25], WEEK, 3, `Nov 16 to 22; the service returned days from Nov 20 on (Bakery). ${ADVICE}`],
	[[18, 20], WEEK, 3, `Nov 16 to 22; the service returned Nov 18 to 20 (Bakery). ${ADVICE}`],
	[[18, 18], WEEK, 1, `Nov 16 to 22; the service returned Nov 18 (Bakery). ${ADVICE}`],
	[
		[10, 12],
		{ from: '2026-09-28', to: '2026-10-04' },
		0,
		`Sep 28 to Oct 4; the service returned days from Nov 10 on (Bakery). ${ADVICE}`,
	],
	[
		[1, 25],
		{ from: '2026-11-23', to: '2027-01-03' },
		3,
		'Nov 23, 2026 to Jan 3, 2027; the service returned days up to Nov 25 (Bakery).',
	],
	[[1, 25], { from: '2026-11-26' }, 0, undefined],
	[
		[5, 25],
		{ from: '2026-11-01' },
		21,
		`from Nov 1 on; the service returned days from Nov 5 on (Bakery). ${ADVICE}`,
	],
	[
		[1, 5],
		{ to: '2026-11-10' },
		5,
		'up to Nov 10; the service returned days up to Nov 5 (Bakery).',
	],
] as Array<[[number, number], object, number, string | undefined]>)(
	'of November %j, asked for %j',
	(days, period, count, said) => {
		const { dates, says } = kept(november(...days), period);
		expect(dates).toHaveLength(count);
		expect(says.filter((text) => !text.startsWith('Earlier'))).toEqual(
			said === undefined ? [] : [`You asked for ${said}`],
		);
	},
);

test('what is said of several locations is one hint, with their names', () => {
	const resultOf = (name: string, rows: object[]) => {
		const { notes } = withinPeriod({ rows: rows as never, notes: [] }, WEEK, BERLIN);
		const said = notes.map((say) => ({ say, of: name }));
		return { items: [{ json: {} }], includesInput: false, outcome: 'done' as const, notes: said };
	};
	const ends = [
		resultOf('Bakery East', november(1, 20)),
		resultOf('Bakery West', november(5, 20)),
		resultOf('Bakery North', november(1, 19)),
	];
	const [operation] = insight.operations;
	const hints = hintsOf({
		...{ resource: insight, operation, rows: ends.map(() => ({ json: {} })), ends },
		...{ isRepeatable: true, isFiltered: false, hasErrorOutput: false, zone: BERLIN },
	});
	expect(hints).toEqual([
		expect.stringMatching(/up to Nov 20 \(Bakery East; Bakery West\)/),
		expect.stringMatching(/up to Nov 19 \(Bakery North\)/),
	]);
});

test('times belong to the day that they are in the zone', () => {
	const rows = [
		{ date: '2026-11-15T22:30:00Z' },
		{ date: '2026-11-15T23:30:00Z' },
		{ date: '2026-11-22T22:30:00Z' },
		{ date: '2026-11-22T23:30:00Z' },
		{ date: '2026-11-22T23:30:00' },
	];
	expect(kept(rows).dates).toEqual([rows[1].date, rows[2].date, rows[4].date]);
	expect(kept(rows, WEEK, 'UTC').dates).toEqual([rows[2].date, rows[3].date, rows[4].date]);
});

test.each([
	[['2026-W46', '2026-W47', '2026-W48'], ['2026-W47'], WEEK, false],
	[['2026-W53', '2027-W01'], ['2026-W53'], { from: '2026-12-28', to: '2027-01-03' }, false],
	[['2026-10', '2026-11'], ['2026-10'], { from: '2026-10-01', to: '2026-10-31' }, false],
	[['2026-Q3', '2026-Q4'], ['2026-Q3'], { from: '2026-07-01', to: '2026-10-31' }, true],
	[['2026-10', '2026-11'], [], WEEK, true],
])('of weeks and months %j, %j', (dates, within, period, isCut) => {
	const { dates: left, says } = kept(
		dates.map((date) => ({ date })),
		period,
	);
	expect(left).toEqual(within);
	expect(says.some((text) => /^Weeks or months that are only partly in /.test(text))).toBe(isCut);
});

test('rows without a date stay, and it is said that no period was applied', () => {
	const { dates, says } = kept([{ date: null, views: 7 }]);
	expect(dates).toEqual([null]);
	expect(says).toEqual([
		'Earlier note: Bakery.',
		"'Period' was not applied, because no dates were recognized (Bakery).",
	]);
	expect(kept([]).says).toEqual(['Earlier note: Bakery.']);
});
