import jsonServer from 'json-server';

import { runNode, type RunOptions } from '../../support/engine';
import { byId } from '../../support/fixture';
import { casesFor } from './operations';
import { serve, type Server } from '../../support/mockServers';

// json-server: bare records, no `meta`, 200 `{}` for a deletion, and unknown query parameters are ignored.

const record = (id: string, fields: object) => ({ id, ...fields });
const account = () => ({
	locations: [
		record('loc_1', {
			name: 'Harbor Street Bakery',
			address: '12 Harbor Street',
			city: 'Portland',
		}),
		record('loc_2', { name: 'Northside Dental Care', address: '48 Roundhay Road', city: 'Leeds' }),
	],
	keywords: [
		record('kw_1', { locationId: 'loc_1', keyword: 'bakery near me' }),
		record('kw_2', { locationId: 'loc_1', keyword: 'birthday cakes' }),
	],
	scans: [1, 2, 3].map((position) => record(`scan_${position}`, { keywordId: 'kw_1', position })),
	posts: Array.from({ length: 20 }, (_, index) =>
		record(`post_${index}`, {
			locationId: 'loc_1',
			title: `Offer ${index}`,
			content: `What is in offer ${index}`,
		}),
	),
	insights: [record('ins_1', { locationId: 'loc_1', date: '2026-03-01', views: 310 })],
});

let server: Server;
let credential: RunOptions['credential'];
let db: ReturnType<typeof account>;
let requests: string[];
beforeEach(async () => {
	db = account();
	requests = [];
	const app = jsonServer.create();
	app.use((request, _response, next) => {
		requests.push(`${request.method} ${request.url}`);
		next();
	});
	app.use(jsonServer.defaults({ logger: false }));
	app.use(jsonServer.rewriter({ '/api/v1/*': '/$1' }));
	app.use(jsonServer.router(db));
	server = await serve(app);
	credential = { baseUrl: `${server.origin}/api/v1`, apiKey: 'any' };
});
afterEach(async () => await server.close());

/** What each operation comes to; without a line, one item. */
const ITEMS: Record<string, number> = {
	'location getAll': 2,
	'keyword getAll': 2,
	'rankScan getAll': 3,
	'post getAll': 20,
};

test.each(casesFor('loc_1', 'kw_1'))('$name', async ({ name, parameters }) => {
	const { json, error } = await runNode({ credential, parameters });
	expect(error).toBeUndefined();
	expect(json).toHaveLength(ITEMS[name] ?? 1);
});

test('rows become posts, each once, and the same rows again are skipped', async () => {
	const rows = Array.from({ length: 10 }, (_, index) => ({
		location_id: 'loc_1',
		title: `Week ${index + 1}: what is new`,
		content: `All that happens in week ${index + 1} of the year.`,
	}));
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId: byId('={{ $json.location_id }}'),
		fields: { mappingMode: 'autoMapInputData', value: null },
		ifExists: 'skip',
	};
	for (const skipped of [undefined, true]) {
		const { json, hints, error } = await runNode({ credential, rows, parameters });
		expect(error).toBeUndefined();
		expect(json.map((item) => [item.title, item.skipped])).toEqual(
			rows.map(({ title }) => [title, skipped]),
		);
		expect(hints.join()).not.toMatch(/same ID/);
		expect(new Set(json.map(({ id }) => id)).size).toBe(rows.length);
	}
	expect(db.posts).toHaveLength(30);
	expect(requests.filter((request) => request.startsWith('POST'))).toHaveLength(10);
});
