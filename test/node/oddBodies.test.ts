import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { editorOf } from '../support/engine';
import { byId, byName, columns, incomingRow } from '../support/fixture';
import { oddBodies } from '../support/oddJson';
import { fc } from '../support/random';
import { type Answer, useBackend } from './backend';

// Whatever a service answers, the node and its pickers end in items, or in an error with words of ours.

const backend = useBackend();
const text = { title: 'Summer offer, all of July', content: 'Two for one.' };
const post = { id: 'post_1', location_id: 'loc_1', ...text, created_at: '2026-01-01T00:00:00Z' };
const location = { id: 'loc_1', name: 'Bakery East', city: 'Boston', status: 'active' };
const listOf = (record: object) => ({
	data: [record, { ...record, id: 'other' }],
	meta: { current_page: 1, per_page: 15, total: 2 },
});
const bodies = [
	...[post, location, { id: 'kw_1', keyword: 'plumber' }].map(listOf),
	...[{ data: post }, { data: location }],
	{ message: 'Invalid', errors: [{ field: 'title', message: 'Too long' }] },
];
const answers = fc.record({
	status: fc.constantFrom(200, 200, 200, 200, 201, 400, 403, 404, 409, 422),
	body: fc.oneof(...bodies.map(oddBodies)),
});

const MISTAKE =
	/cannot convert|cannot read|is not a function|is not iterable|call stack|invalid (array|string|time|code)/i;

const create = { resource: 'post', operation: 'create', locationId: byId('loc_1') };
const ofLocation = { resource: 'location', locationId: byId('loc_1') };
const many = { operation: 'getAll', returnAll: true };
const fields = columns(text);

test.each<INodeParameters>([
	{ resource: 'location', ...many },
	{ resource: 'post', allLocations: true, ...many },
	{ resource: 'rankScan', ...many, keywordId: byId('kw_1') },
	{ ...ofLocation, operation: 'get' },
	{ ...create, fields },
	{ ...create, locationId: byName('Bakery East'), fields: incomingRow },
	{ ...create, fields, dryRun: true },
	{ ...create, fields, ifExists: 'create' },
	{ ...ofLocation, operation: 'upsert', fields: columns({ name: 'Bakery East', address: '1' }) },
	{ ...ofLocation, operation: 'update', fields: columns({ city: 'York' }) },
	{ resource: 'keyword', operation: 'delete', keywordId: byId('kw_1') },
])('rows and lists: $resource $operation', async (parameters) => {
	const check = async (answer: Answer) => {
		const service = backend({ instead: () => answer });
		const rows = [text, { title: 'Another one' }];
		const { error, json } = await service.run({ ...parameters, options: { maxWait: 0 } }, { rows });
		if (error) expect(`${error.message} ${error.description}`).not.toMatch(MISTAKE);
		else expect(Array.isArray(json)).toBe(true);
	};
	await fc.assert(fc.asyncProperty(answers, check), { numRuns: 12 });
});

/** All texts that a picker or a mapper keeps as values of parameters. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: Object.values((value ?? {}) as object).flatMap((one) => textsIn(one));

const { listSearch, resourceMapping } = new LocalSeo().methods;
const { loadOptions } = new LocalSeoTrigger().methods;
type Editor = ReturnType<typeof editorOf>;

test.each<[string, (editor: Editor) => Promise<object>]>([
	['a search', async (editor) => await listSearch.searchLocations.call(editor, 'a')],
	['locations', async (editor) => await listSearch.searchLocations.call(editor)],
	['keywords', async (editor) => await listSearch.searchKeywords.call(editor)],
	['locations of the trigger', async (editor) => await loadOptions.getLocations.call(editor)],
	['columns', async (editor) => await resourceMapping.getFields.call(editor)],
])('pickers: %s', async (_, pick) => {
	const check = async ([locationId, answer]: [INodeParameters, Answer]) => {
		const { credential } = backend({ instead: () => answer });
		const editor = editorOf({ credential, parameters: { ...create, locationId } });
		const result = await pick(editor).catch((error: Error) => error);
		if (result instanceof Error) expect(result.message).not.toMatch(MISTAKE);
		else expect(textsIn(result).filter((one) => one.startsWith('='))).toEqual([]);
	};
	const drawn = fc.tuple(fc.constantFrom(byId('loc_1'), byName('Bakery East')), answers);
	await fc.assert(fc.asyncProperty(drawn, check), { numRuns: 16 });
});

test('odd records hold up no row: it is compared with them, and posted', async () => {
	// At such a value, `String` and templates fail.
	const odd = { toString: 1 };
	const fields = ['id', 'location_id', 'title', 'content', 'created_at', 'publish_at'];
	const another = { title: 'Another', content: 'One' };
	const records = fields.map((field) => ({ id: `odd ${field}`, ...another, [field]: odd }));
	const service = backend({
		page: ({ data, number }) => ({ body: { data: number === 1 ? [...records, ...data] : [] } }),
	});
	const how = { ...create, locationId: byId(service.location()), fields: incomingRow };
	const { json } = await service.run(how, { rows: [text] });
	expect(json[0].outcome).toBe('created');
});
