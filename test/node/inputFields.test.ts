import { columns, useSandbox } from '../support/fixture';
import { postSheet } from '../support/sheet';

// Include Input Fields: the columns of a row stand beside its result.

const service = useSandbox();
const { run } = service;
const options = { includeInputFields: true };
const createPosts = {
	...postSheet,
	fields: columns({ title: '={{ $json.headline }}', content: '={{ $json.text }}' }),
	options,
};
const row = (more: object = {}) => ({
	row_number: 2,
	location_id: service.sandbox.account.locations[0].id,
	...{ headline: 'Open on Sunday', text: 'From 8 to 12' },
	...more,
});

test('a status can be written back by the number of the row', async () => {
	const rows = [row(), row({ row_number: 3, headline: 'Other' })];
	const { json, items } = await run(createPosts, { rows });
	const id = expect.stringMatching(/^post_/);
	expect(json).toMatchObject(rows.map((own) => ({ ...own, id, title: own.headline })));
	expect(Object.keys(json[0]).slice(0, 4)).toEqual(Object.keys(rows[0]));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }]);
});

test('a name that the result has, too, with another value; what became of a row before says nothing', async () => {
	const before = { skipped: true, error: 'my own' };
	const own = { status: 'to do', id: 5, input_status: 'old', title: 'Open on Sunday', ...before };
	const { json, hints } = await run(createPosts, { rows: [row(own)] });
	expect(json[0]).toMatchObject({
		...{ id: expect.stringMatching(/^post_/), input_id: 5, title: 'Open on Sunday' },
		status: expect.not.stringMatching('to do'),
		...{ input_status: 'old', input_input_status: 'to do' },
		...{ input_skipped: true, input_error: 'my own' },
	});
	for (const name of ['input_title', 'input_location_id', 'skipped', 'error']) {
		expect(json[0]).not.toHaveProperty(name);
	}
	expect(hints).toEqual(['1 content post for 1 location (Marlow Dental Care) goes live at once.']);
});
