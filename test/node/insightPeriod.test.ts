import type { INodeParameters } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';

const service = useSandbox({ locations: 12 });
const { run } = service;
const DAY = 86_400_000;
const yesterday = () => Math.floor(Date.now() / DAY) * DAY - DAY;
const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
const short = (day: string) =>
	new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' }).format(
		Date.parse(day),
	);

const insights = (days: INodeParameters, more: INodeParameters = {}): INodeParameters => ({
	resource: 'insight',
	operation: 'get',
	locationId: byId('={{ $json.id }}'),
	options: { period: { days }, ...more },
});
const locations = (count: number) => service.sandbox.account.locations.slice(0, count);
const datesOf = ({ json }: { json: object[] }) => [
	...new Set(json.map((row) => (row as { date: string }).date)),
];
const range = (from: number, to: number) =>
	Array.from({ length: (to - from) / DAY + 1 }, (_, at) => iso(from + at * DAY));

test('the last seven days of each location, and nothing else is changed', async () => {
	const last = yesterday();
	const result = await run(insights({ range: 'last7Days' }), {
		timezone: 'UTC',
		rows: locations(2),
	});
	expect(datesOf(result)).toEqual(range(last - 6 * DAY, last));
	expect(result.json).toHaveLength(14);
	expect(result.hints).toEqual([]);
	const all = await run(insights({ range: 'last28Days' }), { timezone: 'UTC', rows: locations(2) });
	expect(all.json).toHaveLength(56);
	expect(all.json).toEqual(expect.arrayContaining(result.json));
});

test('of days that the service has not returned, one hint for all locations', async () => {
	const last = yesterday();
	const from = iso(last - 60 * DAY);
	const to = iso(last);
	const first = short(iso(last - 29 * DAY));
	for (const more of [{}, { allLocations: true }]) {
		const result = await run(
			{ ...insights({ range: 'fromTo', from, to }), ...more },
			{ timezone: 'UTC', rows: locations(3) },
		);
		expect(datesOf(result)).toHaveLength(30);
		const [hint] = result.hints.filter((text) => text.startsWith('You asked for'));
		expect(hint).toContain(`; the service returned days from ${first} on (`);
		expect(hint).toContain("add them under 'Query Parameters'.");
		expect(hint).toContain(service.sandbox.account.locations[1].name);
	}
});

test('a period that the service has nothing of is no row, with the reason', async () => {
	const last = yesterday();
	const days = { range: 'fromTo', from: iso(last - 90 * DAY), to: iso(last - 60 * DAY) };
	const { json, hints, error } = await run(insights(days), { timezone: 'UTC', rows: locations(1) });
	expect(error).toBeUndefined();
	expect(json).toEqual([]);
	expect(hints).toEqual([
		expect.stringMatching(/^You asked for .*; the service returned days from /),
	]);
});

test('with parameters that the service has for it, all days are there', async () => {
	const last = yesterday();
	const [from, to] = [iso(last - 90 * DAY), iso(last - 60 * DAY)];
	const parameters = [
		{ name: 'from', value: from },
		{ name: 'to', value: to },
	];
	const result = await run(
		insights({ range: 'fromTo', from, to }, { queryParameters: { parameters } }),
		{ timezone: 'UTC', rows: locations(1) },
	);
	expect(datesOf(result)).toEqual(range(last - 90 * DAY, last - 60 * DAY));
	expect(result.hints).toEqual([]);
});

test('a period that can not be read is refused', async () => {
	const days = { range: 'fromTo', from: '03/04/2027', to: '' };
	const { error } = await run(insights(days), { timezone: 'UTC', rows: locations(1) });
	expect(error?.message).toBe("'From' of 'Period' is not a certain date");
});

test('other forms have no days to choose from', async () => {
	const parameters = { ...insights({ range: 'last7Days' }), output: 'summary' };
	const { json, hints } = await run(parameters, { timezone: 'UTC', rows: locations(1) });
	expect(json).toHaveLength(1);
	expect(hints).toEqual([]);
});

/** The insights of the first location: a time for each, and its number from 1 on. */
const ofTimes = (times: string[]) =>
	service.sandbox.faults.add({
		when: { path: '/locations/*/insights' },
		transform: () => ({ data: times.map((date, at) => ({ date, views: at + 1 })) }),
	});
const hoursFrom = (start: string, count: number, step = 24) =>
	Array.from({ length: count }, (_, at) =>
		new Date(Date.parse(start) + at * step * 3_600_000).toISOString(),
	);
const timesIn = async (timezone: string, times: string[], days?: INodeParameters) => {
	ofTimes(times);
	const { locationId, ...more } = insights(days ?? {});
	const { json, hints } = await run(
		{ ...more, locationId, ...(!days && { options: {} }) },
		{ timezone, rows: locations(1) },
	);
	return { days: json.map(({ date, views }) => [date, views]), hints };
};

test('midnights of the workflow, told in UTC, are its days, and the period keeps all of them', async () => {
	const days = { range: 'fromTo', from: '2026-01-01', to: '2026-01-31' };
	const january = range(Date.UTC(2026, 0, 1), Date.UTC(2026, 0, 31));
	const times = hoursFrom('2025-12-31T23:00:00.000Z', 31);
	expect(await timesIn('Europe/Berlin', times, days)).toEqual({
		days: january.map((day, at) => [day, at + 1]),
		hints: [],
	});
});

test.each<[string, string, string[], string[]]>([
	[
		'where clocks are put forward',
		'Europe/Berlin',
		['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
		['2026-03-29', '2026-03-30'],
	],
	[
		'west of Greenwich',
		'America/New_York',
		['2026-03-01T05:00:00Z', '2026-03-02T05:00:00Z'],
		['2026-03-01', '2026-03-02'],
	],
	[
		'midnight of UTC is that day everywhere',
		'Europe/Berlin',
		['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
		['2026-03-01', '2026-03-02'],
	],
	[
		'hours of a day are none',
		'Europe/Berlin',
		['2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z'],
		['2026-03-01T23:00:00Z', '2026-03-02T00:00:00Z'],
	],
	// As on the first of a month, and where another location has more of them.
	['one alone under "date"', 'Europe/Berlin', ['2026-03-01T23:00:00Z'], ['2026-03-02']],
	['another time alone', 'Europe/Berlin', ['2026-03-01T22:00:00Z'], ['2026-03-01T22:00:00Z']],
	[
		'another time of day, each day',
		'Europe/Berlin',
		['2026-03-01T08:00:00Z', '2026-03-02T08:00:00Z'],
		['2026-03-01', '2026-03-02'],
	],
	[
		'a time without a zone is local already',
		'Europe/Berlin',
		['2026-03-01 23:00:00', '2026-03-02 23:00:00'],
		['2026-03-01', '2026-03-02'],
	],
])('days of the workflow: %s', async (_, zone, times, dates) => {
	const { days } = await timesIn(zone, times);
	expect(days).toEqual(dates.map((date, at) => [date, at + 1]));
});

test('the zone that a response names goes before that of the workflow', async () => {
	service.sandbox.faults.add({
		when: { path: '/locations/*/insights' },
		transform: () => ({
			data: {
				timezone: 'Europe/Berlin',
				days: ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'].map((date, views) => ({
					date,
					views,
				})),
			},
		}),
	});
	const { json } = await run(
		{ ...insights({}), options: {} },
		{ timezone: 'America/New_York', rows: locations(1) },
	);
	expect(datesOf({ json })).toEqual(['2026-03-29', '2026-03-30']);
});
