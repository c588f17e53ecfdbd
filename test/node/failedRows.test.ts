import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, goOn, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { createPosts, postSheet } from '../support/sheet';

// One failed row never stops the others, and its message names it.

useShortWatch();
const service = useSandbox();
const { account, run } = service;

/** Of a sheet with 6 rows, as n8n's Google Sheets node reads it; those at these places fail. */
const numbered = (failing: number[], id = () => 'loc_nowhere') =>
	Array.from({ length: 6 }, (_, place) => ({
		row_number: place + 2,
		location_id: failing.includes(place + 1) ? id() : account().locations[0].id,
		title: `Title ${place}`,
		content: 'Text',
	}));
let number = 0;
const other = () => `loc_nowhere${++number}`;
const NOWHERE = 'There is no location with the ID "loc_nowhere"';
const get = {
	...{ resource: 'location', operation: 'get' },
	locationId: byId('={{ $json.location_id }}'),
};
const EMPTY = 'The location ID is empty: the row has nothing in "location_id"';

test.each([
	['continueRegularOutput', 'Each failed row has its reason in the field "error".'],
	['continueErrorOutput', 'The failed rows are on the error output, each with its reason.'],
] as const)(
	'with %s, a failed row keeps its data, files and place, and a hint names it',
	async (onError, where) => {
		const rows = numbered([1, 3]);
		rows[4].location_id = '';
		const files = rows.map(({ title }) => ({
			photo: { data: btoa(title), mimeType: 'image/png', fileName: `${title}.png` },
		}));
		const { outputs, hints } = await run(createPosts, { rows, files, settings: { onError } });
		const items = outputs.flat();
		const isApart = onError === 'continueErrorOutput';
		const places = isApart ? [1, 3, 5, 0, 2, 4] : [0, 1, 2, 3, 4, 5];
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(places.map((item) => ({ item })));
		expect(outputs.map(({ length }) => length)).toEqual(isApart ? [3, 3] : [6]);
		const failed = items.filter(({ json }) => json.error);
		const nowhere = (row: number) => ({
			message: `Row ${row}: ${NOWHERE}`,
			description: expect.stringContaining('Check the ID'),
			httpCode: '404',
		});
		const empty = {
			message: `Row 6: ${EMPTY}`,
			description: 'Fill the cell, or remove the row.',
		};
		expect(failed.map(({ json, binary }) => [json, binary])).toEqual([
			[{ ...rows[0], error: nowhere(2) }, files[0]],
			[{ ...rows[2], error: nowhere(4) }, files[2]],
			[{ ...rows[4], error: empty }, files[4]],
		]);
		expect(hints).toEqual([
			`3 of 6 rows failed; 3 were posted. Rows 2, 4: ${NOWHERE}; row 6: ${EMPTY}. ${where}`,
			`3 content posts for 1 location (${rows[1].location_id}) go live at once.`,
		]);
		const single = await run(createPosts, { rows: [rows[0]], settings: { onError } });
		expect(single.hints).toEqual(isApart ? ['The row failed and is on the error output.'] : []);
	},
);

test('no result, several and a failed row between them keep their pairing', async () => {
	const ids = account().locations.map(({ id }) => id);
	const without = ids.find((id) => account().postsOf(id).length === 0)!;
	const withPosts = ids.find((id) => account().postsOf(id).length > 1)!;
	const list = { resource: 'post', operation: 'getAll', returnAll: true };
	const rows = [withPosts, 'loc_nowhere', without, withPosts].map((id) => ({ id }));
	const { items } = await run({ ...list, locationId: byId('={{ $json.id }}') }, { rows, ...goOn });
	const several = account().postsOf(withPosts);
	const places = [...several.map(() => 0), 1, ...several.map(() => 3)];
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(places.map((item) => ({ item })));
});

