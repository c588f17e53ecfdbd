import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { editorOf, runNode } from '../support/engine';
import { byId, byName, columns, incomingRow } from '../support/fixture';
import { oddBodies } from '../support/oddJson';
import { always, RUNS, withSandbox } from '../support/property';

// Whatever a service answers, the node and its pickers end in items, or in an error with words of ours.

const post = {
	id: 'post_1',
	location_id: 'loc_1',
	title: 'Summer offer, all of July',
	content: 'Two for one.',
	created_at: '2026-01-01T00:00:00Z',
};
const location = {
	id: 'loc_1',
	name: 'Bakery East',
	city: 'Boston',
	status: 'active',
	rank_score: 61,
};
const keyword = { id: 'kw_1', keyword: 'plumber' };
const listOf = (record: object) => ({
	data: [record, { ...record, id: 'other' }],
	meta: { current_page: 1, per_page: 15, total: 2 },
});
const bodies = fc.oneof(
	...[listOf(post), listOf(location), listOf(keyword), { data: post }, { data: location }].map(
		oddBodies,
	),
	oddBodies({ message: 'Invalid', errors: [{ field: 'title', message: 'Too long' }] }),
);
const answers = fc.record({
	status: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(200) },
		fc.constantFrom(201, 400, 403, 404, 409, 422),
	),
	body: bodies,
});

const options = { maxWait: 0 };
const fields = columns({ title: post.title, content: post.content });
const OPERATIONS: INodeParameters[] = [
	{ resource: 'location', operation: 'getAll', returnAll: true },
	{ resource: 'post', operation: 'getAll', allLocations: true, returnAll: true, options },
	{ resource: 'rankScan', operation: 'getAll', keywordId: byId('kw_1'), limit: 5, options },
	{ resource: 'location', operation: 'get', locationId: byId('loc_1'), options },
	{ resource: 'post', operation: 'create', locationId: byId('loc_1'), fields, options },
	{
		resource: 'post',
		operation: 'create',
		locationId: byName('Bakery East'),
		fields: incomingRow,
		options,
	},
	{
		resource: 'post',
		operation: 'create',
		locationId: byId('loc_1'),
		fields,
		dryRun: true,
	},
	{
		resource: 'post',
		operation: 'create',
		locationId: byId('loc_1'),
		fields,
		ifExists: 'create',
		options,
	},
	{
		resource: 'location',
		operation: 'upsert',
		fields: columns({ name: 'Bakery East', city: 'York', address: '1 Mill Street' }),
		options,
	},
	{
		resource: 'location',
		operation: 'update',
		locationId: byId('loc_1'),
		fields: columns({ city: 'York' }),
		options,
	},
	{ resource: 'keyword', operation: 'delete', keywordId: byId('kw_1'), options },
];

/** What only a mistake of our own says. */
const MISTAKE =
	/cannot convert|cannot read|is not a function|is not iterable|call stack|invalid (array|string|time|code)/i;

test('rows and lists', async () => {
	const drawn = fc.tuple(fc.constantFrom(...OPERATIONS), answers);
	await always(drawn, 3 * RUNS, async ([parameters, response]) => {
		await withSandbox({ locations: 2 }, async ({ baseUrl, keys, faults }) => {
			faults.add({ response });
			const credential = { baseUrl, apiKey: keys.write };
			const rows = [{ title: post.title, content: 'Two for one.' }, { title: 'Another one' }];
			const { error, json } = await runNode({ credential, parameters, rows });
			if (error) expect(`${error.message} ${error.description}`).not.toMatch(MISTAKE);
			else expect(Array.isArray(json)).toBe(true);
		});
	});
});

const { listSearch, resourceMapping } = new LocalSeo().methods;
const { loadOptions } = new LocalSeoTrigger().methods;
const PICKERS: Array<(editor: ReturnType<typeof editorOf>) => Promise<object>> = [
	async (editor) => await listSearch.searchLocations.call(editor, 'a'),
	async (editor) => await listSearch.searchLocations.call(editor),
	async (editor) => await listSearch.searchKeywords.call(editor),
	async (editor) => await loadOptions.getLocations.call(editor),
	async (editor) => await resourceMapping.getFields.call(editor),
];

/** All texts that a picker or a mapper keeps as values of parameters. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: typeof value === 'object' && value !== null
			? Object.values(value).flatMap(textsIn)
			: [];

test('pickers and columns', async () => {
	const names = fc.constantFrom(byId('loc_1'), byName('Bakery East'));
	const drawn = fc.tuple(fc.constantFrom(...PICKERS), names, answers);
	await always(drawn, 3 * RUNS, async ([pick, locationId, response]) => {
		await withSandbox({ locations: 2 }, async ({ baseUrl, keys, faults }) => {
			faults.add({ response });
			const credential = { baseUrl, apiKey: keys.write };
			const parameters = { resource: 'post', operation: 'create', locationId };
			const result = await pick(editorOf({ credential, parameters })).catch(
				(error: Error) => error,
			);
			if (result instanceof Error) expect(result.message).not.toMatch(MISTAKE);
			else expect(textsIn(result).filter((text) => text.startsWith('='))).toEqual([]);
		});
	});
});
