import { PLAIN, type World } from './dimensions';
import { play } from './run';

test.each([
	['newest first', {}],
	['newest first, more in a second than on a page', { pageSize: 3 }],
	['oldest first', { order: 'oldest-first' }],
	['oldest first, a record on each page', { order: 'oldest-first', pageSize: 1 }],
	['in no order', { order: 'shuffled' }],
] as const)(
	'a list to which others post all the time is complete, or says that it is not: %s',
	async (_, list) => {
		for (const before of [0, 1, 14, 15, 60, 400]) {
			const world: World = {
				...PLAIN,
				job: 'list',
				records: { ...PLAIN.records, before },
				list: { ...PLAIN.list, ...list },
				others: 100,
			};
			const { wrong, reports } = await play(world);
			expect(wrong).toEqual([]);
			const [report] = reports;
			if (report.said !== 'done') expect(report.kind).toBe('incomplete-list');
		}
	},
);
