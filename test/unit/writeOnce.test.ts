import { Account } from '../../nodes/LocalSeo/client';
import { writeOnce } from '../../nodes/LocalSeo/rows/writeOnce';
import { type RowOptions, rowContext } from '../support/rowContext';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const MINUTE = 60_000;
const clock = new VirtualClock();
let account: Account;
let writes: number;
beforeEach(() => {
	account = new Account(clock, seededRandom());
	writes = 0;
});

const newPost = {
	method: 'POST' as const,
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	body: { title: 'Open on Sunday' },
	noun: 'content post',
};
const row = { parameters: {}, execution: '7' };

async function write(more: Partial<RowOptions> = {}, request: Partial<typeof newPost> = {}) {
	const context = rowContext({ ...row, ...more });
	const [record] = await writeOnce(context, account, { ...newPost, ...request }, async () => [
		{ id: `post_${++writes}`, tags: ['a'] },
	]);
	return record as { id: string; tags: string[] };
}

test('a row that n8n runs again is written once, and comes out as it did', async () => {
	expect(await write()).toEqual({ id: 'post_1', tags: ['a'] });
	expect(await write()).toEqual({ id: 'post_1', tags: ['a'] });
	expect(writes).toBe(1);
});

test.each<[string, Partial<RowOptions>, Partial<typeof newPost>]>([
	['another row', { index: 1, rows: [{}, {}] }, {}],
	['another execution', { execution: '8' }, {}],
	['another node', { nodeId: 'another' }, {}],
	['the next turn of a loop', { runIndex: 1 }, {}],
	['another content', {}, { body: { title: 'Open on Monday' } }],
	['another location', {}, { ids: { locationId: 'loc_2' } }],
	['another path', {}, { path: '/locations/{locationId}/keywords' }],
	['another query', {}, { query: { draft: true } }],
	['another method', {}, { method: 'PATCH' as never }],
])('%s is another write', async (_, more, request) => {
	await write();
	expect((await write(more, request)).id).toBe('post_2');
});

test('what a row has become is not what a later node makes of it', async () => {
	(await write()).tags.push('changed by a later node');
	(await write()).tags.push('changed by a later node');
	expect((await write()).tags).toEqual(['a']);
});

test('outside of executions, n8n does not run a row again: each is written', async () => {
	await write({ execution: undefined });
	expect((await write({ execution: undefined })).id).toBe('post_2');
});

test('a write that failed is done when the row is run again', async () => {
	const fail = async () => await Promise.reject(new Error('It rains'));
	await expect(writeOnce(rowContext(row), account, newPost, fail)).rejects.toThrow('It rains');
	expect((await write()).id).toBe('post_1');
});

test('it is remembered for an hour after it was last run', async () => {
	await write();
	for (let hour = 0; hour < 2; hour++) {
		await clock.run(clock.sleep(59 * MINUTE));
		expect((await write()).id).toBe('post_1');
	}
	await clock.run(clock.sleep(61 * MINUTE));
	expect((await write()).id).toBe('post_2');
});
