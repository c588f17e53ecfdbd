import type { INodeParameters } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { editorOf, runNode } from '../support/engine';
import { byId, byName, columns, incomingRow, useSandbox } from '../support/fixture';
import { oddBodies } from '../support/oddJson';
import { always, withSandbox } from '../support/property';
import { fc, RUNS } from '../support/random';

// Whatever a service answers, the node and its pickers end in items, or in an error with words of ours.

const times = { created_at: '2026-01-01T00:00:00Z' };
const text = { title: 'Summer offer, all of July', content: 'Two for one.' };
const post = { id: 'post_1', location_id: 'loc_1', ...text, ...times };
const city = { city: 'Boston', status: 'active', rank_score: 61 };
const location = { id: 'loc_1', name: 'Bakery East', ...city };
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
	status: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(200) },
		fc.constantFrom(201, 400, 403, 404, 409, 422),
	),
	body: fc.oneof(...bodies.map(oddBodies)),
});

/** What only a mistake of our own says. */
const MISTAKE =
	/cannot convert|cannot read|is not a function|is not iterable|call stack|invalid (array|string|time|code)/i;

test('rows and lists', async () => {
	const all = { operation: 'getAll', returnAll: true };
	const create = { resource: 'post', operation: 'create', locationId: byId('loc_1') };
	const ofLocation = { resource: 'location', locationId: byId('loc_1') };
	const fields = columns(text);
	const address = '1 Mill Street';
	const operations: INodeParameters[] = [
		{ resource: 'location', ...all },
		{ resource: 'post', allLocations: true, ...all },
		{ resource: 'rankScan', ...all, keywordId: byId('kw_1') },
		{ ...ofLocation, operation: 'get' },
		{ ...create, fields },
		{ ...create, locationId: byName('Bakery East'), fields: incomingRow },
		{ ...create, fields, dryRun: true },
		{ ...create, fields, ifExists: 'create' },
		{ ...ofLocation, operation: 'upsert', fields: columns({ name: 'Bakery East', address }) },
		{ ...ofLocation, operation: 'update', fields: columns({ city: 'York' }) },
		{ resource: 'keyword', operation: 'delete', keywordId: byId('kw_1') },
	];
	const drawn = fc.tuple(fc.constantFrom(...operations), answers);
	await always(drawn, 3 * RUNS, async ([own, response]) => {
		await withSandbox({ locations: 2 }, async ({ baseUrl, keys, faults }) => {
			faults.add({ response });
			const credential = { baseUrl, apiKey: keys.write };
			const parameters = { ...own, options: { maxWait: 0 } };
			const rows = [text, { title: 'Another one' }];
			const { error, json } = await runNode({ credential, parameters, rows });
			if (error) expect(`${error.message} ${error.description}`).not.toMatch(MISTAKE);
			else expect(Array.isArray(json)).toBe(true);
		});
	});
});

/** All texts that a picker or a mapper keeps as values of parameters. */
const textsIn = (value: unknown): string[] =>
	typeof value === 'string'
		? [value]
		: Object.values((value ?? {}) as object).flatMap((one) => textsIn(one));

test('pickers and columns', async () => {
	const { listSearch, resourceMapping } = new LocalSeo().methods;
	const { loadOptions } = new LocalSeoTrigger().methods;
	const pickers: Array<(editor: ReturnType<typeof editorOf>) => Promise<object>> = [
		async (editor) => await listSearch.searchLocations.call(editor, 'a'),
		async (editor) => await listSearch.searchLocations.call(editor),
		async (editor) => await listSearch.searchKeywords.call(editor),
		async (editor) => await loadOptions.getLocations.call(editor),
		async (editor) => await resourceMapping.getFields.call(editor),
	];
	const names = fc.constantFrom(byId('loc_1'), byName('Bakery East'));
	const drawn = fc.tuple(fc.constantFrom(...pickers), names, answers);
	await always(drawn, 3 * RUNS, async ([pick, locationId, response]) => {
		await withSandbox({ locations: 2 }, async ({ baseUrl, keys, faults }) => {
			faults.add({ response });
			const credential = { baseUrl, apiKey: keys.write };
			const parameters = { resource: 'post', operation: 'create', locationId };
			const result = await pick(editorOf({ credential, parameters })).catch(
				(error: Error) => error,
			);
			if (result instanceof Error) expect(result.message).not.toMatch(MISTAKE);
			else expect(textsIn(result).filter((one) => one.startsWith('='))).toEqual([]);
		});
	});
});

describe('one odd record holds up no row', () => {
	const service = useSandbox({ locations: 3 });
	/** As a service may send it: at such a value, `String` and templates fail. */
	const odd = () => JSON.parse('{"toString":1}') as unknown;
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };

	/** Adds records to each list that is read. */
	const withRecords = (...records: object[]) =>
		service.sandbox.faults.add({
			when: { method: 'GET' },
			transform: ({ data, meta }) => ({
				data: [...records, ...data],
				meta: { ...meta, total: meta.total + records.length },
			}),
		});

	test.each(['id', 'location_id', 'title', 'content', 'created_at', 'publish_at'])(
		'a post whose %s is odd: rows are compared with it, and posted',
		async (field) => {
			withRecords({ id: 'odd', title: 'Another', content: 'One', [field]: odd() });
			const [{ id }] = service.sandbox.account.locations;
			const create = { resource: 'post', operation: 'create', locationId: byId(id) };
			const rows = [text, { title: 'New ovens', content: 'They are hot.' }];
			const { error, json } = await service.run({ ...create, fields: incomingRow }, { rows });
			expect(error).toBeUndefined();
			expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
		},
	);

	test.each(['name', 'address', 'city', 'id'])(
		'a location whose %s is odd: rows are updated',
		async (field) => {
			const rows = service.sandbox.account.locations
				.slice(1)
				.map(({ name, address }) => ({ name, address, city: 'York' }));
			withRecords({ id: 'odd', name: 'Another', address: 'Elsewhere', [field]: odd() });
			const { json } = await service.run(upsert, { rows });
			expect(json.map(({ outcome }) => outcome)).toEqual(['updated', 'updated']);
		},
	);
});
