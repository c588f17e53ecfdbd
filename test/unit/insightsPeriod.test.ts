import { DateTime } from 'luxon';

import { keptPeriod, withinPeriod } from '../../nodes/LocalSeo/insights';
import { dailyRows } from '../../nodes/LocalSeo/insights/rows';

const BERLIN = 'Europe/Berlin';
/** A Wednesday. */
const NOW = '2026-11-25T12:00:00Z';
const chosen = (days: object, now = NOW, zone = BERLIN) =>
	keptPeriod({ days }, zone, Date.parse(now));

test.each<[string, string, from: string, to: string, zone?: string]>([
	['last7Days', NOW, '2026-11-18', '2026-11-24'],
	['last28Days', NOW, '2026-10-28', '2026-11-24'],
	['lastWeek', NOW, '2026-11-16', '2026-11-22'],
	['lastWeek', '2026-11-23T00:30:00+01:00', '2026-11-16', '2026-11-22'],
	['lastWeek', '2026-11-22T23:30:00+01:00', '2026-11-09', '2026-11-15'],
	['lastWeek', '2027-01-01T12:00:00Z', '2026-12-21', '2026-12-27'],
	['lastMonth', '2027-01-01T00:30:00+01:00', '2026-12-01', '2026-12-31'],
	['lastMonth', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
	['last7Days', '2026-03-30T12:00:00Z', '2026-03-23', '2026-03-29'],
	['last7Days', '2026-11-23T03:00:00Z', '2026-11-15', '2026-11-21', 'America/Los_Angeles'],
	['last7Days', '2026-11-23T03:00:00Z', '2026-11-16', '2026-11-22', 'Pacific/Kiritimati'],
])(
	'Period is whole days in the zone of the workflow: %s at %s',
	(range, now, from, to, zone = BERLIN) => {
		expect(chosen({ range }, now, zone)).toEqual({ from, to });
	},
);

test.each([undefined, null, {}, '', { days: { range: 'allDays' } }])('%j keeps all', (option) => {
	expect(keptPeriod(option, BERLIN, Date.parse(NOW))).toBeUndefined();
});

test.each([
	['2026-11-16', '2026-11-16'],
	['2026-11-16T00:00:00', '2026-11-16'],
	['2026-11-16T00:00:00.000Z', '2026-11-16'],
	['2026-11-16T00:00:00.000-08:00', '2026-11-16'],
	['2026-11-16T23:30:00Z', '2026-11-17'],
	[new Date('2026-11-16T23:30:00Z'), '2026-11-17'],
	[DateTime.fromISO('2026-11-16T08:00:00', { zone: BERLIN }), '2026-11-16'],
	['', undefined],
	[null, undefined],
])('From as %j is %s', (from, day) => {
	const days = { range: 'fromTo', from, to: '2026-12-31' };
	expect(chosen(days)).toEqual({ from: day, to: '2026-12-31' });
});

const fromTo = (from: unknown, to = '') => ({ range: 'fromTo', from, to });
test.each<[object, string]>([
	...['03/04/2027', '16.11.2026', '2026-11', '2026-02-30', 'last week', 46_745, []].map(
		(from): [object, string] => [fromTo(from), "'From' of 'Period' is not a day"],
	),
	[fromTo('', ''), "'Period' has no dates"],
	[fromTo('2026-11-02', '2026-11-01'), "'Period' ends before it begins"],
	[{ range: 'yesterday' }, 'There is no period "yesterday"'],
	[{}, 'There is no period undefined'],
])('%j is refused: %s', (days, message) => {
	expect(() => chosen(days)).toThrow(message);
});

const WEEK = { from: '2026-11-16', to: '2026-11-22' };
const on = (day: string) => ({ from: day, to: day });
const daysFrom = (first: number, last: number) =>
	Array.from({ length: last - first + 1 }, (_, at) => `2026-11-${first + at}`);
const LATE = '2026-10-25T23:00:00Z';
const HOLES = [...daysFrom(17, 18), '2026-11-20'];
const SPARSE = ['2026-11-18', '2026-11-20'];

test.each<[string, dates: unknown[], object, kept: unknown[], missing?: string, zone?: string]>([
	['all there', daysFrom(10, 25), WEEK, daysFrom(16, 22)],
	['with holes', HOLES, WEEK, HOLES, '2026-11-16, 2026-11-19, 2026-11-21 to 2026-11-22'],
	['with nothing of it', daysFrom(10, 15), WEEK, [], '2026-11-16 to 2026-11-22'],
	['without an end', SPARSE, { from: '2026-11-17' }, SPARSE, '2026-11-17, 2026-11-19'],
	['without a beginning', SPARSE, { to: '2026-11-20' }, SPARSE, '2026-11-19'],
	['with nothing before its end', ['2026-11-21'], { to: '2026-11-20' }, [], '2026-11-20'],
	// A time belongs to its day in the zone; one without a zone to the day that it says.
	['in New York', [LATE], on('2026-10-25'), [LATE], undefined, 'America/New_York'],
	['in Berlin', [LATE], on('2026-10-26'), [LATE]],
	['of an hour', ['2026-11-16 23:30'], on('2026-11-16'), ['2026-11-16 23:30']],
])('a period %s keeps its days, and names those that are missing', (...all) => {
	const [, dates, period, kept, missing, zone = BERLIN] = all;
	const rows = dates.map((date) => ({ date }));
	const within = withinPeriod({ rows, notes: [] }, period, zone, 'Corner Bakery');
	expect(within.rows.map(({ date }) => date)).toEqual(kept);
	const hints = within.notes.map(({ say, of = '' }) => say(of, 1));
	expect(hints).toHaveLength(missing === undefined ? 0 : 1);
	if (missing) expect(hints[0]).toContain(`missing: Corner Bakery (${missing}). If`);
});

test.each<[string, object]>([
	['a week by its number', { date: '2026-W47' }],
	['a month', { date: '2026-11' }],
	['a month by its first day', { month: '2026-11-01' }],
	['a week by its Monday', { week: '2026-11-02' }],
])('a period does not keep %s: it may be in it in part', (_, at) => {
	const location = { id: 'loc_1', name: 'Corner Bakery' };
	const table = dailyRows({ location, data: [{ ...at, views: 9000 }] });
	expect(table.rows).toHaveLength(1);
	expect(withinPeriod(table, undefined, BERLIN, '')).toBe(table);
	const period = { from: '2026-10-26', to: '2026-11-01' };
	expect(() => withinPeriod(table, period, BERLIN, '')).toThrow('of weeks or months');
});
