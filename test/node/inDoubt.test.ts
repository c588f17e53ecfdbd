import { customOperations, runRouted } from '../../nodes/LocalSeo/rows/run';
import { rowContexts, rowsOf } from '../../nodes/LocalSeo/rows/read/source';
import { contextOf, type RunOptions } from '../support/engine';
import { byId, columns, incomingRow } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { type Fields, type Service, useBackend } from './backend';

// What a second try, a second run or a second call must not do: each of these was done once.

useShortWatch();
const backend = useBackend();
const BASE = {
	...{ resource: 'post', operation: 'create', whenToPublish: 'scheduled' },
	...{ locationId: byId('={{ $json.location_id }}'), fields: incomingRow },
};
const OLD = { title: 'Old', content: 'Old one', publish_at: '2026-01-01T10:00:00Z' };
const PLANNED = {
	title: 'By hand',
	content: 'In the dashboard',
	publish_at: '2098-12-01T10:00:00Z',
};
const settings = { onError: 'continueRegularOutput' as const };

const rowsOfDays = (service: Service, count: number) =>
	Array.from({ length: count }, (_, day) => ({
		...{ location_id: service.location(), title: `T ${day}`, content: `C ${day}` },
		publish_at: `2098-12-1${day} 10:00`,
	}));
const go = async (service: Service, rows: Fields[], set = {}, more: Partial<RunOptions> = {}) =>
	await service.run({ ...BASE, ...set }, { rows, settings, ...more });
const posted = (service: Service) => service.sent('POST');

test.each([{}, { publish_at: '2098-12-24 10:00' }])(
	'a service that fills in what a row leaves blank does not make it new in the next run: %p',
	async (more) => {
		const service = backend({
			stores: (fields, kind) => (kind === 'posts' ? { content: 'By us', ...fields } : fields),
		});
		service.addPosts(OLD, PLANNED);
		const rows = [{ location_id: service.location(), title: 'Offer of the week', ...more }];
		const set = { whenToPublish: 'publish_at' in more ? 'scheduled' : 'now' };
		await go(service, rows, set);
		// As by another n8n, which has no memory of the first run.
		Object.assign(service.credential, { apiKey: `${service.credential.apiKey}x` });
		expect((await go(service, rows, set)).json).toMatchObject([{ outcome: 'skipped' }]);
		expect(posted(service)).toHaveLength(1);
	},
);

test('where the first post was published at once, the lists of the next locations do not end that', async () => {
	const service = backend({
		stores: (fields, kind) => ({ ...fields, ...(kind === 'posts' && { publish_at: new Date() }) }),
	});
	for (let shop = 0; shop < 102; shop++) service.account.add('locations', { id: `x${shop}` });
	service.account.add('posts', OLD, 'x0');
	service.account.add('posts', PLANNED, 'x101');
	const [row] = rowsOfDays(service, 1);
	const rows = Array.from({ length: 102 }, (_, shop) => ({ ...row, location_id: `x${shop}` }));
	await go(service, rows);
	expect(posted(service)).toHaveLength(1);
});

test.each<[string, Partial<Parameters<typeof backend>[0]>]>([
	['an ID of its own', { created: () => ({ status: 202, body: { data: { id: 'job_1' } } }) }],
	['no body', { created: () => ({ status: 204 }) }],
])('an answer with %s is looked for by what was sent', async (_, more) => {
	const escaped = (text: unknown) => String(text).replaceAll('&', '&amp;');
	const service = backend({
		stores: (fields, kind) =>
			kind === 'posts' ? { ...fields, title: escaped(fields.title) } : fields,
		...more,
	});
	service.addPosts(OLD);
	const rows = rowsOfDays(service, 3).map((row) => ({ ...row, title: `Tea & ${row.title}` }));
	await go(service, rows);
	expect(posted(service)).toHaveLength(3);
});

test.each<
	[string, (context: ReturnType<typeof contextOf>, service: { isClosed: boolean }) => unknown]
>([
	['its list can not be read', (_, service) => (service.isClosed = true)],
	['its time is none any more', (context) => (context.getInputData()[0].json.publish_at = 'TBD')],
])('a lost row is not sent again where %s', async (_, change) => {
	const state = { isClosed: false };
	let readings = 0;
	const service = backend({
		instead: ({ method, path, earlier }) => {
			if (method === 'POST' && earlier === 0) return { status: 504 };
			if (method !== 'GET' || !path.endsWith('posts')) return undefined;
			// The looks of the first try, and what the second one reads first.
			const isRefused = state.isClosed || (readings++ > 0 && readings < 9);
			state.isClosed = false;
			return isRefused ? { status: 403 } : undefined;
		},
	});
	service.addPosts(OLD, PLANNED);
	const context = contextOf({
		...{ parameters: BASE, credential: service.credential, rows: rowsOfDays(service, 1) },
	});
	const { create } = customOperations.post;
	await expect(create.call(context)).rejects.toThrow(/Could not confirm/);
	readings = 9;
	change(context, state);
	await expect(create.call(context)).rejects.toThrow();
	expect(posted(service)).toHaveLength(1);
});

test('equal calls of a tool, side by side, post once', async () => {
	const service = backend();
	service.addPosts(OLD);
	const fields = columns({ title: 'Hi', content: 'There' });
	const parameters = {
		...BASE,
		fields,
		whenToPublish: 'now',
		locationId: byId(service.location()),
	};
	const context = contextOf({ parameters, credential: service.credential, rows: [{}] });
	const call = async () => await runRouted.call(rowContexts(context, rowsOf(context))(0));
	await Promise.all([call(), call()]);
	expect(posted(service)).toHaveLength(1);
});

test('of two updates of one record that differ in an entity alone, none is sent', async () => {
	const service = backend();
	const rows = ['Tom &amp; Co', 'Tom & Co'].map((name) => ({
		location_id: service.location(),
		name,
	}));
	const set = { resource: 'location', operation: 'update' };
	const { json } = await go(service, rows, set);
	for (const { error } of json) expect(error).toBeDefined();
	expect(service.sent('PATCH')).toHaveLength(0);
});
