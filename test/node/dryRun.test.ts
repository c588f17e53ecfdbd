import type { INodeParameters } from 'n8n-workflow';

import { posts } from '../../examples/posts';
import { byId, columns, useSandbox } from '../support/fixture';
import { locationWithPosts } from '../support/operations';
import { postSheet } from '../support/sheet';

// A dry run sends only reads, and says what the run would do.

const service = useSandbox({ locations: 60 });
const { account } = service;
const home = () => locationWithPosts(service);

function stored() {
	const { locations } = account();
	const keywords = locations.flatMap(({ id }) => account().keywordsOf(id));
	const posts = locations.flatMap(({ id }) => account().postsOf(id));
	return JSON.stringify([locations, keywords, posts]);
}

/** Runs with a key that may only read, and holds the run to what a dry run promises. */
const look: typeof service.run = async (parameters, more) => {
	const before = stored();
	const given = { dryRun: true, ...parameters };
	const { json, ...result } = await service.run(given, { scope: 'read', ...more });
	expect(service.requests().filter((request) => !request.startsWith('GET '))).toEqual([]);
	expect(stored()).toBe(before);
	// What a person reads has no gaps, and shows nothing of how it is made.
	expect(JSON.stringify(json)).not.toMatch(/\{\w+Id\}|null,"(action|id)|planned by/);
	return { ...result, json };
};
const row = (more: object = {}) => ({
	...{ location_id: home().id, title: 'Open on Sunday', content: 'From 8 to 12' },
	...more,
});
const looked = async (rows: object[], more: INodeParameters = {}) =>
	(await look({ ...postSheet, ...more }, { rows })).json;

test('what would be sent comes out, and is what is sent', async () => {
	const publish_at = '2099-05-01T09:00:00Z';
	const body = { title: 'Open on Sunday', content: 'From 8 to 12', type: 'update', publish_at };
	const rows = [{ row_number: 2, location_id: home().id, ...body }];
	const { json } = await service.run({ ...postSheet, dryRun: true }, { rows });
	const path = `/locations/${home().id}/posts`;
	const goes_live = 'Fri, May 1, 2099, 05:00 (America/New_York)';
	const said = { action: 'create', problem: '', advice: '', warning: '', goes_live, id: '' };
	const own = { location_name: home().name, ...body, location_id: home().id };
	const all = { ...said, ...own, request: `POST ${path}` };
	expect(json).toEqual([all]);
	// In the order of n8n's table.
	expect(Object.keys(json[0])).toEqual(Object.keys(all));
	await service.run(postSheet, { rows });
	const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
	expect(sent).toMatchObject([{ path, body }]);
});

test('an update says whether its location exists; a deletion plans nothing but its request', async () => {
	const { id } = home();
	const [{ id: kw }] = account().keywordsOf(id);
	const of = byId('={{ $json.of }}');
	const update = { resource: 'location', operation: 'update', fields: columns({ city: 'Ulm' }) };
	const remove = { resource: 'keyword', operation: 'delete', locationId: byId(id) };
	for (const [parameters, ids, request] of [
		[{ ...update, locationId: of }, [id, 'no', '..'], `PATCH /locations/${id}`],
		[{ ...remove, keywordId: of }, [kw, 'no', '..'], `DELETE /keywords/${kw}`],
	] as const) {
		const { json } = await look(parameters, { rows: ids.map((of) => ({ of })) });
		expect(json).toMatchObject([
			{ action: parameters.operation, id: ids[0], request, warning: '' },
			parameters.operation === 'delete'
				? { action: 'delete', id: 'no' }
				: { action: 'invalid', problem: expect.stringMatching(/^There is no location/) },
			{ action: 'invalid', id: '', problem: expect.stringMatching(/^"\.\." is not a valid/) },
		]);
	}
	// Where a location can't be read, a post has no name of it, and an update is not said to be possible.
	service.sandbox.faults.add({ when: { path: '/locations/*' }, response: { status: 403 } });
	expect(await looked([row()])).toMatchObject([{ action: 'create', location_name: '' }]);
	const { json } = await look({ ...update, locationId: byId(id) });
	expect(json[0].problem).toContain('is not allowed to get location');
});

test('a run is summed up in a hint, and a row that is wrong stands for no other one', async () => {
	const { id, title, content, publish_at } = account().postsOf(home().id)[0];
	const text = (name: string, more = {}) => row({ title: name, content: `About ${name}`, ...more });
	const at = { publish_at: '2099-01-01T00:00:00Z' };
	const wrong = text('C', { publish_at: '2020-01-01T00:00:00Z' });
	const rows = [wrong, text('A', at), text('B', at), row({ title, content, publish_at })];
	const { hints, json } = await service.run(
		{ ...postSheet, dryRun: true },
		{ rows: [...rows, text('A', at)] },
	);
	expect(json).toMatchObject([
		{ action: 'invalid' },
		{ action: 'create' },
		{ action: 'create' },
		{ action: 'skip', id, warning: `It already exists (ID ${id}).` },
		{ action: 'skip', id: '', warning: 'It is the same as item 2.' },
	]);
	// n8n's table shows `undefined` where a row lacks what another one has.
	for (const one of json) expect(Object.keys(one)).toEqual(Object.keys(json[0]));
	expect(hints).toEqual([
		expect.stringMatching(
			/: 2 would be created, 2 skipped, 1 invalid: item 1: publish_at is over: .+\.$/,
		),
		expect.stringMatching(/^2 content posts for 1 location \(.+\) go live on Dec 31, 2098/),
	]);
});

test('what is wrong with a row names its fields, and the record that it may be about', async () => {
	const [{ id, title, content }] = account().postsOf(home().id);
	const repeated = { title, content, publish_at: '2099-05-01T09:00:00Z' };
	const wrong = { location_id: ' ', title: '#REF!', publish_at: '2020-01-01T00:00:00Z' };
	const problems = (await looked([row(wrong), row(repeated)])).map(({ problem }) => problem);
	expect(problems).toEqual([
		expect.stringMatching(/^The location ID is empty.* title: .*\. publish_at is over/),
		expect.stringContaining(`is there (ID ${id}), at another time`),
	]);
});

test('what is invalid leaves through the error output, where that is on, with its files', async () => {
	const rows = [row(), row({ location_id: 'loc_nowhere' })];
	const files = rows.map(() => ({ photo: { data: btoa('A'), mimeType: 'image/png' } }));
	const settings = { onError: 'continueErrorOutput' as const };
	const { json, outputs } = await look(postSheet, { rows, files, settings });
	expect(json).toMatchObject([{ action: 'create' }]);
	const error = { message: expect.stringMatching(/^Item 2: There is no location with/) };
	expect(outputs[1]).toMatchObject([{ json: { ...rows[1], error }, binary: files[1] }]);
});

test('the example has nothing wrong', async () => {
	const { json, hints } = await look(postSheet, { rows: posts });
	expect(json.filter(({ problem, warning }) => problem || warning)).toEqual([]);
	expect(hints[0]).toBe('Dry run, nothing was changed: 40 would be created.');
});
