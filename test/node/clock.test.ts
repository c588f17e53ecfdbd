import { DateTime } from 'luxon';

import { systemClock } from '../../nodes/LocalSeo/client';
import { byId } from '../support/fixture';
import { useBackend } from './backend';
import { post, rowsOf } from './sheets/outcomes';

// A computer that slept: its clock on the wall is days ahead of the one that measures how long things take.

const backend = useBackend();
const DAY = 86_400_000;
afterEach(() => jest.restoreAllMocks());
const sleptFor = (days: number) =>
	jest.spyOn(systemClock, 'wall').mockImplementation(() => Date.now() + days * DAY);

test('a post whose time was over while it slept is refused, and does not go live at once', async () => {
	const service = backend();
	const publish_at = new Date(Date.now() + 1.5 * DAY).toISOString();
	sleptFor(3);
	const { words, sent } = await post(service, rowsOf({ publish_at }));
	expect([words, sent]).toEqual([[expect.stringContaining('publish_at is over')], []]);
});

test('the last seven days end yesterday', async () => {
	sleptFor(3);
	const today = DateTime.fromMillis(systemClock.wall(), { zone: 'utc' }).startOf('day');
	const dates = Array.from({ length: 14 }, (_, ago) => today.minus({ days: ago }).toISODate());
	const body = { data: { days: dates.map((date) => ({ date, views: 1 })) } };
	const service = backend({
		instead: ({ path }) => (path.endsWith('insights') ? { body } : undefined),
	});
	const { json } = await service.run(
		{
			...{ resource: 'insight', operation: 'get', output: 'rows' },
			locationId: byId(service.location()),
			options: { period: { days: { range: 'last7Days' } } },
		},
		{ timezone: 'UTC' },
	);
	expect(json.map(({ date }) => date).sort()).toEqual(dates.slice(1, 8).sort());
});
