import { DateTime } from 'luxon';

import { dailyRows, readDates, readPeriod } from '../../nodes/LocalSeo/insights';

const BERLIN = 'Europe/Berlin';
/** A Wednesday. */
const NOW = '2026-11-25T12:00:00Z';
const chosen = (days: object, now = NOW, zone = BERLIN) =>
	readPeriod({ days }, zone, Date.parse(now));

test.each<[string, string, from: string, to: string, zone?: string]>([
	['last7Days', NOW, '2026-11-18', '2026-11-24'],
	['last28Days', NOW, '2026-10-28', '2026-11-24'],
	['lastWeek', '2026-11-23T00:30:00+01:00', '2026-11-16', '2026-11-22'],
	['lastWeek', '2026-11-22T23:30:00+01:00', '2026-11-09', '2026-11-15'],
	['lastMonth', '2027-01-01T00:30:00+01:00', '2026-12-01', '2026-12-31'],
	['last7Days', '2026-11-23T03:00:00Z', '2026-11-15', '2026-11-21', 'America/Los_Angeles'],
	['last7Days', '2026-11-23T03:00:00Z', '2026-11-16', '2026-11-22', 'Pacific/Kiritimati'],
])(
	'Period is whole days in the zone of the workflow: %s at %s',
	(range, now, from, to, zone = BERLIN) => {
		expect(chosen({ range }, now, zone)).toEqual({ from, to, zone });
	},
);

test.each([undefined, null, {}, '', { days: { range: 'allDays' } }])('%j keeps all', (option) => {
	expect(readPeriod(option, BERLIN, Date.parse(NOW))).toBeUndefined();
});

test.each([
	['2026-11-16', '2026-11-16'],
	['2026-11-16T00:00:00', '2026-11-16'],
	['2026-11-16T00:00:00.000-08:00', '2026-11-16'],
	['2026-11-16T23:30:00Z', '2026-11-17'],
	[DateTime.fromISO('2026-11-16T08:00:00', { zone: BERLIN }), '2026-11-16'],
	['', ''],
	[null, ''],
])('From as %j is %s', (from, day) => {
	const days = { range: 'fromTo', from, to: '2026-12-31' };
	expect(chosen(days)).toEqual({ from: day, to: '2026-12-31', zone: BERLIN });
});

const fromTo = (from: unknown, to = '') => ({ range: 'fromTo', from, to });
test.each<[object, string]>([
	...['03/04/2027', '16.11.2026', '2026-11', '2026-02-30', 'last week', 46_745, []].map(
		(from): [object, string] => [fromTo(from), "'From' of 'Period' is not a day"],
	),
	[{ range: 'yesterday' }, 'There is no period "yesterday"'],
	[{}, 'There is no period undefined'],
])('%j is refused: %s', (days, message) => {
	expect(() => chosen(days)).toThrow(message);
});

const location = { id: 'loc_1', name: 'Corner Bakery' };
/** The dates and hints of rows of a period. */
function within(data: unknown, [from, to]: string[], zone = BERLIN) {
	const period = { from, to, zone };
	const reading = { dates: readDates(undefined), period, acceptsIncomplete: false };
	const { rows, hints } = dailyRows({ location, data, beside: {}, isWhole: false }, reading);
	return { dates: rows.map((row) => (row as { date: string }).date), hints };
}
const on = (...dates: string[]) => dates.map((date) => ({ date }));
const DAY = '2026-11-16';
const LATE = '2026-10-25T23:00:00Z';

test.each<[string, dates: string[], period: string[], kept: string[], zone?: string]>([
	[
		'both of its edges',
		['2026-11-15', DAY, '2026-11-17', '2026-11-18'],
		[DAY, '2026-11-17'],
		[DAY, '2026-11-17'],
	],
	['all from a day on', ['2026-11-15', DAY, '2099-01-01'], [DAY, '9999'], [DAY, '2099-01-01']],
	// A time belongs to its day in the zone; one without a zone to the day that it says.
	['a time of New York', [LATE], ['2026-10-25', '2026-10-25'], [LATE], 'America/New_York'],
	['a time of Berlin', [LATE], ['2026-10-26', '2026-10-26'], [LATE]],
	['an hour', ['2026-11-16 23:30'], [DAY, DAY], ['2026-11-16 23:30']],
])('a period keeps %s', (...all) => {
	const [, dates, period, kept, zone] = all;
	expect(within(on(...dates), period, zone)).toEqual({ dates: kept, hints: [] });
});

test('a period without days is a hint', () => {
	expect(within(on(DAY), ['2026-11-18', '2026-11-17'])).toEqual({
		dates: [],
		hints: ["No day is within 'Period'"],
	});
});

test.each([
	{ date: '2026-W47' },
	{ date: '2026-11' },
	{ month: '2026-11-01' },
	{ week: '2026-11-02' },
])('a period leaves out %j, which may be in it in part, and refuses it alone', (at) => {
	expect(() => within([at], ['', '9999'])).toThrow('of weeks or months');
	expect(within({ days: on(DAY), others: [at] }, ['', '9999'])).toEqual({
		dates: [DAY],
		hints: ["'Period' left out weeks and months"],
	});
});
