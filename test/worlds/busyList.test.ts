import { PLAIN, type World } from './dimensions';
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

test('a busy list whose order does not show what was added is not vouched for, or is whole', async () => {
	const { wrong } = await play(busy({ order: 'shuffled' }));
	expect(wrong).toEqual([]);
});
