import type { IDataObject } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';

const service = useSandbox();
const { run } = service;

/** The rows of the first location, whose insights are these. */
async function rowsOf(data: unknown, output = 'rows') {
	service.sandbox.faults.add({
		when: { path: '/locations/*/insights' },
		transform: () => ({ data: data as IDataObject }),
	});
	const [{ id }] = service.sandbox.account.locations;
	return await run({ resource: 'insight', operation: 'get', locationId: byId(id), output });
}

const DAYS = [1, 2, 3].map((day) => ({ date: `2026-03-0${day}`, views: day }));
const dates = (json: IDataObject[]) => json.map(({ date }) => date);

test.each<[string, object]>([
	[
		'pages as Laravel has them',
		{ current_page: 1, data: DAYS, last_page: 2, next_page_url: '/insights?page=2', per_page: 3 },
	],
	['a token for the rest', { days: DAYS, nextPageToken: 'abc' }],
	['pages in an object', { days: DAYS, pagination: { current_page: 1, last_page: 2 } }],
])('insights that go on are not taken for whole: %s in data', async (_, data) => {
	const { json, error } = await rowsOf(data);
	expect(json).toEqual([]);
	expect(error?.message).toMatch(/^Incomplete list: .* says that there are more/);
});

test('the last of several pages in data is whole', async () => {
	const data = { current_page: 1, data: DAYS, last_page: 1, next_page_url: null, total: 3 };
	const { json } = await rowsOf(data);
	expect(dates(json)).toEqual(DAYS.map(({ date }) => date));
});
