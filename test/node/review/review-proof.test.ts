import { type Answer, type Call, useBackend } from '../ordinary/backend';
import { byId, columns, incomingRow } from '../../support/fixture';
import { useShortWatch } from '../../support/shortWatch';

const backend = useBackend();
useShortWatch();
const auto = (id: string, more: object = {}) => ({
	resource: 'post', operation: 'create', locationId: byId(id), fields: incomingRow,
	whenToPublish: 'scheduled', ...more,
}) as any;
const rows = (count: number, more: (i: number) => object = () => ({})) =>
	Array.from({ length: count }, (_, i) => ({ title: `Title ${i}`, content: `Text ${i}`, publish_at: `2027-12-${String(i + 1).padStart(2, '0')} 10:00`, ...more(i) }));
const show = (name: string, service: any, r: any) => console.log(name, JSON.stringify({ posts: service.sent('POST').length, error: r.error && [r.error.message, r.error.description], json: r.items.map(({ json: x }: any) => ({ t: x.title, goes_live: x.goes_live, outcome: x.outcome, warning: x.warning, err: x.error })), hints: r.hints }, null, 1));

test('P1: the list cannot be read after the POST: all rows go out unproved', async () => {
	let posted = false;
	const service = backend({
		stores: ({ title, content }: any) => ({ title, content, published_at: 'now' }),
		created: (record: any) => { posted = true; return { status: 201, body: { data: { id: record.id } } }; },
		instead: (call: Call): Answer | undefined => call.method === 'GET' && posted ? { status: 403, body: { message: 'no' } } : undefined,
	});
	const r = await service.run(auto(service.location(), { ifExists: 'create' }), rows(6), { settings: { onError: 'continueRegularOutput' } });
	show('P1', service, r);
});

test('P2: every POST acts, and its answer is lost: each next row goes out alone', async () => {
	
	const service = backend({
		stores: ({ title, content }: any) => ({ title, content }),
		created: () => ({ status: 504, body: undefined }),
	});
	const t = Date.now();
	const r = await service.run(auto(service.location(), { options: { maxWait: 1 } }), rows(5), { settings: { onError: 'continueRegularOutput' } });
	show(`P2 ${Date.now() - t} ms`, service, r);
	
});

test('P3: at-once rows before the proof: message counts 1', async () => {
	const service = backend({ stores: ({ title, content }: any) => ({ title, content }), created: (data: any) => ({ status: 201, body: { data } }) });
	const r = await service.run(auto(service.location(), { whenToPublish: 'either' }), rows(5, (i) => (i < 2 ? { publish_at: '' } : {})));
	show('P3', service, r);
});

test('P4: a loop of single rows: each posts at once', async () => {
	const service = backend({ stores: ({ title, content }: any) => ({ title, content, publish_at: '2026-01-01T00:00:00Z' }) });
	for (const row of rows(4)) {
		const r = await service.run(auto(service.location()), [row]);
		show('P4', service, r);
	}
});
test('P5: proof given; answer of a later one says null, with Match Fields title', async () => {
	const service = backend({ stores: ({ title, content }: any) => ({ title, content, publish_at: null }) });
	service.add('posts', { location_id: service.location(), title: 'x', content: 'y', publish_at: '2027-10-10T10:00:00Z' });
	const r = await service.run(auto(service.location(), { options: { matchFields: 'title' } }), rows(2));
	console.log('P5', JSON.stringify(r.items.map(({ json }) => json)), r.hints);
	const r2 = await service.run(auto(service.location(), {}), rows(2, (i) => ({ title: `Z${i}`, content: `Q${i}` })));
	console.log('P5b', JSON.stringify(r2.items.map(({ json }) => json)), r2.hints);
});
