import { type Answer, type Call, useBackend } from '../ordinary/backend';
import { byId, byName, columns, incomingRow } from '../../support/fixture';
import { useShortWatch } from '../../support/shortWatch';

const backend = useBackend();
useShortWatch();
const post = (location: any, more: object = {}) => ({
	resource: 'post', operation: 'create', locationId: location, fields: incomingRow,
	whenToPublish: 'scheduled', ...more,
}) as any;
const C = { settings: { onError: 'continueRegularOutput' as const } };
const show = (name: string, service: any, r: any) => console.log(name, JSON.stringify({ posts: service.sent('POST'), error: r.error && [r.error.message, r.error.description], json: r.items.map(({ json }: any) => json), hints: r.hints }));
const mapped = (value: any, schema: any[]) => ({ mappingMode: 'defineBelow', value, schema }) as any;

test('Q1 days', async () => {
	const service = backend();
	service.add('posts', { location_id: service.location(), title: 'x', content: 'y', publish_at: '2027-10-10' });
	const r = await service.run(post(byId(service.location())), [{ title: 'a', content: 'b', publish_at: '2027-12-24' }]);
	show('Q1', service, r);
	const zone = 'America/Los_Angeles';
	const today = new Date(Date.now() - 23 * 3600_000).toISOString().slice(0, 10);
	void today;
	void zone;
});
test('Q2 advice: Match Fields with time, rows without', async () => {
	const service = backend();
	service.add('posts', { location_id: service.location(), title: 'a', content: 'b', publish_at: '2026-01-05T09:30:00Z' });
	const r = await service.run(post(byId(service.location()), { whenToPublish: 'now', options: { matchFields: 'title, content, publish_at' } }), [{ title: 'a', content: 'b' }]);
	show('Q2', service, r);
	const r2 = await service.run(post(byId(service.location()), { whenToPublish: 'now', options: {} }), [{ title: 'a', content: 'b' }]);
	show('Q2 without option', service, r2);
});
test.each([[400], [422], [410], [404]])('Q3 bad id %s', async (status) => {
	const service = backend({ instead: (call: Call): Answer | undefined => call.id === 'bad' ? { status, body: { message: 'The id is invalid' } } : undefined });
	const rows = [{ location: service.location(), title: 'a', content: 'b', publish_at: '2027-12-24' }, { location: 'bad', title: 'a', content: 'b', publish_at: '2027-12-24' }];
	const r = await service.run(post(byId('={{ $json.location }}')), rows, C);
	show(`Q3 ${status}`, service, r);
});
test('Q3b dots', async () => {
	const service = backend();
	const rows = [{ location: service.location(), title: 'a', content: 'b', publish_at: '2027-12-24' }, { location: '.', title: 'a', content: 'b', publish_at: '2027-12-24' }];
	const r = await service.run(post(byId('={{ $json.location }}')), rows, C);
	show('Q3b', service, r);
});
test('Q4 dry run: unknown location of more than five', async () => {
	const service = backend();
	for (let i = 0; i < 6; i++) service.add('locations', { name: `L${i}`, address: `${i}`, city: 'x', country: 'GB' });
	const ids = [...service.records.locations.map(({ id }) => String(id)), 'loc_gone'];
	const rows = ids.map((location) => ({ location, title: 'a', content: 'b', publish_at: '2027-12-24' }));
	const r = await service.run(post(byId('={{ $json.location }}'), { ifExists: 'create', dryRun: true }), rows, C);
	console.log('Q4 dry', JSON.stringify(r.items.slice(-1)), r.hints);
	const r2 = await service.run(post(byId('={{ $json.location }}'), { ifExists: 'create' }), rows, C);
	console.log('Q4 run', JSON.stringify(r2.items.slice(-1)), r2.hints);
});
test('Q5 date order', async () => {
	const service = backend();
	const r = await service.run(post(byId(service.location()), { options: { dateOrder: '={{ "Month First" }}' } }), [{ title: 'a', content: 'b', publish_at: '03/04/2027' }], C);
	show('Q5', service, r);
});
test('Q6 image only', async () => {
	const service = backend();
	service.add('posts', { location_id: service.location(), title: null, content: null, image_url: 'https://x/a.jpg', publish_at: '2027-12-24T15:00:00Z' });
	const r = await service.run(post(byId(service.location())), [
		{ image_url: 'https://x/b.jpg', publish_at: '2027-12-24T15:00:00Z' },
		{ image_url: 'https://x/c.jpg', publish_at: '2027-12-25T15:00:00Z' },
	], C);
	show('Q6', service, r);
});
test('Q7 question mark in a heading', async () => {
	const service = backend();
	const schema = ['title', 'content'].map((id) => ({ id, type: 'string' })).concat([{ id: 'publish_at', type: 'dateTime' }]);
	const run = async (expression: string, rows: object[], name: string) => {
		const s = backend();
		const r = await s.run(post(byId(s.location()), { whenToPublish: 'either', fields: mapped({ title: '={{ $json.t }}', content: 'x', publish_at: expression }, schema) }), rows, C);
		show(`Q7 ${name}`, s, r);
	};
	await run('={{ $json["Wann?"]?.toString().match(/^(\\d+):(\\d+)$/)?.[0] }}', [{ t: 'a', 'Wann?': '24.12.2027 10:00' }], 'A');
	await run('={{ $json["Wann?"].toDateTime().toFormat("yyyy-MM-dd HH:mm") }}', [{ t: 'a', Wann: '24.12.2027 10:00' }], 'missing column, ?');
	await run('={{ $json["Wann"].toDateTime().toFormat("yyyy-MM-dd HH:mm") }}', [{ t: 'a', Wan: '24.12.2027 10:00' }], 'missing column, no ?');
	await run('={{ $json["Wann?"] ? DateTime.fromFormat($json["Wann?"], "d.M.yyyy") : "" }}', [{ t: 'a', Wann: '24.12.2027 10:00' }], 'says so');
	await run('={{ $json["When"].replace("?", "").match(/^x:/) }}', [{ t: 'a', When: '24.12.2027 10:00' }], 'regex');
	void service;
});
test('Q8 retry on fail with a repeated text', async () => {
	let fails = 1;
	const service = backend({ instead: (call: Call): Answer | undefined => call.method === 'POST' && String(call.fields.publish_at).includes('12-02') && fails-- > 0 ? { status: 400, body: { message: 'try again' } } : undefined });
	service.add('posts', { location_id: service.location(), title: 'x', content: 'y', publish_at: '2027-10-10T10:00:00Z' });
	const rows = ['2027-12-01', '2027-12-02', '2027-12-03'].map((publish_at) => ({ title: 'Weekly', content: 'Open', publish_at }));
	const r = await service.run(post(byId(service.location())), rows, { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 } });
	show('Q8', service, r);
});
test('Q9 unproved hides an unconfirmed row', async () => {
	const service = backend({
		stores: ({ title, content }: any) => ({ title, content }),
		created: (data: any, call: Call) => call.earlier === 0 ? { status: 504 } : { status: 201, body: { data } },
	});
	const rows = [1, 2, 3].map((d) => ({ title: `T${d}`, content: 'c', publish_at: `2027-12-0${d}` }));
	const r = await service.run(post(byId(service.location()), { options: { maxWait: 1 } }), rows);
	show('Q9', service, r);
});
test('Q11 at once asked to set at once', async () => {
	const service = backend();
	service.add('posts', { location_id: service.location(), title: 'x', content: 'y', scheduled_for: '2027-10-10T10:00:00Z' });
	const r = await service.run(post(byId(service.location()), { whenToPublish: 'now' }), [{ title: 'a', content: 'b', scheduled_for: '2027-12-01' }]);
	show('Q11', service, r);
});
test('Q12 match fields in other spelling', async () => {
	const schema = ['title', 'content'].map((id) => ({ id, type: 'string' }));
	for (const matchFields of ['content', 'Content']) {
		const s = backend();
		const r = await s.run(post(byId(s.location()), { whenToPublish: 'now', options: { matchFields: `title, ${matchFields}` }, fields: mapped({ title: '={{ $json.t }}', content: '={{ $json.body.match(/zzz/)?.[0] }}' }, schema) }), [{ t: 'a', body: 'hello' }], C);
		show(`Q12 ${matchFields}`, s, r);
	}
});
