import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { editorWait } from '../../nodes/LocalSeo/host/connect';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { byId, useSandbox } from '../support/fixture';

const { searchLocations, searchKeywords } = new LocalSeo().methods.listSearch;

describe('locations', () => {
	const service = useSandbox({ locations: 200 });
	const search = async (filter?: string, token?: string) =>
		await searchLocations.call(service.editor({ resource: 'location' }), filter, token);

	test('are shown with name, city, country and address', async () => {
		const { results } = await search();
		const [{ name, city, country, address, id }] = service.sandbox.account.locations;
		expect(results[0]).toEqual({ name: `${name}, ${city}, ${country} · ${address}`, value: id });
	});

	test('more come on scrolling, until all are there', async () => {
		const ids: unknown[] = [];
		let token: unknown;
		do {
			const page = await search(undefined, token as string);
			expect(page.results.length).toBeLessThanOrEqual(100);
			ids.push(...page.results.map(({ value }) => value));
			token = page.paginationToken;
		} while (token !== undefined);
		expect(ids).toEqual(service.sandbox.account.locations.map(({ id }) => id));
		expect(service.requests()).toHaveLength(Math.ceil(200 / 15));
	});

	test('a search covers all pages and every word, regardless of case and accents', async () => {
		service.sandbox.account.locations[170].name = 'Café Müller';
		const { results } = await search('muller CAFE');
		expect(results.map(({ value }) => value)).toEqual([service.sandbox.account.locations[170].id]);
		expect((await search(`  ${service.sandbox.account.locations[3].id} `)).results).toHaveLength(1);
		expect((await search('no such place')).results).toEqual([]);
	});

	test('a search does not fetch what it fetched a moment ago, also while one is under way', async () => {
		await Promise.all([search('b'), search('be'), search('ber')]);
		await search('berl');
		expect(service.requests()).toHaveLength(Math.ceil(200 / 15));
	});

	test('what it fetched is not shown to whom the credential is no longer open', async () => {
		await search('b');
		const context = service.editor({ resource: 'location' });
		context.getCredentials = async () => await Promise.reject(new Error('No access to it'));
		await expect(searchLocations.call(context, 'b')).rejects.toThrow('No access to it');
	});

	test('a search that failed is done again', async () => {
		service.sandbox.faults.add({ times: 1, response: { status: 401, body: { message: 'no' } } });
		await expect(search('b')).rejects.toThrow();
		expect((await search('b')).results.length).toBeGreaterThan(0);
	});

	test('those that look the same have their ID in their label, by which they are found, too', async () => {
		const [first, second, third] = service.sandbox.account.locations;
		Object.assign(second, { ...first, id: second.id });
		Object.assign(third, { ...first, id: third.id, address: 'Elsewhere 1' });
		const { results } = await search(first.name);
		const label = `${first.name}, ${first.city}, ${first.country} · ${first.address}`;
		expect(results.slice(0, 3).map(({ name }) => name)).toEqual([
			`${label} (${first.id})`,
			`${label} (${second.id})`,
			expect.stringMatching(/· Elsewhere 1$/),
		]);
		expect((await search(second.id)).results).toEqual([results[1]]);
	});

	test('the names of the page parameters are those of the credential', async () => {
		const { baseUrl, keys } = service.sandbox;
		const paging = { hasOwnPaging: true, pageParameter: 'seite' };
		const credential = { baseUrl, apiKey: keys.read, ...paging };
		const { results } = await searchLocations.call(
			service.editor({ resource: 'location' }, credential),
		);
		expect(service.requests()).toContain('GET /locations?seite=2');
		// What there is, where the service ignores the name.
		expect(results).toHaveLength(15);
	});
});

