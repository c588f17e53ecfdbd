import omit from 'lodash/omit';

import { customOperations, runRouted } from '../../nodes/LocalSeo/rows/run';
import { systemClock } from '../../nodes/LocalSeo/client';
import { rowContexts, rowsOf } from '../../nodes/LocalSeo/rows/read/source';
import { contextOf, type RunOptions } from '../support/engine';
import { byId, byName, columns, goOn } from '../support/fixture';
import { postSheet } from '../support/sheet';
import { useShortWatch } from '../support/shortWatch';
import { type Answer, type Fields, type Service, useBackend } from './backend';

// What a second try, a second run or a second call must not do: each of these was done once.

useShortWatch();
const backend = useBackend();
const BASE = { ...postSheet, whenToPublish: 'scheduled' };
const OLD = { title: 'Old', content: 'Old one', publish_at: '2026-01-01T10:00:00Z' };
const PLANNED = {
	title: 'By hand',
	content: 'In the dashboard',
	publish_at: '2098-12-01T10:00:00Z',
};

/** A service with a post that was there before. */
const withOld = (...switches: Parameters<typeof backend>) => {
	const service = backend(...switches);
	service.addPosts(OLD);
	return service;
};
const rowsOfDays = (service: Service, count: number) =>
	Array.from({ length: count }, (_, day) => ({
		...{ location_id: service.location(), title: `T ${day}`, content: `C ${day}` },
		publish_at: `2098-12-1${day} 10:00`,
	}));
const go = async (service: Service, rows: Fields[], set = {}, more: Partial<RunOptions> = {}) =>
	await service.run({ ...BASE, ...set }, { rows, ...goOn, ...more });
const posted = (service: Service) => service.sent('POST');
const now = () => new Date().toISOString();
const later = (ms: number) => {
	const clock = systemClock.now.bind(systemClock);
	jest.spyOn(systemClock, 'now').mockImplementation(() => clock() + ms);
};
afterEach(() => jest.restoreAllMocks());
/** A service that makes this of each post. */
const making = (change: (post: Fields) => Fields) => ({
	stores: (fields: Fields, kind: string) => (kind === 'posts' ? change(fields) : fields),
});

