import { useSandbox } from '../support/fixture';
import { postSheet, sheetOf } from '../support/sheet';

const service = useSandbox();
const { run, requests } = service;
const posted = () => requests().filter((request) => request.startsWith('POST')).length;

test('two rows that differ in the Unicode form of their letters alone are one post', async () => {
	const [{ location_id }] = sheetOf(service.sandbox, 1);
	// As macOS and other systems write the same letters.
	const rows = ['NFC', 'NFD'].map((form) => ({
		location_id,
		title: 'Café à gogo'.normalize(form),
		content: 'Crêpes für alle'.normalize(form),
	}));
	const { json } = await run(postSheet, { rows });
	expect(json.map(({ skipped = false }) => skipped)).toEqual([false, true]);
	expect(posted()).toBe(1);
});

test('a list with a few letters of each text and an ellipsis: a sheet that is run again is not posted again', async () => {
	const rows = sheetOf(service.sandbox, 3);
	service.sandbox.faults.add({
		when: { path: '/locations/*/posts' },
		transform: (envelope) => ({
			...envelope,
			data: [envelope.data].flat().map((post) => ({
				...post,
				content: `${String(post.content).slice(0, 9)}…`,
			})),
		}),
	});
	await run(postSheet, { rows, settings: { onError: 'continueRegularOutput' } });
	expect(posted()).toBe(3);
	const { json } = await run(postSheet, {
		rows,
		settings: { onError: 'continueRegularOutput' },
	});
	for (const { error } of json) {
		expect(error).toMatchObject({ message: expect.stringMatching(/A similar content post/) });
	}
	expect(posted()).toBe(3);
});
