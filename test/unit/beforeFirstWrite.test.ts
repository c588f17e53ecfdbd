import { Account as Service } from '../../dev/sandbox/account';
import { Account, type HttpRequest, type JsonObject } from '../../nodes/LocalSeo/client';
import { operationOf, post } from '../../nodes/LocalSeo/resources';
import { readRow } from '../../nodes/LocalSeo/rows/read/row';
import { runRows } from '../../nodes/LocalSeo/rows/way';
import { serviceAnswering } from '../support/accountTransport';
import { contextTo, sourceOf } from '../support/plainRows';
import { seededRandom } from '../support/random';
import { VirtualClock } from '../support/virtualClock';

// What is read before the first write: how many requests, and how many of them one after the other.

const LATENCY = 1_000;
/** Rows are for the first three. */
const SHOPS = ['Bakery East', 'Bakery West', 'Bakery North', 'Bakery South'];

interface Given {
	isByName?: boolean;
	/** How many posts each location has. */
	posts?: number;
	rows?: number;
	set?: JsonObject;
}

async function playOf({ isByName = false, posts = 1, rows = 3, set = {} }: Given) {
	const clock = new VirtualClock();
	const service = new Service(clock);
	const shops = SHOPS.map((name) => service.add('locations', { name, city: 'Leeds' }));
	for (const { id } of shops) {
		for (let nth = 0; nth < posts; nth++)
			service.add('posts', { title: `Old ${nth}`, content: 'x' }, String(id));
	}
	const respond = (request: HttpRequest) => service.handle(request);
	const { transport, requests } = serviceAnswering(respond, { clock, latencyMs: LATENCY });
	const sheet = Array.from({ length: rows }, (_, row) => ({
		title: `New ${row}`,
		content: `Row ${row}`,
	}));
	const panel: JsonObject = {
		locationId: { mode: isByName ? 'name' : 'id', value: '={{ $json.shop }}' },
		...{ whenToPublish: 'now', fields: { mappingMode: 'autoMapInputData' }, options: {}, ...set },
	};
	const own = sheet.map((_, index) => {
		const { id, name } = shops[index % 3];
		const source = sourceOf(sheet, index, panel, { picked: () => (isByName ? name : id) });
		return readRow(source, post, operationOf(post, 'create'), false);
	});
	const account = new Account(clock, seededRandom());
	const data = { baseUrl: 'https://service.example', apiKey: 'key' };
	await clock.run(
		runRows(own, [], { credential: { account, data }, contextOf: () => contextTo(transport) }),
	);
	const [first] = requests.filter(({ method }) => method === 'POST');
	const reads = requests.filter(({ method }) => method === 'GET').length;
	const start = requests[0].at - LATENCY / 2;
	return {
		reads,
		inARow: (first.at - LATENCY / 2 - start) / LATENCY,
		posted: requests.length - reads,
	};
}

test.each<[string, Given, inARow: number]>([
	['by ID, of lists that have records: the lists', {}, 1],
	['by name: the locations, and the lists', { isByName: true }, 2],
	['by ID, of lists that are empty: other lists, too', { posts: 0 }, 3],
	['by name, of lists that are empty', { posts: 0, isByName: true }, 4],
	['with Create Another One: a page for the fields', { set: { ifExists: 'create' } }, 1],
])('%s', async (_, given, inARow) => {
	expect((await playOf(given)).inARow).toBe(inARow);
});

test('names of locations are not read for rows that give IDs', async () => {
	expect(await playOf({ rows: 400 })).toMatchObject({ reads: 3, posted: 400 });
});
