import { useBackend } from '../ordinary/backend';
import { byId, byName, incomingRow } from '../../support/fixture';

const backend = useBackend();
const post = (location: any, more: object = {}) => ({
	resource: 'post', operation: 'create', locationId: location, fields: incomingRow,
	whenToPublish: 'scheduled', ...more,
}) as any;
const more = { settings: { onError: 'continueRegularOutput' as const }, signal: undefined };
const timed = async (name: string, work: () => Promise<any>) => {
	const [t, c] = [Date.now(), process.cpuUsage()];
	const r = await work();
	const { user, system } = process.cpuUsage(c);
	console.log(name, Date.now() - t, 'ms; cpu', Math.round((user + system) / 1000), 'ms', r.error?.message ?? '', r.hints[0]?.slice(0, 150));
};
const rows = (n: number, of: (i: number) => object) => Array.from({ length: n }, (_, i) => ({ title: `T${i}`, content: `c${i}`, publish_at: '2027-12-24', ...of(i) }));

test('dry run of n rows', async () => {
	for (const n of [1000, 4000, 8000]) {
		const s = backend();
		await timed(`dry run, ${n} rows, one location`, async () => await s.run(post(byId(s.location()), { dryRun: true }), rows(n, () => ({})), more));
	}
});
test('unknown names', async () => {
	for (const [n, m] of [[500, 500], [1000, 1000], [2000, 2000]]) {
		const s = backend({ pageSize: 500 } as any);
		for (let i = 0; i < m; i++) s.add('locations', { name: `Shop of the town ${i}`, address: `${i} Street`, city: 'Leeds', country: 'GB' });
		await timed(`unknown names: ${n} rows, ${m} locations`, async () => await s.run(post(byName('={{ $json.shop }}'), {}), rows(n, (i) => ({ shop: `Nowhere ${i}` })), more));
	}
});
test('locations of one name', async () => {
	for (const n of [250, 500, 1000]) {
		const s = backend({ pageSize: 500 } as any);
		for (let i = 0; i < n; i++) s.add('locations', { name: `Corner Bakery`, address: `${i} Street`, city: 'Leeds', country: 'GB' });
		await timed(`create locations of one name: ${n} beside ${n}`, async () => await s.run({ resource: 'location', operation: 'create', fields: incomingRow, dryRun: true } as any, Array.from({ length: n }, (_, i) => ({ name: 'Corner Bakery', address: `${i} Lane`, city: 'Leeds', country: 'GB' })), more));
	}
});
test('failed rows with row_number', async () => {
	for (const n of [2500, 5000, 10000]) {
		const s = backend();
		await timed(`failed rows: ${n}`, async () => await s.run(post(byId(s.location()), {}), rows(n, (i) => ({ publish_at: 'TBD', row_number: i + 2 })), more));
	}
});
test('posts at one time', async () => {
	for (const n of [500, 1000, 2000]) {
		const s = backend({ pageSize: 500 } as any);
		for (let i = 0; i < n; i++) s.add('posts', { location_id: s.location(), title: `Old ${i}`, content: `c ${i}`, publish_at: '2027-12-24T05:00:00Z' });
		await timed(`posts at one time: ${n} beside ${n}`, async () => await s.run(post(byId(s.location()), { dryRun: true }), rows(n, (i) => ({ title: `New ${i}`, content: `n ${i}` })), more));
	}
});
