import { useSandbox } from '../support/fixture';
import { createPosts, sheetOf } from '../support/sheet';

const service = useSandbox();
const { run, requests } = service;
const posted = () => requests().filter((request) => request.startsWith('POST')).length;

const limit = (seconds: string) => ({
	when: { method: 'POST' },
	times: 1,
	response: {
		status: 403,
		headers: { 'retry-after': seconds },
		body: { message: 'Out of call volume quota.' },
	},
});

test('a rate limit that a gateway reports with 403 and a wait is waited for', async () => {
	const rows = sheetOf(service.sandbox, 2);
	service.sandbox.faults.add(limit('1'));
	const { json } = await run(createPosts, { rows });
	expect(json.map(({ title }) => title)).toEqual(rows.map(({ title }) => title));
	expect(posted()).toBe(3);
});

test('one that is longer than Max Wait is not taken for a scope of the key', async () => {
	const rows = sheetOf(service.sandbox, 1);
	service.sandbox.faults.add(limit('86400'));
	const { error } = await run(createPosts, { rows });
	expect(error?.message).toMatch(/^Rate limit reached: could not create a content post/);
	expect(error?.description).toMatch(/Out of call volume quota/);
	expect(error?.description).not.toMatch(/scope/);
});