describe('where the node stops, after all others were sent,', () => {
	const ALL = [1, 2, 3, 4, 5, 6];
	test.each([
		[[2], /^1 of 6 rows failed; 5 were posted\. Row 3: There is no location/],
		[[2, 3, 4, 5, 6], /^5 of 6 rows failed; 1 was posted\. Rows 3, 4, 5, 6, 7: There is no/],
		[
			ALL,
			/^All 6 rows failed for the same reason: There is no location with the ID "loc_nowhere"$/,
		],
	])('the message says how many failed: those at %p', async (failing, message) => {
		const { error, json } = await run(createPosts, { rows: numbered(failing) });
		expect([json, error?.message]).toEqual([[], expect.stringMatching(message)]);
		const isPartial = failing.length < 6;
		expect(/Do not run all rows again/.test(error!.description!)).toBe(isPartial);
		// n8n would show it as "[item 2]", a second number for the row.
		expect(error?.context?.itemIndex).toBeUndefined();
	});

	test('it begins with the first row, and shows three reasons and ten numbers at most', async () => {
		const rows = numbered(ALL, other);
		const when = { path: `/locations/${rows[0].location_id}/posts` };
		service.sandbox.faults.add({ when, delayMs: 300 }); // so that it fails last
		const [one, two, three] = rows.map(
			({ location_id }, at) => `ow ${at + 2}: There is no location with the ID "${location_id}"`,
		);
		expect((await run(createPosts, { rows })).error?.message).toBe(
			`All 6 rows failed. R${one}; r${two}; r${three}; 3 more reasons`,
		);
		const [bad, good] = numbered([1]);
		const many = await run(createPosts, { rows: [...Array<object>(12).fill(bad), good] });
		expect(many.error?.message).toMatch(
			/^12 of 13 rows failed; 1 was posted\. Rows (2, ){9}2 and 2 more: /,
		);
	});

	test.each<[INodeParameters, string, RegExp]>([
		[{ ...get, fields: columns({ city: 'Ulm' }) }, '1 was read', /./],
		[{ ...get, operation: 'update', fields: columns({ city: 'Ulm' }) }, '1 was updated', /./],
		[
			postSheet,
			'1 was posted',
			/You can safely run all rows again: those whose content post already/,
		],
		[
			{
				...{ resource: 'location', operation: 'upsert' },
				fields: columns({
					name: "={{ $json.location_id.replace('loc_nowhere', '') }}",
					address: 'A',
				}),
			},
			'1 was created',
			/You can safely run all rows again: those that succeeded come out as unchanged/,
		],
		[createPosts, '1 was posted', /Do not run all rows again: those that .+ would be posted twice/],
	])(
		'it says of the others what they are, and whether all can be run again',
		async (how, done, words) => {
			const [good, bad] = numbered([2]);
			const { error } = await run(how, { rows: [good, bad] });
			expect(error?.message).toContain(`1 of 2 rows failed; ${done}. Row 3: `);
			expect(error?.description).toMatch(words);
			const none = await run(how, { rows: [bad, bad] });
			expect(none.error?.description).not.toMatch(/again/);
		},
	);

	test('it says that a row in doubt is to be checked before', async () => {
		const { faults } = service.sandbox;
		faults.add({ when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true });
		// Looking for it is refused.
		faults.add({ when: { method: 'GET' }, times: 1 });
		faults.add({ when: { method: 'GET' }, response: { status: 403 } });
		const { error } = await run(postSheet, { rows: numbered([]).slice(0, 3) });
		expect(error?.message).toMatch(/Could not confirm whether the content post was created$/);
		expect(error?.description).toMatch(/Check row [234] first\. Then you can safely run all rows/);
	});
});

test.each([false, true])(
	'a single row is called by its number in the sheet, as one of a loop (as a tool: %p)',
	async (isRoutedByHost) => {
		const rows = [{ row_number: 17, location_id: 'loc_nowhere' }];
		const { error } = await run(get, { rows, isRoutedByHost });
		expect(error?.message).toBe(`Row 17: ${NOWHERE}`);
		const { json } = await run(get, { rows, isRoutedByHost, ...goOn });
		expect(json[0].error).toMatchObject({ message: error?.message });
		const bare = await run(get, { rows: [{ location_id: 'loc_nowhere' }], isRoutedByHost });
		expect(bare.error?.message).toBe(NOWHERE);
	},
);

test.each<[name: string, set: INodeParameters, row: (at: number) => object]>([
	[
		'Delete',
		{ resource: 'keyword', operation: 'delete', keywordId: byId('={{ $json.id }}') },
		(at) => ({ id: `kw_${at}` }),
	],
])('a key that was revoked ends a run at its first writes: %s', async (_, set, row) => {
	const said = { message: 'Key revoked' };
	for (const method of ['POST', 'PATCH', 'DELETE'])
		service.sandbox.faults.add({ when: { method }, response: { status: 401, body: said } });
	const rows = Array.from({ length: 500 }, (_, at) => row(at));
	const { json } = await run(set, { rows, ...goOn });
	const description = expect.stringContaining('Key revoked');
	const failed = { error: { httpCode: '401', description } };
	expect(json).toHaveLength(500);
	expect([json[0], json.at(-1)]).toMatchObject([failed, failed]);
	// Those that were under way when it came.
	const writes = service.requests().filter((request) => !request.startsWith('GET'));
	expect(writes.length).toBeLessThan(20);
});
