import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { INodeParameters } from 'n8n-workflow';
import { parse } from 'yaml';

import { ROOT } from '../../../dev/n8n/home';
import { launch } from '../../../dev/n8n/process';
import { CONTRACT_FILE } from '../../../dev/sandbox/contract';
import { Poller, runNode, type RunOptions } from '../../support/engine';
import { byId, columns } from '../../support/fixture';
import { postSheet } from '../../support/sheet';
import { EVENTS } from '../../support/trigger';

// The node against Prism, a mock server, with our description of the interface: as the README says.

const { components } = parse(readFileSync(CONTRACT_FILE, 'utf8')) as {
	components: { examples: Record<string, { value: { data: unknown } }> };
};
const LOCATION = 'loc_8f3k2m';
const KEYWORD = 'kw_b41x7c';

const ids = { locationId: byId(LOCATION), keywordId: byId(KEYWORD), returnAll: true };
const bakery = { name: 'Mill Lane Bakery', address: '230 Division Street', city: 'Portland' };
const post = { title: 'Rye week', content: 'Five kinds of rye bread, all week long.' };

/** Every operation, and the example of dev/sandbox/openapi.yaml that it is answered with. */
const OPERATIONS: Array<[name: string, example?: string, parameters?: INodeParameters]> = [
	['location getAll', 'Locations'],
	['location get', 'Location'],
	['location create', 'CreatedLocation', { fields: columns(bakery) }],
	// Another one: what was just created counts as existing.
	['location upsert', 'CreatedLocation', { fields: columns({ ...bakery, address: '9 Elm St' }) }],
	['location update', 'UpdatedLocation', { fields: columns({ city: 'Salem' }) }],
	['keyword getAll', 'Keywords'],
	['keyword create', 'CreatedKeyword', { fields: columns({ keyword: 'rye bread' }) }],
	['keyword delete'],
	['rankScan getAll', 'RankScans'],
	['post getAll', 'Posts'],
	['post create', 'CreatedPost', { fields: columns(post) }],
	...['rows', 'summary', 'raw'].map((output): [string, string, INodeParameters] => [
		...(['insight get', 'Insight', { output }] as const),
	]),
];

const MODES: Array<[name: string, flags: string[]]> = [
	['the examples', []],
	// The same at each run, so that a failure can be seen again.
	['generated data', ['--dynamic', '--seed', '1']],
];

const PRISM = join(ROOT, 'node_modules', '.bin', 'prism');

/** Starts Prism as the README says, on a free port, with our description of the interface. */
async function startPrism(...flags: string[]) {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-prism-'));
	const log = join(folder, 'log');
	const prism = await launch(
		[process.execPath, PRISM, 'mock', '--port', '0', ...flags, CONTRACT_FILE],
		{ name: 'Prism', cwd: folder, log, env: { ...process.env, NO_COLOR: '1' } },
	);
	let origin: string | undefined;
	await prism.untilReady(() => {
		origin = /Prism is listening on (\S+)/.exec(readFileSync(log, 'utf8'))?.[1];
		return origin !== undefined;
	});
	return {
		origin: origin!,
		close: async () => {
			await prism.stop();
			rmSync(folder, { recursive: true });
		},
	};
}

describe.each(MODES)('Prism with %s', (_, flags) => {
	const isDynamic = flags.length > 0;
	let prism: Awaited<ReturnType<typeof startPrism>>;
	let credential: RunOptions['credential'];
	beforeAll(async () => {
		prism = await startPrism(...flags);
		credential = { baseUrl: `${prism.origin}/api/v1`, apiKey: 'any' };
	});
	afterAll(async () => await prism.close());

	test.each(OPERATIONS)('%s: %s %j', async (name, example = '', more = {}) => {
		const [resource, operation] = name.split(' ');
		const parameters = { ...ids, resource, operation, ...more };
		const { json, error } = await runNode({ credential, parameters });
		expect(error).toBeUndefined();
		expect(json.length).toBeGreaterThan(0);
		if (isDynamic || resource === 'insight') return;
		const records = example && [components.examples[example].value.data].flat();
		const items = records || [{ id: KEYWORD, deleted: true }];
		// After an update, what was sent counts.
		const sent = operation === 'update' && { city: 'Salem' };
		expect(json).toMatchObject(items.map((item) => ({ ...(item as object), ...sent })));
	});

	test.each(['skip', 'create'])('three posts (%s): three items, and a hint', async (ifExists) => {
		const rows = ['Oat week', 'Brunch', 'Closed'].map((title) => ({
			title,
			content: title,
		}));
		const parameters = { ...postSheet, ...ids, ifExists };
		const { json, hints, error } = await runNode({ credential, rows, parameters });
		expect([error, json.length]).toEqual([undefined, 3]);
		expect(hints).toContainEqual(expect.stringMatching(/^3 items came back with the same ID/));
	});

	test("the trigger's sample, and its polls", async () => {
		const parameters = { events: EVENTS, locationIds: [], options: {} };
		const poller = new Poller({ credential, parameters });
		expect((await poller.sample()).length).toBeGreaterThan(0);
		expect(await poller.poll()).toEqual([]);
		expect(await poller.poll()).toEqual([]);
	});
});
