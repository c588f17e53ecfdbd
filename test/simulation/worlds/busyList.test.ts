import { type Outcome, PLAIN, type World } from './dimensions';
import { play } from './run';

/** A list to which others post every so many milliseconds while it is read. */
const busy = (list: Partial<World['list']>, before = 60): World => ({
	...PLAIN,
	job: 'list',
	records: { ...PLAIN.records, before },
	list: { ...PLAIN.list, ...list },
	others: 100,
});

test.each([
	['newest first', {}],
	['newest first, more in a second than on a page', { pageSize: 3 }],
	['oldest first', { order: 'oldest-first' }],
	['oldest first, a record on each page', { order: 'oldest-first', pageSize: 1 }],
] as const)('a list to which others post all the time is read whole: %s', async (_, list) => {
	for (const before of [0, 1, 14, 15, 60, 400]) {
		const { wrong, reports } = await play(busy(list, before));
		expect(wrong).toEqual([]);
		expect(reports).toEqual([expect.objectContaining({ said: 'done' })]);
	}
});

test.each([
	['to the minute', { granularity: 60_000 }],
	['in a time zone that is not theirs', { wrongZone: -7 }],
])('a busy list whose records are dated %s is not vouched for, or is whole', async (_, clock) => {
	for (const before of [16, 35, 60, 400]) {
		for (const order of ['newest-first', 'oldest-first'] as const) {
			const world = busy({ order }, before);
			world.clock = { ...world.clock, ...clock };
			// The first page is old when it comes: much has been added since.
			const reads: Outcome[] = [{ kind: 'busy' }, { kind: 'slow', after: 30_000 }];
			const { wrong } = await play({ ...world, latency: 2_000, reads });
			expect(wrong).toEqual([]);
		}
	}
});

test('a busy list whose order does not show what was added is not vouched for, or is whole', async () => {
	const { wrong } = await play(busy({ order: 'shuffled' }));
	expect(wrong).toEqual([]);
});
