import { customOperations, runRouted } from '../../nodes/LocalSeo/rows/run';
import { systemClock } from '../../nodes/LocalSeo/client';
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
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };

const rowsOfDays = (service: Service, count: number) =>
	Array.from({ length: count }, (_, day) => ({
		...{ location_id: service.location(), title: `T ${day}`, content: `C ${day}` },
		publish_at: `2098-12-1${day} 10:00`,
	}));
const go = async (service: Service, rows: Fields[], set = {}, more: Partial<RunOptions> = {}) =>
	await service.run({ ...BASE, ...set }, { rows, settings, ...more });
const posted = (service: Service) => service.sent('POST');

/** A service that publishes at once, and says so. */
const hasty = (publish_at: () => string | null) =>
	backend({
		stores: (fields, kind) =>
			kind === 'posts' && fields.publish_at ? { ...fields, publish_at: publish_at() } : fields,
	});
const hiding = () =>
	backend({
		shows: (records, { path }) =>
			path.endsWith('posts')
				? records.filter(({ publish_at }) => !(Date.parse(String(publish_at)) > Date.now()))
				: records,
	});
const now = () => new Date().toISOString();

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

test('a row without a content is asked about where one of its title is there at another time', async () => {
	const service = backend();
	service.addPosts({ ...PLANNED, title: 'Offer' });
	const rows = [
		{ location_id: service.location(), title: 'Offer', publish_at: '2098-12-24 10:00' },
	];
	const { json } = await go(service, rows);
	expect(json).toMatchObject([{ error: { message: expect.stringContaining('with this title') } }]);
});

describe('the first post was published at once', () => {
	test.each<[string, () => string | null]>([
		['as an offset says', now],
		['as a time without an offset says', () => now().slice(0, 19).replace('T', ' ')],
		['by an empty time', () => null],
	])('%s: no other goes out, in no try and no run, and a dry run says so', async (_, shown) => {
		const service = hasty(shown);
		service.addPosts(PLANNED);
		const rows = rowsOfDays(service, 4);
		const { error } = await go(service, rows, {}, { settings: retried });
		expect(error?.description).toMatch(/Do not run all items again: a second content post/);
		for (let run = 0; run < 2; run++) await go(service, rows);
		const { json } = await go(service, rows.slice(1), { dryRun: true });
		for (const { action } of json) expect(action).toBe('invalid');
		expect(posted(service)).toHaveLength(1);
	});

	test('the lists of its next locations do not end that', async () => {
		const service = hasty(now);
		for (let shop = 0; shop < 102; shop++) service.account.add('locations', { id: `x${shop}` });
		service.account.add('posts', OLD, 'x0');
		service.account.add('posts', PLANNED, 'x101');
		const [row] = rowsOfDays(service, 1);
		const rows = Array.from({ length: 102 }, (_, shop) => ({ ...row, location_id: `x${shop}` }));
		await go(service, rows);
		expect(posted(service)).toHaveLength(1);
	});
});

test('a stop outlasts an hour without use, also where a list shows times in another field', async () => {
	const service = backend({
		stores: (fields, kind) => (kind === 'posts' ? { ...fields, ...wrong } : fields),
	});
	let wrong: Fields = { publish_at: now(), go_live: null };
	service.addPosts({ ...OLD, go_live: OLD.publish_at });
	const rows = rowsOfDays(service, 2);
	const named = { options: { publishTimeField: 'go_live' } };
	const live = ['Live', 'Later'].map((title) => ({
		...{ location_id: service.location(), title, content: `${title}!` },
		go_live: '2098-12-24 10:00',
	}));
	await go(service, rows);
	await go(service, live, named);
	wrong = {};
	service.addPosts({ ...PLANNED, title: 'Elsewhere' });
	const { json } = await go(service, rows.slice(1));
	expect(json).toMatchObject([{ outcome: 'created' }]);
	expect(posted(service)).toHaveLength(3);
	const clock = systemClock.now.bind(systemClock);
	jest.spyOn(systemClock, 'now').mockImplementation(() => clock() + 7_200_000);
	await go(service, live.slice(1), named);
	expect(posted(service)).toHaveLength(3);
	jest.restoreAllMocks();
});

test('a list that hides planned posts stops Skip the Row alone', async () => {
	const service = hiding();
	service.addPosts(OLD);
	const rows = rowsOfDays(service, 3);
	await go(service, rows);
	const { json } = await go(service, rows.slice(1), { ifExists: 'create' });
	expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
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
