import { incomingRow, useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';

useShortWatch();
const service = useSandbox();
const { run, requests } = service;

const addLocations = { resource: 'location', operation: 'create', fields: incomingRow };
const posts = () => requests().filter((request) => request.startsWith('POST')).length;
const skipped = ({ json }: Awaited<ReturnType<typeof run>>) =>
	json.map((record) => record.skipped === true);

test('a sheet of locations that was exported is skipped, also after they were scanned again', async () => {
	const [, ...shops] = service.sandbox.account.locations;
	// Without an address, what else there is has to be the same.
	for (const shop of shops) shop.address = '';
	const rows = structuredClone(service.sandbox.account.locations);
	for (const shop of service.sandbox.account.locations) {
		Object.assign(shop, { last_scan_at: '2031-01-01T00:00:00Z', rank_score: 1, keywords_count: 0 });
	}
	expect(skipped(await run(addLocations, { rows }))).toEqual(rows.map(() => true));
	expect(posts()).toBe(0);
});