test.each([{}, { publish_at: '2098-12-24 10:00' }])(
	'a service that fills in what a row leaves blank does not make it new in the next run: %p',
	async (more) => {
		const service = backend(making((post) => ({ content: 'By us', ...post })));
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

test.each<[string, Partial<Parameters<typeof backend>[0]>]>([
	['an ID of its own', { created: () => ({ status: 202, body: { data: { id: 'job_1' } } }) }],
	['no body', { created: () => ({ status: 204 }) }],
])('an answer with %s is looked for by what was sent', async (_, more) => {
	const escaped = (text: unknown) => String(text).replaceAll('&', '&amp;');
	const stored = making((post) => ({ ...post, title: escaped(post.title) }));
	const service = withOld({ ...stored, ...more });
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
	const service = withOld();
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

test('of two updates of one record that differ in an entity alone, the first is sent', async () => {
	const service = backend();
	const rows = ['Tom &amp; Co', 'Tom & Co'].map((name) => ({
		location_id: service.location(),
		name,
	}));
	const set = { resource: 'location', operation: 'update' };
	const { json } = await go(service, rows, set);
	expect(json).toMatchObject([{ outcome: 'updated' }, { outcome: 'skipped' }]);
	expect(service.sent('PATCH')).toHaveLength(1);
});

describe('what is found later does not post again', () => {
	test('a time that the list shows without an offset is no time to come within a day', async () => {
		const local = (one: Fields) => ({
			...one,
			publish_at: new Date(Date.parse(String(one.publish_at)) + 39_600_000)
				.toISOString()
				.slice(0, 19),
		});
		const service = backend({
			created: ({ id }) => ({ status: 202, body: { data: { id } } }),
			shows: (records, { path }) =>
				path.endsWith('posts')
					? records.filter((one) => Date.parse(String(one.publish_at)) < Date.now()).map(local)
					: records,
		});
		service.addPosts(OLD, { ...OLD, title: 'Just now', publish_at: now() });
		await go(service, rowsOfDays(service, 3), {}, { timezone: 'Australia/Sydney' });
		expect(posted(service)).toHaveLength(1);
	});

	test('rows that an earlier try has posted come out as that, also where a later one stops', async () => {
		const service = backend({
			stores: ({ content, ...fields }, kind) =>
				kind === 'posts' && content ? { ...fields, body: content } : fields,
			instead: ({ method, fields }) =>
				method === 'POST' && fields.title === 'T 0' ? { status: 422 } : undefined,
		});
		const rows = rowsOfDays(service, 3).map((row) => omit(row, 'publish_at'));
		const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		const more = { settings: { ...goOn.settings, ...retried } };
		const { json } = await go(service, rows, { whenToPublish: 'now' }, more);
		const posts = service.all('posts').map(({ id }) => ({ id, outcome: 'created' }));
		expect(json).toMatchObject([{ error: {} }, ...posts]);
	});

	test.each([
		['a user', [OLD, PLANNED]],
		['a user, in a new account', []],
	])('a first post that was stopped by %s stops no later run', async (_, posts) => {
		const stop = new AbortController();
		const service = backend({
			instead: ({ method, earlier }) => {
				if (method !== 'POST' || earlier > 0) return undefined;
				stop.abort();
				return { status: 504 };
			},
		});
		service.addPosts(...posts);
		const rows = rowsOfDays(service, 3);
		await go(service, rows, {}, { signal: stop.signal });
		later(600_000);
		const { json } = await go(service, rows);
		for (const { outcome } of json) expect(outcome).toMatch(/^(created|skipped)$/);
		expect(service.all('posts')).toHaveLength(posts.length + 3);
	});

	test.each([
		['its own 500', { status: 500, body: { message: 'No' } }],
		['nothing', { status: 504 }],
	])(
		'first posts that end in %s prove nothing: after three, no other one of the run is sent',
		async (_, answer) => {
			let isDown = true;
			const service = backend({
				instead: ({ method }) => (method === 'POST' && isDown ? answer : undefined),
			});
			const rows = rowsOfDays(service, 5);
			const outcomes = async () =>
				(await go(service, rows)).json.map(
					({ outcome, error }) => outcome ?? Object(error).message,
				);
			const first = await outcomes();
			const stopped = '3 posts could not be confirmed, so the others were not sent';
			expect(first.slice(3)).toEqual([stopped, stopped]);
			expect(new Set(posted(service).map(({ title }) => title)).size).toBe(3);
			isDown = false;
			later(600_000);
			expect(await outcomes()).toEqual(Array(5).fill('created'));
		},
	);

	test('an answer that shows the texts without the time proves nothing, with Create Another One, too', async () => {
		const service = backend(
			making((post) => ({ scheduled_at: null, ...omit(post, 'publish_at') })),
		);
		service.addPosts({ ...OLD, scheduled_at: OLD.publish_at });
		const { publish_at: value, ...row } = rowsOfDays(service, 1)[0];
		const rows = [1, 2, 3].map((nth) => ({ ...row, title: `T ${nth}`, when: value }));
		const field = { name: 'publish_at', type: 'dateTime', value: '={{ $json.when }}' };
		const options = { additionalFields: { fields: [field] } };
		const { json } = await go(service, rows, { options, ifExists: 'create' });
		expect(posted(service)).toHaveLength(1);
		expect(json[1]).toMatchObject({
			error: { description: expect.stringMatching(/name the field/) },
		});
		// Whoever names it vouches for it.
		const named = { options: { ...options, publishTimeField: 'publish_at' }, ifExists: 'create' };
		await go(service, rows.slice(1), named);
		expect(posted(service)).toHaveLength(3);
	});

	test('a row that is the same as one that is stopped is invalid in a dry run, too', async () => {
		const service = withOld(making((post) => ({ ...post, publish_at: now() })));
		const [first, second] = rowsOfDays(service, 2);
		await go(service, [first]);
		const { json } = await go(service, [second, second], { dryRun: true });
		expect(json.map(({ action }) => action)).toEqual(['invalid', 'invalid']);
	});

	test('posts that were deleted right after a run: its dry run and the next run say when they can go out', async () => {
		const service = withOld();
		const rows = rowsOfDays(service, 2);
		await go(service, rows);
		service.account.list('posts', service.location()).splice(1);
		const warning = expect.stringContaining('If you have deleted it since, run this again in two');
		const dry = await go(service, rows, { dryRun: true });
		expect(dry.json).toMatchObject([
			{ action: 'skip', warning },
			{ action: 'skip', warning },
		]);
		const { json } = await go(service, rows);
		expect(json).toMatchObject([
			{ outcome: 'skipped', warning },
			{ outcome: 'skipped', warning },
		]);
		later(96_000);
		expect((await go(service, rows)).json).toMatchObject([
			{ outcome: 'created' },
			{ outcome: 'created' },
		]);
	});

	test('no name of a location is taken for an ID, beyond the first hundred', async () => {
		const service = backend();
		for (let nth = 0; nth < 102; nth++) service.add('locations', { name: `Shop ${nth}` });
		const rows = Array.from({ length: 102 }, (_, nth) => ({ shop: `Shop ${nth}`, title: 'T' }));
		const byShop = { locationId: byName('={{ $json.shop }}'), whenToPublish: 'now' };
		await go(service, rows, { ...byShop, dryRun: true });
		expect(service.requests.filter((one) => one.includes('Shop'))).toEqual([]);
	});
});

/** Ways to answer without a word about the time. */
const SILENT: Array<[string, (data: Fields) => Answer]> = [
	['no body', () => ({ status: 204 })],
	['the ID alone', ({ id }) => ({ status: 201, body: { data: { id } } })],
	['more than the list', (data) => ({ status: 201, body: { data: { ...data, links: {} } } })],
];

test.each(SILENT)(
	'a service that drops the offset and answers with %s costs one post',
	async (_, created) => {
		const dropped = making(({ publish_at: at, ...post }) => ({
			...post,
			publish_at: String(at).replace(/[-+]\d\d:\d\d$/, 'Z'),
		}));
		const service = withOld({ id: () => ({}), ...dropped, created });
		for (const atOnce of [1, 4, 4]) await go(service, rowsOfDays(service, 4), {}, { atOnce });
		expect(posted(service)).toHaveLength(1);
		// Create Another One looks at the list, too.
		const other = withOld({ ...making((post) => ({ ...post, publish_at: now() })), created });
		await go(other, rowsOfDays(other, 3), { ifExists: 'create' });
		expect(posted(other)).toHaveLength(1);
	},
);

test.each(SILENT.slice(0, 2))(
	'a tool whose answer has %s: its last look counts',
	async (_, created) => {
		const service = withOld({ ...making((post) => ({ ...post, publish_at: now() })), created });
		for (const { location_id, ...row } of rowsOfDays(service, 3)) {
			const set = {
				locationId: byId(location_id),
				fields: columns(row),
				options: { maxWait: 0.3 },
			};
			await go(service, [{}], set, { isTool: true });
		}
		expect(posted(service)).toHaveLength(1);
	},
);

describe('n8n tries a run again (Retry On Fail)', () => {
	const tried = { ...goOn.settings, retryOnFail: true, maxTries: 2, waitBetweenTries: 10 };

	test('a row in doubt is found by its own looks, and lets the others go', async () => {
		let answers = 0;
		const service = withOld({
			created: (data) => (answers++ === 0 ? { status: 504 } : { status: 201, body: { data } }),
			// While it is looked for at first.
			instead: ({ method, path, earlier }) =>
				method === 'GET' && path.endsWith('posts') && answers === 1 && earlier < 8
					? { status: 403 }
					: undefined,
		});
		const { json } = await go(service, rowsOfDays(service, 3), {}, { settings: tried });
		expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
		expect(posted(service)).toHaveLength(3);
	});

	test('a post that went out at another time claims no other when it is tried again', async () => {
		const service = withOld({
			...making((post) => ({ ...post, publish_at: now() })),
			created: () => ({ status: 204 }),
			instead: ({ method, fields }) =>
				method === 'POST' && fields.title === 'T 0' ? { status: 422 } : undefined,
		});
		const { json } = await go(service, rowsOfDays(service, 3), {}, { settings: tried });
		expect(json[1]).toMatchObject({ outcome: 'created' });
		expect(json[1]).not.toHaveProperty('goes_live');
	});
});

test('a row that lacks a text which another row of its run has is refused, and skipped with no other post', async () => {
	const service = backend();
	service.addPosts(OLD, PLANNED);
	const [row] = rowsOfDays(service, 1);
	const { json } = await go(service, [row, omit(row, 'content')]);
	expect(json).toMatchObject([
		{ outcome: 'created' },
		{ error: { message: expect.stringContaining('The row has no content, by which') } },
	]);
});

// The others keep the time that they have.
const publishing = (shown: (time: string) => string) =>
	making((post) => {
		const isOurs = String(post.title).startsWith('T');
		return { ...post, publish_at: isOurs ? shown(now()) : post.publish_at };
	});

describe('a service that publishes at once costs one post', () => {
	test.each([{}, { ifExists: 'create' }])(
		'also where the first row is for tomorrow, and it shows times without an offset: %p',
		async (set) => {
			const service = backend(publishing((time) => time.slice(0, 19).replace('T', ' ')));
			service.addPosts(OLD);
			const rows = rowsOfDays(service, 4);
			rows[0].publish_at = `${new Date(Date.now() + 72_000_000).toISOString().slice(0, 13)}:00:00Z`;
			await go(service, rows, set);
			expect(posted(service)).toHaveLength(1);
		},
	);

	test.each([{}, { ifExists: 'create' }])(
		'and one more in runs that name the field: they vouch for themselves alone (%p)',
		async (set) => {
			const service = backend({ ...publishing((time) => time), created: () => ({ status: 204 }) });
			service.addPosts(OLD);
			const rows = rowsOfDays(service, 4);
			const named = { ...set, options: { publishTimeField: 'publish_at' } };
			await go(service, rows.slice(0, 1), named);
			await go(service, rows.slice(1), set);
			expect(posted(service)).toHaveLength(2);
		},
	);

	test('in all runs, whatever it makes of the texts', async () => {
		const service = backend(
			making(({ publish_at: at, title, ...post }) => ({
				...{ ...post, title: `<div>${String(title)}</div>` },
				publish_at: String(at).replace(/[-+]\d\d:\d\d$/, 'Z'),
			})),
		);
		service.addPosts(OLD);
		for (let run = 0; run < 4; run++) await go(service, rowsOfDays(service, 4));
		expect(posted(service)).toHaveLength(1);
	});

	test('and none for a row in doubt that n8n tries again after that was found out', async () => {
		let isDown = true;
		const service = backend({
			...publishing((time) => time),
			instead: ({ method, path, earlier }) => {
				if (method === 'POST') return earlier === 0 ? { status: 504 } : undefined;
				const isLost = isDown && posted(service).length > 0 && path.endsWith('posts');
				return isLost ? { status: 403 } : undefined;
			},
		});
		service.addPosts(OLD, PLANNED);
		const [first, second] = rowsOfDays(service, 2);
		const context = contextOf({ parameters: BASE, credential: service.credential, rows: [first] });
		const { create } = customOperations.post;
		await expect(create.call(context)).rejects.toThrow(/Could not confirm/);
		isDown = false;
		await go(service, [second], { options: { publishTimeField: 'publish_at' } });
		await expect(create.call(context)).rejects.toThrow('Could not confirm');
		expect(posted(service)).toHaveLength(2);
	});
});

test.each<[string, (at: string) => string]>([
	['without its offset', (at) => at.slice(0, 19)],
	['without its seconds', (at) => `${at.slice(0, 17)}00${at.slice(19)}`],
])('a post that is shown %s is recognized, without a warning', async (_, shown) => {
	const service = backend(making((post) => ({ ...post, publish_at: shown(`${post.publish_at}`) })));
	service.addPosts({ ...OLD, publish_at: '2026-01-01T10:00:00' });
	const rows = rowsOfDays(service, 2).map((row) => ({ ...row, publish_at: '2098-12-24 10:00:30' }));
	const set = { options: { matchFields: 'title, publish_at' } };
	const { json } = await go(service, rows, set);
	for (const { goes_live, warning } of json)
		expect([goes_live, warning]).toEqual([expect.stringContaining('Dec 24'), undefined]);
	// As by another n8n.
	Object.assign(service.credential, { apiKey: `${service.credential.apiKey}x` });
	const again = (await go(service, rows, set)).json.map(({ outcome }) => outcome);
	expect(again).toEqual(['skipped', 'skipped']);
	expect(posted(service)).toHaveLength(2);
});

test.each<[string, (data: Fields) => Answer, Fields]>([
	['its ID', ({ id }) => ({ status: 202, body: { data: { id } } }), { ifExists: 'create' }],
	['its ID', ({ id }) => ({ status: 201, body: { data: { id } } }), {}],
])('a service that cuts titles, and answers with %s, shows its times', async (_, created, set) => {
	const service = backend({
		...making((post) => ({ ...post, title: String(post.title).slice(0, 2) })),
		created,
	});
	service.addPosts(OLD);
	await go(service, rowsOfDays(service, 3), set);
	expect(posted(service)).toHaveLength(3);
});

test('of a service without offsets, a row that fails stops none of the next ones, once one has shown its time', async () => {
	const service = backend({
		...making((post) => ({ ...post, publish_at: String(post.publish_at).slice(0, 19) })),
		instead: ({ method, earlier }) =>
			method === 'POST' && earlier === 2 ? { status: 504 } : undefined,
	});
	service.addPosts({ ...OLD, publish_at: '2026-01-01T10:00:00' });
	// By the clock, each of them may be the moment of publishing in some zone.
	const at = (row: number) =>
		new Date(Math.floor(Date.now() / 60_000 + 60 * row) * 60_000).toISOString();
	const rows = rowsOfDays(service, 5).map((row, index) => ({ ...row, publish_at: at(index + 1) }));
	const { json } = await go(service, rows);
	expect(json.filter(({ outcome }) => outcome === 'created').length).toBeGreaterThan(3);
});

/** Posts have numbers, and an answer has the number of a job. */
const receipts = (lost = 0) => {
	let sent = 0;
	return backend({
		id: (number, kind) => (kind === 'posts' ? { id: number } : {}),
		created: ({ id }) =>
			++sent === lost
				? { status: 504 }
				: { status: 202, body: { data: { id: Number(id) + (lost > 0 ? 1 : -2) } } },
	});
};

test('the number in a receipt is not taken for that of an older post', async () => {
	const service = receipts();
	service.addPosts(OLD, { ...OLD, title: 'Older' });
	await go(service, rowsOfDays(service, 3));
	expect(posted(service)).toHaveLength(3);
});

test.each([{}, { type: 'offer' }])(
	'the number in a receipt makes no record its own: a lost row is found (%p)',
	async (more) => {
		const service = receipts(4);
		service.addPosts({ ...omit(OLD, 'publish_at'), ...more });
		const rows = rowsOfDays(service, 4).map((row) => ({ ...omit(row, 'publish_at'), ...more }));
		await go(service, rows, { whenToPublish: 'now' }, { atOnce: 1 });
		expect(posted(service)).toHaveLength(4);
	},
);