describe('keywords', () => {
	const service = useSandbox();
	const search = async (locationId: INodeParameters | undefined, filter?: string) =>
		await searchKeywords.call(service.editor({ resource: 'rankScan', locationId }), filter);

	test('are those of the location that is picked', async () => {
		const [, { id }] = service.sandbox.account.locations;
		const keywords = service.sandbox.account.keywordsOf(id);
		const { results } = await search(byId(id));
		expect(results.slice(0, 3)).toEqual(
			keywords.slice(0, 3).map((keyword) => ({ name: keyword.keyword, value: keyword.id })),
		);
	});

	test.each([
		['no location is picked', byId('')],
		['the location is an expression', byId('={{ $json.location_id }}')],
		['there was never one', undefined],
	])('with %s, the message says what to do', async (_, locationId) => {
		await expect(search(locationId)).rejects.toThrow(
			'Pick a location first, or enter the keyword by ID',
		);
		expect(service.requests()).toEqual([]);
	});
});

describe('records without an ID of their own', () => {
	const service = useSandbox();

	test.each(['', 'big'])(
		'a list offers nothing that has no ID of its own (search for %j)',
		async (filter) => {
			// The last one is 12345678901234567890 in the response: JavaScript has rounded it.
			const data = [
				{ id: 'loc_1', name: 'Big One' },
				{ name: 'Big Two' },
				{ id: 1.2345678901234567e19, name: 'Big Three' },
			];
			service.sandbox.faults.add({
				when: { path: '/locations' },
				transform: () => ({
					data: data as IDataObject[],
					meta: { current_page: 1, per_page: 15, total: 3 },
				}),
			});
			const editor = service.editor({ resource: 'location', operation: 'get' });
			const { results } = await searchLocations.call(editor, filter);
			expect(results).toEqual([{ name: 'Big One', value: 'loc_1' }]);
		},
	);
});

describe('whatever its records are called', () => {
	const service = useSandbox();
	const answer = (data: unknown[]) =>
		service.sandbox.faults.add({ response: { status: 200, body: { data } } });
	const locations = async () => {
		const { results } = await searchLocations.call(service.editor({ resource: 'location' }));
		return results.map(({ name, value }) => [name, value]);
	};

	test('n8n runs no ID and no label as an expression', async () => {
		answer([
			{ id: '={{ $json.secret }}', name: 'Evil' },
			{ id: 'loc_1', name: '={{ $json.secret }}' },
			{ id: 'loc_2', name: '\u200e =1+1' },
			{ id: 'loc_3', name: '' },
		]);
		expect(await locations()).toEqual([
			['＝{{ $json.secret }}', 'loc_1'],
			['＝1+1', 'loc_2'],
			['loc_3', 'loc_3'],
		]);
	});

	test('labels have a length that a list can show, and a text', async () => {
		const odd = JSON.parse('{"toString":1}') as unknown;
		answer([
			{ id: 'loc_1', name: 'x'.repeat(1_000_000) },
			{ id: 'loc_2', name: odd, city: [odd], address: odd, status: odd },
		]);
		const [[long], [other]] = await locations();
		expect(long).toBe(`${'x'.repeat(200)}…`);
		expect(other).toBe('{"toString":1}, [{"toString":1}] · {"toString":1} ({"toString":1})');
	});
});

describe('a service whose response drips', () => {
	const { longestMs } = editorWait;
	beforeEach(() => void (editorWait.longestMs = 300));
	afterEach(() => void (editorWait.longestMs = longestMs));
	const service = useSandbox();

	test('a list ends, and so do its connections; also for who waits for the same list', async () => {
		const closed: Array<Promise<void>> = [];
		const server = createServer((_, response) => {
			response.writeHead(200, { 'Content-Type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 20);
			closed.push(
				new Promise((resolve) => {
					response.on('close', () => {
						clearInterval(drip);
						resolve();
					});
				}),
			);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const credential = { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'sk_dripping' };
		const search = async () =>
			await searchLocations.call(service.editor({ resource: 'location' }, credential), 'a');
		const both = [search(), search()];
		for (const one of both) {
			await expect(one).rejects.toThrow('The service did not respond in time');
		}
		await Promise.all(closed);
		expect(closed).toHaveLength(1);
		server.close();
	});
});
