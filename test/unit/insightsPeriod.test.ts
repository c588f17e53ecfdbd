import { DateTime } from 'luxon';

import { keptPeriod, withinPeriod } from '../../nodes/LocalSeo/insights';

const BERLIN = 'Europe/Berlin';
/** A Wednesday. */
const NOW = Date.parse('2026-11-25T12:00:00Z');
const chosen = (days: object, now = NOW, zone = BERLIN) => keptPeriod({ days }, zone, now);

describe('Period is whole days in the zone of the workflow', () => {
	test.each([
		['last7Days', '2026-11-25T12:00:00Z', '2026-11-18', '2026-11-24'],
		['last28Days', '2026-11-25T12:00:00Z', '2026-10-28', '2026-11-24'],
		['lastWeek', '2026-11-25T12:00:00Z', '2026-11-16', '2026-11-22'],
		['lastWeek', '2026-11-23T00:30:00+01:00', '2026-11-16', '2026-11-22'],
		['lastWeek', '2026-11-22T23:30:00+01:00', '2026-11-09', '2026-11-15'],
		['lastWeek', '2027-01-01T12:00:00Z', '2026-12-21', '2026-12-27'],
		['lastMonth', '2027-01-01T00:30:00+01:00', '2026-12-01', '2026-12-31'],
		['lastMonth', '2028-03-31T12:00:00Z', '2028-02-01', '2028-02-29'],
		['last7Days', '2026-03-30T12:00:00Z', '2026-03-23', '2026-03-29'],
	])('%s at %s', (range, now, from, to) => {
		expect(chosen({ range }, Date.parse(now))).toEqual({ from, to });
	});

	test('yesterday is that of the zone', () => {
		const now = Date.parse('2026-11-23T03:00:00Z');
		const ofZone = (zone: string) => chosen({ range: 'last7Days' }, now, zone)?.to;
		expect(['America/Los_Angeles', 'UTC', 'Pacific/Kiritimati'].map(ofZone)).toEqual([
			...['2026-11-21', '2026-11-22', '2026-11-22'],
		]);
	});

	test('added and left as it is, it changes nothing', () => {
		for (const option of [undefined, null, {}, '', { days: { range: 'allDays' } }]) {
			expect(keptPeriod(option, BERLIN, NOW)).toBeUndefined();
		}
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
	])('From as %j', (from, day) => {
		const days = { range: 'fromTo', from, to: '2026-12-31' };
		expect(chosen(days)).toEqual({ from: day, to: '2026-12-31' });
	});

	test.each([
		['03/04/2027'],
		['16.11.2026'],
		['2026-11'],
		['2026-02-30'],
		['last week'],
		[46_745],
		[[]],
	])('From as %j is refused, with what to write', (from) => {
		const days = { range: 'fromTo', from, to: '' };
		expect(() => chosen(days)).toThrow(
			expect.objectContaining({
				message: "'From' of 'Period' is not a day",
				description: expect.stringMatching(/^Its value is .*\. Write it as 2026-12-31\.$/),
			}),
		);
	});

	test('so is an unknown time zone', () => {
		expect(() => chosen({ range: 'lastWeek' }, NOW, 'Mars')).toThrow(
			'There is no time zone "Mars"',
		);
	});

	test.each([
		[{ range: 'fromTo', from: '', to: '' }, "'Period' has no dates"],
		[{ range: 'fromTo', from: '2026-11-02', to: '2026-11-01' }, "'Period' ends before it begins"],
		[{ range: 'yesterday' }, 'There is no period "yesterday"'],
		[{ range: 7 }, 'There is no period 7'],
		[{}, 'There is no period undefined'],
	])('%j is refused', (days, message) => {
		expect(() => chosen(days)).toThrow(message);
	});
});

describe('Period keeps its days, and names those that are missing', () => {
	const week = { from: '2026-11-16', to: '2026-11-22' };
	const within = (dates: unknown[], period: object = week, zone = BERLIN) => {
		const rows = dates.map((date) => ({ date }));
		const kept = withinPeriod({ rows, notes: [] }, period, zone, 'Corner Bakery');
		return {
			dates: kept.rows.map(({ date }) => date),
			hints: kept.notes.map(({ say, of = '' }) => say(of, 1)),
		};
	};
	const missing = (days: string) => [
		`Some days of the period are missing: Corner Bakery (${days}). If the service takes a period, e.g. as from and to, add them under 'Query Parameters'.`,
	];
	const daysFrom = (first: number, last: number) =>
		Array.from({ length: last - first + 1 }, (_, at) => `2026-11-${first + at}`);

	test('all there: no hint', () => {
		expect(within(daysFrom(10, 25))).toEqual({ dates: daysFrom(16, 22), hints: [] });
	});

	test('a hole within, and days at the ends', () => {
		const dates = [...daysFrom(17, 18), '2026-11-20'];
		expect(within(dates)).toEqual({
			dates,
			hints: missing('2026-11-16, 2026-11-19, 2026-11-21 to 2026-11-22'),
		});
	});

	test('nothing of it', () => {
		expect(within(daysFrom(10, 15))).toEqual({
			dates: [],
			hints: missing('2026-11-16 to 2026-11-22'),
		});
	});

	test('an open period ends with its rows', () => {
		const dates = ['2026-11-18', '2026-11-20'];
		expect(within(dates, { from: '2026-11-17' })).toEqual({
			dates,
			hints: missing('2026-11-17, 2026-11-19'),
		});
		expect(within(dates, { to: '2026-11-20' })).toEqual({ dates, hints: missing('2026-11-19') });
	});

	test('a week or a month counts if all of its days do', () => {
		expect(within(['2026-W46', '2026-W47', '2026-W48'])).toEqual({
			dates: ['2026-W47'],
			hints: [],
		});
		const november = { from: '2026-11-01', to: '2026-11-30' };
		expect(within(['2026-10', '2026-11'], november)).toEqual({ dates: ['2026-11'], hints: [] });
	});

	test.each([
		['America/New_York', { from: '2026-10-25', to: '2026-10-25' }],
		[BERLIN, { from: '2026-10-26', to: '2026-10-26' }],
	])('a time belongs to its day in the zone: %s', (zone, period) => {
		const date = '2026-10-25T23:00:00Z';
		expect(within([date], period, zone)).toEqual({ dates: [date], hints: [] });
	});

	test('a time without a zone is of the day that it says', () => {
		const day = { from: '2026-11-16', to: '2026-11-16' };
		expect(within(['2026-11-16 23:30'], day, 'Pacific/Kiritimati').hints).toEqual([]);
	});

	test('what has no dates stays', () => {
		expect(within([null])).toEqual({ dates: [null], hints: [] });
	});
});
