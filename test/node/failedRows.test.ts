import { byId, columns, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { createPosts, postSheet } from '../support/sheet';

useShortWatch();
const service = useSandbox();
const { run } = service;

/** Of a sheet with 6 rows, as n8n's Google Sheets node reads it; those at these places fail. */
const numbered = (failing: number[], id = () => 'loc_nowhere') => {
	const location_id = service.sandbox.account.locations[0].id;
	return Array.from({ length: 6 }, (_, place) => ({
		row_number: place + 2,
		location_id: failing.includes(place + 1) ? id() : location_id,
		title: `Title ${place}`,
		content: 'Text',
	}));
};
let number = 0;
const other = () => `loc_nowhere${++number}`;

test.each([
	[[2], /^1 of 6 rows failed; 5 were posted\. Row 3: There is no location/],
	[[2, 3, 4, 5, 6], /^5 of 6 rows failed; 1 was posted\. Rows 3, 4, 5, 6, 7: There is no/],
	[
		[1, 2, 3, 4, 5, 6],
		/^All 6 rows failed for the same reason: There is no location with the ID "loc_nowhere"$/,
	],
])('where the rows at %p fail alike', async (failing, message) => {
	const { error } = await run(createPosts, { rows: numbered(failing) });
	expect(error?.message).toMatch(message);
	const isPartial = failing.length < 6;
	expect(/Continue \(using error output\)/.test(error!.description!)).toBe(isPartial);
});

test('where all fail for reasons of their own, the first is that of the first row', async () => {
	const rows = numbered([1, 2, 3, 4, 5, 6], other);
	const [{ location_id }] = rows;
	// It fails last.
	service.sandbox.faults.add({ when: { path: `/locations/${location_id}/posts` }, delayMs: 300 });
	const { error } = await run(createPosts, { rows });
	const reasonOf = (at: number) =>
		`ow ${at + 2}: There is no location with the ID "${rows[at].location_id}"`;
	expect(error?.message).toBe(
		`All 6 rows failed. R${reasonOf(0)}; r${reasonOf(1)}; r${reasonOf(2)}; 3 more reasons`,
	);
});

test('where they fail for different reasons, each is shown, with what to do', async () => {
	const rows = numbered([3, 5], other);
	const { error } = await run(createPosts, { rows });
	expect(error?.message).toMatch(
		/^2 of 6 rows failed; 4 were posted\. Row 4: There is no location .*; row 6: There is no/,
	);
	expect(error?.description).toMatch(/^Row 4: Check the ID.* Row 6: Check the ID/);
	// What was posted can be found.
	const posted = service.sandbox.account.postsOf(rows[0].location_id).slice(0, 4);
	const [, listed] = /Posted: ([^.]+)\./.exec(error!.description!)!;
	expect(listed.split(', ').sort()).toEqual(posted.map(({ id }) => id).sort());
	expect(error?.description).toMatch(/set 'On Error' to Continue \(using error output\) in/);
	// n8n would show it as "[item 2]", a second number for the row.
	expect(error?.context?.itemIndex).toBeUndefined();
});

test('a message lists ten numbers at most', async () => {
	const [row, good] = numbered([1]);
	const rows = [...Array<object>(12).fill(row), good];
	const { error } = await run(createPosts, { rows });
	expect(error?.message).toMatch(
		/^12 of 13 rows failed; 1 was posted\. Rows (2, ){9}2 and 2 more: /,
	);
});

test('a row that was skipped was not posted', async () => {
	const [row, bad] = numbered([2]);
	const { error } = await run(postSheet, { rows: [row, row, bad, bad] });
	expect(error?.message).toMatch(
		/^2 of 4 rows failed; 1 was posted, 1 was skipped because it already exists\. Rows 3, 3: /,
	);
});

test.each([
	[{ resource: 'location', operation: 'get' }, '1 was read'],
	[
		{ resource: 'location', operation: 'update', fields: columns({ city: 'Ulm' }) },
		'1 was updated',
	],
	[
		{ resource: 'keyword', operation: 'create', fields: columns({ keyword: 'a' }) },
		'1 was created',
	],
])('of %j and the like, the message says of the others: %s', async (parameters, words) => {
	const rows = numbered([2]).slice(0, 2);
	const locationId = byId('={{ $json.location_id }}');
	const { error } = await run({ ...parameters, locationId }, { rows });
	expect(error?.message).toContain(`1 of 2 rows failed; ${words}. Row 3: `);
});

test.each([
	['continueRegularOutput', 'Each failed row has its reason in the field "error".'],
	['continueErrorOutput', 'The failed rows are on the error output, each with its reason.'],
] as const)('with %s, in a hint', async (onError, where) => {
	const settings = { onError };
	const { hints, outputs } = await run(createPosts, { rows: numbered([1, 3]), settings });
	expect(hints).toEqual([
		`2 of 6 rows failed; 4 were posted. Rows 2, 4: There is no location with the ID "loc_nowhere". ${where}`,
		'4 content posts go live at once.',
	]);
	const failed = outputs.flat().filter(({ json }) => json.error);
	expect(failed.map(({ json }) => (json.error as { message: string }).message)).toEqual([
		'Row 2: There is no location with the ID "loc_nowhere"',
		'Row 4: There is no location with the ID "loc_nowhere"',
	]);
	const good = await run(createPosts, { rows: numbered([]), settings });
	expect(good.hints).toEqual(['6 content posts go live at once.']);
});

test.each([
	['7', 'Row 7'],
	['', 'Item 2'],
	[0, 'Item 2'],
	[1.5, 'Item 2'],
	[true, 'Item 2'],
	['<b>', 'Item 2'],
])('row_number %p: it is called %p', async (row_number, called) => {
	const [good, bad] = numbered([2]);
	const { error } = await run(createPosts, { rows: [good, { ...bad, row_number }] });
	expect(error?.message).toContain(`failed; 1 was posted. ${called}: `);
});

test('a row in doubt is to be checked before all are run again', async () => {
	const { faults } = service.sandbox;
	faults.add({ when: { method: 'POST' }, times: 1, actFirst: true, dropConnection: true });
	// Looking for it is refused.
	faults.add({ when: { method: 'GET' }, times: 1 });
	faults.add({ when: { method: 'GET' }, response: { status: 403 } });
	const rows = numbered([]).slice(0, 3);
	const { error } = await run(postSheet, { rows });
	expect(error?.message).toMatch(/Could not confirm whether the content post was created$/);
	expect(error?.description).toMatch(/Check row [234] first\. Then you can safely run all rows/);
});
