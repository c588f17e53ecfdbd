import { dailyRows } from '../../nodes/LocalSeo/insights/rows';

const LOCATION = { id: 'loc_1', name: 'Bakery East' };
const datesOf = (data: unknown) =>
	dailyRows({ location: LOCATION, data }).rows.map(({ date }) => date);
/** A list in which each entry has a date of its own, and a number. */
const days = (dates: unknown[], name = 'date') =>
	dates.map((date, views) => ({ [name]: date, views }));

// How services write the days that a row is about. How people do: client/dates.test.ts.
test.each<[string, unknown, string[]]>([
	[
		'days beside whole hours',
		[0, 9, 23].map((hour, views) => ({ date: '2026-11-21', hour, views })),
		['2026-11-21T00:00:00', '2026-11-21T09:00:00', '2026-11-21T23:00:00'],
	],
	[
		'days beside hours that are none: several rows of a day',
		[9, 24].map((hour, views) => ({ date: '2026-11-21', hour, views })),
		['2026-11-21', '2026-11-21'],
	],
	[
		'hours of digits',
		days(['2026112109', '2026112110']),
		['2026-11-21T09:00:00', '2026-11-21T10:00:00'],
	],
	['months of digits', days(['202610', '202611'], 'month'), ['2026-10', '2026-11']],
	['days of digits', days(['20261120', '20261121']), ['2026-11-20', '2026-11-21']],
	['weeks of digits', days(['202646', '202647'], 'week'), ['2026-W46', '2026-W47']],
	['digits that are no time', days(['2026112124', '12345678901'], 'code'), []],
	[
		'seconds, at midnight in the zone that the response names',
		{ timezone: 'America/New_York', days: days([1_795_237_200, 1_795_323_600]) },
		['2026-11-21', '2026-11-22'],
	],
	[
		'seconds, where the zone is empty or none: midnight of New York is a time of day',
		{ timezone: '', tz: 'Mars/Base', days: days([1_795_237_200, 1_795_323_600, 1_795_330_800]) },
		['2026-11-21T05:00:00Z', '2026-11-22T05:00:00Z', '2026-11-22T07:00:00Z'],
	],
	[
		'.NET',
		days(['/Date(1795219200000+0530)/', '/Date(1795305600000+0530)/']),
		['2026-11-21', '2026-11-22'],
	],
	[
		'charts of JavaScript',
		days(['Date(2026, 10, 21)', 'new Date(2026,10,22)']),
		['2026-11-21', '2026-11-22'],
	],
	['months by name', days(['Oct 2026', '2026 November']), ['2026-10', '2026-11']],
	['quarters', days(['2026-Q3', 'Q4 2026']), ['2026-Q3', '2026-Q4']],
	[
		'parts',
		[20, 21].map((day) => ({ date: { year: 2026, month: 'November', day }, views: day })),
		['2026-11-20', '2026-11-21'],
	],
	[
		'parts with capitals',
		[46, 47].map((Week) => ({ date: { Year: '2026', Week }, views: Week })),
		['2026-W46', '2026-W47'],
	],
	['parts that are no date', [{ date: { year: 2026, month: 2, day: 30 }, views: 1 }], []],
	[
		'from one day to another',
		days(['2026-11-09 – 2026-11-15', '2026-11-16 – 2026-11-22'], 'week'),
		['2026-11-09', '2026-11-16'],
	],
	[
		'from one day to another, with one year for both',
		days(['9 Nov – 15 Nov 2026', '16 Nov – 22 Nov 2026'], 'week'),
		['2026-11-09', '2026-11-16'],
	],
	[
		'labels without a year, beside a year',
		{ year: 2026, days: days(['Nov 20', 'Nov 21']) },
		['2026-11-20', '2026-11-21'],
	],
	[
		'labels without a year, beside a month',
		{ period: '2026-11', days: days(['Nov 20', 'Nov 21']) },
		['2026-11-20', '2026-11-21'],
	],
	[
		'labels without a year, beside days of two years',
		{ from: '2026-12-30', to: '2027-01-02', days: days(['Dec 31', 'Jan 1']) },
		['2026-12-31', '2027-01-01'],
	],
	['labels without a year, beside none', { days: days(['Nov 20', 'Nov 21']) }, []],
	[
		'labels without a year, far from the days beside',
		{ from: '2026-04-30', to: '2026-05-02', days: days(['Nov 20', 'Nov 21']) },
		[],
	],
	[
		'day before month, as the days beside show',
		{
			from: '2026-04-03',
			to: '2026-04-05',
			days: days(['03/04/2026', '04/04/2026', '05/04/2026']),
		},
		['2026-04-03', '2026-04-04', '2026-04-05'],
	],
	[
		'month before day, as only so the days follow one another',
		days(['04/03/2026', '04/04/2026', '04/05/2026']),
		['2026-04-03', '2026-04-04', '2026-04-05'],
	],
	['day or month first: too few to tell', days(['03/04/2026', '04/04/2026']), []],
])('%s', (_, response, dates) => {
	expect(datesOf(response).filter((date) => date !== null)).toEqual(dates);
});
