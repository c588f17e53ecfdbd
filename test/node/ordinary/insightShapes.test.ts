import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { runNode } from '../../support/engine';
import { byId } from '../../support/fixture';
import { faultsOf, type InsightCase } from './insightCase';

// The forms in which services report by day, and the rows that should come of each.

const FOLDER = join(__dirname, 'insights');
const CASES = readdirSync(FOLDER).map(
	(file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as InsightCase,
);

/** Serves each case below its own name. */
const server = createServer((request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://service');
	const [, id, path] = /^\/([^/]+)\/api\/v1(\/.*)$/.exec(pathname) ?? [];
	const { responses } = CASES.find((one) => one.id === id)!;
	const page = Number(searchParams.get('page') ?? 1);
	const found = (page > 1 && responses[`${path}?page=${page}`]) || responses[path];
	response.writeHead(found?.status ?? 404, { 'Content-Type': 'application/json' });
	response.end(found ? JSON.stringify(found.body) : '{"message":"Not found"}');
});
beforeAll(async () => await new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

test.each(CASES.map((one) => [one.id, one] as const))('%s', async (id, one) => {
	const { output, allLocations = false } = one.parameters;
	const { port } = server.address() as AddressInfo;
	const { json, hints, error } = await runNode({
		credential: { baseUrl: `http://127.0.0.1:${port}/${id}/api/v1`, apiKey: `key-of-${id}` },
		parameters: {
			...{ resource: 'insight', operation: 'get', output, options: { maxWait: 5 } },
			...(allLocations ? { allLocations } : { locationId: byId('loc_1') }),
		},
	});
	expect(faultsOf(one, { json, hints, error })).toEqual([]);
});
