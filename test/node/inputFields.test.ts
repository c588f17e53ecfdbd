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

test('of a name that both have, the result counts; what became of a row before says nothing', async () => {
	const before = { skipped: true, error: 'my own' };
	const own = { status: 'to do', id: 5, title: 'Open on Sunday', ...before };
	const { json, hints } = await run(createPosts, { rows: [row(own)] });
	expect(json[0]).toMatchObject({
		...{ id: expect.stringMatching(/^post_/), title: 'Open on Sunday' },
		status: expect.not.stringMatching('to do'),
	});
	for (const name of ['skipped', 'error']) expect(json[0]).not.toHaveProperty(name);
	const { id } = service.sandbox.account.locations[0];
	expect(hints).toEqual([`1 content post for 1 location (${id}) goes live at once.`]);
});

test('a dry run leaves a column alone that it has no value for, and no word of an earlier one', async () => {
	const own = { id: 'my-77', request: 'by Ann', problem: 'of yesterday', headline: '#REF!' };
	const { json } = await run({ ...createPosts, dryRun: true }, { rows: [row(own)] });
	expect(json).toMatchObject([
		{ ...own, action: 'invalid', problem: expect.stringMatching(/#REF!/) },
	]);
	expect(Object.keys(json[0]).slice(0, 2)).toEqual(['action', 'problem']);
	const { problem, ...right } = own;
	const rows = [row({ ...right, problem, headline: 'Open on Sunday' })];
	const again = await run({ ...createPosts, dryRun: true }, { rows });
	expect(again.json).toMatchObject([{ id: 'my-77', action: 'create', problem: '' }]);
});
