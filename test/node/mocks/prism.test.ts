import { readFileSync } from 'node:fs';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialTestFunctions, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { parse } from 'yaml';

import { LocalSeo } from '../../../nodes/LocalSeo/LocalSeo.node';
import { CONTRACT_FILE } from '../../../dev/sandbox/contract';
import { editorOf, Poller, runNode, type RunOptions } from '../../support/engine';
import { byId } from '../../support/fixture';
import { EVENTS } from '../../support/trigger';
import { casesFor } from './operations';
import { type Server, startPrism } from '../../support/mockServers';

// The node against Prism, a mock server, with our description of the interface: as the README says.

const { components } = parse(readFileSync(CONTRACT_FILE, 'utf8')) as {
	components: { examples: Record<string, { value: { data: unknown } }> };
};
const LOCATION = 'loc_8f3k2m';
const KEYWORD = 'kw_b41x7c';
const { searchLocations, searchKeywords } = new LocalSeo().methods.listSearch;
const { getFields } = new LocalSeo().methods.resourceMapping;
const { testCredential } = new LocalSeo().methods.credentialTest;

const ROWS = ['Rye week', 'Open on Sunday, too', 'Closed on Monday'].map((title) => ({
	location_id: LOCATION,
	title,
	content: `${title}: come and see.`,
}));

const MODES: Array<[name: string, flags: string[]]> = [
	['the examples', []],
	// The same at each run, so that a failure can be seen again.
	['generated data', ['--dynamic', '--seed', '1']],
];

describe.each(MODES)('Prism with %s', (_, flags) => {
	const isDynamic = flags.length > 0;
	let prism: Server;
	let credential: RunOptions['credential'];
	beforeAll(async () => {
		prism = await startPrism(...flags);
		credential = { baseUrl: `${prism.origin}/api/v1`, apiKey: 'any' };
	});
	afterAll(async () => await prism.close());

	test.each(casesFor(LOCATION, KEYWORD))('$name', async ({ parameters, example }) => {
		const { json, error } = await runNode({ credential, parameters });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		if (isDynamic || parameters.resource === 'insight') return;
		const records = example && [components.examples[example].value.data].flat();
		const items = records || [{ id: KEYWORD, deleted: true }];
		// After an update, what was sent counts.
		const sent = parameters.operation === 'update' && { city: 'Salem' };
		expect(json).toMatchObject(items.map((item) => ({ ...(item as object), ...sent })));
	});

	test('three posts: three items, and a hint that they have one ID', async () => {
		for (const ifExists of ['skip', 'create']) {
			const { json, hints, error } = await runNode({
				credential,
				rows: ROWS,
				parameters: {
					resource: 'post',
					operation: 'create',
					locationId: byId('={{ $json.location_id }}'),
					fields: { mappingMode: 'autoMapInputData', value: null },
					ifExists,
				},
			});
			expect([error, json.length]).toEqual([undefined, 3]);
			expect(hints).toContainEqual(expect.stringMatching(/^3 items came back with the same ID/));
		}
	});

	test('the credential', async () => {
		const context = new CredentialTestContext({} as IWorkflowExecuteAdditionalData);
		const verdict = await testCredential.call(context as unknown as ICredentialTestFunctions, {
			id: '1',
			name: 'Local SEO',
			type: 'localSeoApi',
			data: credential,
		});
		expect(verdict).toEqual({ status: 'OK', message: 'Connection successful!' });
	});

	test('the lists to pick from, and the columns', async () => {
		const editor = (parameters: RunOptions['parameters']) => editorOf({ credential, parameters });
		const locations = await searchLocations.call(editor({ resource: 'location' }));
		const found = await searchLocations.call(editor({ resource: 'location' }), '');
		const keywords = await searchKeywords.call(
			editor({ resource: 'rankScan', locationId: byId(LOCATION) }),
		);
		for (const { results } of [locations, found, keywords]) {
			expect(results.length).toBeGreaterThan(0);
		}
		const post = { resource: 'post', operation: 'create', locationId: byId(LOCATION) };
		const { fields } = await getFields.call(editor(post));
		expect(fields.map(({ id }) => id)).toEqual(expect.arrayContaining(['title', 'content']));
	});

	test("the trigger's sample, and its polls", async () => {
		const picked = new Poller({
			credential,
			parameters: { events: EVENTS, locationIds: [LOCATION], options: {} },
		});
		expect((await picked.sample()).length).toBeGreaterThan(0);
		const parameters = { events: EVENTS, locationIds: [], options: {} };
		const poller = new Poller({ credential, parameters });
		expect((await poller.sample()).length).toBeGreaterThan(0);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});
});
