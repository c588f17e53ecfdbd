import type { INodeParameters } from 'n8n-workflow';

import { useShortWatch } from '../../support/shortWatch';
import { type Fields, type Service, useBackend } from '../backend';
import {
	asks,
	at,
	type Case,
	check,
	christmas,
	CHRISTMAS,
	MAPPED,
	NO_TIME,
	NOW,
	options,
	OTHER_TIME,
	post,
	rowsOf,
	showing,
} from './outcomes';

// No post goes live by mistake: what the time of a row may mean is asked, and whether it is kept is proved.

useShortWatch();
const backend = useBackend();
const days = (count: number) =>
	rowsOf(...Array.from({ length: count }, (_, day) => at(`2027-12-1${day} 10:00`)));
const EMPTY = [
	'publish_at is empty, and a post without a time would go live at once',
	"set 'When to Publish' to At Once for this row",
];
const HOUR_AGO = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000)
	.toISOString()
	.replace('.000', '');
const NO_FIELD = ['No field publish_at in the 1 content post that was read'];

test.each<Case>([
	[
		'a row without a time is refused',
		[
			[at('2027-12-24 10:00'), at('2027-12-24T10:00:00+01:00')],
			[{ content: 'NOT TO BE PUBLISHED YET' }, EMPTY],
			[at(''), EMPTY],
		],
	],
	[
		'at once, one with a time is',
		[
			[at('2027-12-24'), ['The time is Fri, Dec 24, 2027, 00:00 (Europe/Berlin), and']],
			[{}, {}],
		],
		NOW,
	],
	[
		'a time that is over for more than a day is refused; a workflow may just run late',
		[
			[at('2020-05-01'), [`publish_at is over: Fri, May 1, 2020, 00:00 (Europe/Berlin) |`]],
			[at('2020-05-01T09:00'), ['publish_at is over: ']],
			[at(HOUR_AGO), at(HOUR_AGO)],
		],
	],
	[
		'a time that is refused is not also called empty',
		[
			[at('TBD'), /publish_at: "TBD" can't be read as a time \|/],
			[at('#REF!'), /publish_at: "#REF!" is what a failed formula leaves \|/],
		],
		MAPPED,
	],
	[
		'a date in another order than the one in force is a question, which names the row',
		asks(
			[
				'Item 2 ("Kuchen am Advent"): publish_at: "12.24.2027" has the month first |',
				"Correct the cell; or, if the month comes first in all of them, set 'Date Order' to Month First.",
			],
			at('25/12/2027'),
			at('12.24.2027'),
		),
	],
])('%s', check(backend));

test('each row says when it goes live, with the zone, and one hint sums it up, with the shop', async () => {
	const rows = rowsOf(...[at('2027-12-03T09:00:00Z'), at('24.12.2027 10:00'), at('2027-12-10')]);
	for (const dryRun of [true, false]) {
		const service = showing(backend());
		const { json, hints } = await post(service, rows, { dryRun });
		expect(json.map(({ goes_live }) => goes_live)).toEqual([
			'Fri, Dec 3, 2027, 10:00 (Europe/Berlin)',
			'Fri, Dec 24, 2027, 10:00 (Europe/Berlin)',
			'Fri, Dec 10, 2027, 00:00 (Europe/Berlin)',
		]);
		// Names are read for a dry run.
		const name = dryRun ? 'Corner Bakery' : service.location();
		expect(hints).toContain(
			`3 content posts for 1 location (${name}) go live between Dec 3 and Dec 24, 2027 (Europe/Berlin).`,
		);
	}
});

test.each([
	['UTC', true],
	['Etc/UTC', true],
	['Africa/Abidjan', false],
])('in %s, the hint says where the zone is set: %p', async (timezone, isSaid) => {
	const { hints } = await post(
		showing(backend()),
		rowsOf(at('24.12.2027 10:00')),
		{},
		{ timezone },
	);
	expect(hints.some((hint) => hint.includes(`(${timezone}). If your times are not`))).toBe(isSaid);
});

test('n8n runs no part of a workflow until it is chosen', async () => {
	const service = showing(backend());
	await expect(post(service, days(2), { whenToPublish: '' })).rejects.toThrow(
		'Parameter "When to Publish" is required.',
	);
});

test.each(['either', 'At Once', null, '={{ $json.no }}'])(
	'%p is no choice: nothing is sent, and the message says what to choose',
	async (whenToPublish) => {
		const service = showing(backend());
		const { words, sent } = await post(service, days(2), { whenToPublish });
		const said = "'When to Publish' is not chosen | Choose At the Time in Each Row, or At Once.";
		for (const one of words) expect(one).toContain(said);
		expect(sent).toEqual([]);
	},
);

test('an expression may choose row by row; any other value refuses its row', async () => {
	const [planned, ...others] = days(4).map((row) => ({ ...row, How: 'scheduled' }));
	const [now, late, odd] = others.map((row) => ({ ...row, publish_at: '', How: 'now' }));
	const rows = [planned, now, { ...late, How: 'scheduled' }, { ...odd, How: 'soon' }];
	const set = { whenToPublish: '={{ $json.How }}', ...options({ excludeColumns: 'How' }) };
	const { sent, json, words } = await post(showing(backend()), rows, set);
	expect(sent.map(({ publish_at }) => Boolean(publish_at)).sort()).toEqual([false, true]);
	expect(json.map(({ goes_live }) => goes_live)).toEqual([
		...['Fri, Dec 10, 2027, 10:00 (Europe/Berlin)', 'at once', undefined, undefined],
	]);
	expect(words[2]).toContain('publish_at is empty');
	expect(words[3]).toContain("'When to Publish' is not chosen");
});

// The proof of the time: what the service does to a post with a time to come.
type Answer = (post: Fields) => Fields;
/** It keeps, answers and lists what it makes of each post. */
const keeping = (change: Answer, shown: (posts: Fields[]) => Fields[] = (posts) => posts) =>
	backend({
		stores: (fields, kind) => (kind === 'posts' ? { ...fields, ...change(fields) } : fields),
		shows: (records, { path }) => (path.endsWith('posts') ? shown(records) : records),
	});
const later = ({ publish_at }: Fields) => ({
	publish_at: new Date(Date.parse(String(publish_at)) + 3_600_000).toISOString(),
});
const dropped = () => ({ publish_at: null });
const publishes = () => ({ publish_at: new Date().toISOString() });
const publishesHere = () => ({ publish_at: publishes().publish_at.slice(0, 19).replace('T', ' ') });
const same = () => ({});
/** Its lists show nothing that is still to come. */
const hidden = (posts: Fields[]) =>
	posts.filter(({ publish_at }) => !(Date.parse(String(publish_at)) > Date.now()));
const CREATE = { ifExists: 'create' };
const OUT = '1 content post went out, and its ';
const SHIFTED = `${OUT}publish_at is 2027-12-10T10:00:00.000Z, so no other one is sent`;
const DROPPED = `${OUT}publish_at is empty, so`;
const PUBLISHED = `${OUT}status is published, so`;
const HIDDEN = `${OUT}list does not show it, so`;
const published = () => ({ status: 'published', publish_on: undefined });

test.each<[string, Service | (() => Service), INodeParameters, words: string]>([
	['shifts it by an hour', () => keeping(later), {}, SHIFTED],
	['drops it', () => keeping(dropped), {}, DROPPED],
	['publishes it at once, and says so', () => keeping(publishes), {}, `${OUT}publish_at is 20`],
	['says that without an offset', () => keeping(publishesHere), {}, `${OUT}publish_at is 20`],
	['keeps it, and says that it is published', () => keeping(published), {}, PUBLISHED],
	[
		'knows no such field',
		// An older post shows one.
		() =>
			showing(
				keeping(() => ({ publish_at: undefined })),
				at('2026-01-01T10:00:00Z'),
			),
		{},
		'1 content post went out, and nothing shows its publish_at, so',
	],
	['hides what is planned', () => keeping(same, hidden), {}, HIDDEN],
	[
		'shifts it, although the field is named',
		() => keeping(later),
		options({ publishTimeField: 'publish_at' }),
		SHIFTED,
	],
	[
		'hides what is planned, although the field is named',
		() => keeping(same, hidden),
		options({ publishTimeField: 'publish_at' }),
		HIDDEN,
	],
])(
	'a service that %s: one post goes out, and then none, in this run and the next ones',
	async (_, start, set, words) => {
		const service = (start as () => Service)();
		const first = await post(service, days(6), set);
		expect(first.sent).toHaveLength(1);
		expect(first.json[0]).toMatchObject({ outcome: 'created', goes_live: 'not certain' });
		expect(first.json[0].warning).toContain(words);
		for (const one of first.words.slice(1)) expect(one).toContain(words);
		expect(first.hints.join()).not.toMatch(/go(es)? live on/);
		for (let run = 0; run < 3; run++) {
			const { sent } = await post(service, days(6).slice(1), set);
			expect(sent).toEqual([]);
		}
		const [row] = days(6).slice(1);
		const { json } = await post(service, [row, row], { ...set, dryRun: true });
		expect(json.map(({ action }) => action)).toEqual(['invalid', 'invalid']);
	},
);

test.each<[string, () => Service, INodeParameters]>([
	['keeps it', () => keeping(same), {}],
	['hides what is planned, with Create Another One', () => keeping(same, hidden), CREATE],
	[
		'says that all are published, where the field is named',
		() => keeping(published),
		options({ publishTimeField: 'publish_at' }),
	],
	['has no IDs', () => backend({ id: () => ({}) }), {}],
	[
		'cuts titles, and answers with its ID',
		() =>
			backend({
				stores: ({ title, ...post }) => ({ ...post, title: String(title).slice(0, 3) }),
				created: ({ id }) => ({ status: 202, body: { data: { id } } }),
			}),
		{},
	],
	[
		'answers without a zone',
		() => keeping(({ publish_at }) => ({ publish_at: String(publish_at).slice(0, 19) })),
		{},
	],
	[
		'answers with the day alone',
		() => keeping(({ publish_at }) => ({ publish_at: String(publish_at).slice(0, 10) })),
		CREATE,
	],
])('a service that %s: all posts go out', async (_, start, set) => {
	const service = start();
	const { sent, json } = await post(service, days(6), set);
	expect([sent.length, json.map(({ outcome }) => outcome)]).toEqual([6, Array(6).fill('created')]);
});

test('a list that hides planned posts stops Skip the Row alone', async () => {
	const service = keeping(same, hidden);
	await post(service, days(3));
	expect((await post(service, days(3).slice(1), CREATE)).sent).toHaveLength(2);
});

test('a list that lagged longer stops nothing for good: once it shows the post, the others go out', async () => {
	let reads = 0;
	const service = keeping(same, (posts) => (posts.length > 0 && reads++ < 4 ? [] : posts));
	const first = await post(service, days(3));
	expect([first.sent.length, first.json[0].warning]).toEqual([1, expect.stringContaining(HIDDEN)]);
	expect((await post(service, days(3))).sent).toHaveLength(2);
	// Nor in a week without a planned post.
	for (const one of service.all('posts')) one.publish_at = HOUR_AGO;
	expect(
		(
			await post(
				service,
				rowsOf(at('2028-01-01')).map((row) => ({ ...row, title: 'New', content: 'Year' })),
			)
		).sent,
	).toHaveLength(1);
});

test('an older post with the texts of the first one is not taken for it', async () => {
	const service = keeping(same, hidden);
	service.addPosts({ ...days(1)[0], publish_at: '2020-01-01T10:00:00Z' });
	const { json } = await post(service, days(2), options({ matchFields: 'title, publish_at' }));
	expect(json[0].warning).toContain(HIDDEN);
});

test.each([
	['its own 500', { status: 500, body: { message: 'No image' } }],
	['nothing', { status: 504 }],
])(
	'first posts that end in %s prove nothing: after three, no other one of the run is sent',
	async (_, answer) => {
		let failing = days(5).map(({ title }) => title);
		const service = backend({
			instead: ({ method, fields }) =>
				method === 'POST' && failing.includes(fields.title) ? answer : undefined,
		});
		const { words, sent } = await post(service, days(5));
		const stopped = expect.stringContaining('3 posts could not be confirmed, so the others');
		expect(words.slice(3)).toEqual([stopped, stopped]);
		expect(new Set(sent.map(({ title }) => title)).size).toBe(3);
		// Another run goes on, also where its first row is refused again.
		failing = failing.slice(0, 1);
		const rows = days(5).map((row) => ({ ...row, content: `Again: ${String(row.content)}` }));
		const { json } = await post(service, rows, options({ matchFields: 'title, content' }));
		expect(json.slice(1).map(({ outcome }) => outcome)).toEqual(Array(4).fill('created'));
	},
);

test('naming the field begins anew with one post, and vouches for its own runs alone', async () => {
	const service = keeping(dropped);
	const named = options({ publishTimeField: 'publish_at' });
	expect((await post(service, days(6))).sent).toHaveLength(1);
	expect((await post(service, days(6).slice(1, 3), named)).sent).toHaveLength(1);
	expect((await post(service, days(6).slice(3))).sent).toEqual([]);
});

test('a time that may be the moment of publishing in some zone proves nothing', async () => {
	const soon = new Date(Math.floor(Date.now() / 60_000 + 60) * 60_000).toISOString();
	const service = keeping(() => ({ publish_at: soon.slice(0, 19) }));
	const { sent } = await post(service, [...rowsOf(at(soon)), ...days(5).slice(1)]);
	expect(sent).toHaveLength(2);
});

test('a time that is over proves nothing', async () => {
	const rows = rowsOf(at(HOUR_AGO), at('2027-12-10'), at('2027-12-11'));
	const { sent, words, json } = await post(keeping(dropped), rows);
	expect(json[0].goes_live).toMatch(/^at once, since its time is over: |not certain/);
	expect(sent).toHaveLength(2);
	expect(words[2]).toContain(DROPPED);
});

test('where the node stops, it says how to go on', async () => {
	const { error, sent } = await post(keeping(later), days(3), CREATE, { settings: {} });
	expect([sent.length, error?.message]).toEqual([1, expect.stringMatching(/^1 content post went/)]);
	expect(error?.description).toContain("name the field with the time in 'Publish Time Field'");
	// A repeat would post the first one twice.
	expect(error?.description).toMatch(
		/Do not run all items again: those that succeeded would be posted twice/,
	);
});

const NAMED = { ...options({ publishTimeField: 'scheduled_for' }) };
const scheduled = { scheduled_for: CHRISTMAS.publish_at };
test.each<Case>([
	[
		'a field that is named takes the column of the usual one',
		[[christmas({}), scheduled]],
		NAMED,
		OTHER_TIME,
	],
	[
		'mapped by hand, a time in the usual one is none',
		[[christmas({}), ['scheduled_for is empty, and a post without a time would go live at once']]],
		{ ...NAMED, ...MAPPED },
		'no posts',
	],
	[
		'at once, a column of the usual name is no other column: the row has a time',
		asks(['The time is Fri, Dec 24, 2027, 00:00 (Europe/Berlin), and'], christmas({})),
		NOW,
		NO_TIME,
	],
	[
		'where posts show another field, the name is asked for',
		asks([...NO_FIELD, "in the option 'Publish Time Field'"], christmas({})),
		{ ...MAPPED, ...options({ matchFields: 'title' }) },
		OTHER_TIME,
	],
	[
		'with automatic mapping, one question about the time is asked, and none about its column',
		asks(
			/^No field publish_at in .* Name the field with the time (?!.*Exclude Columns)/,
			christmas({}),
		),
		{},
		OTHER_TIME,
	],
	[
		'a time beside the usual field is read as one, without a question',
		[
			[
				christmas({ event_date: '2027-12-10' }),
				{ ...CHRISTMAS, event_date: '2027-12-10T00:00:00+01:00' },
			],
		],
		{},
		{ event_date: '2027-01-01T10:00:00Z' },
	],
])('a service that calls the time otherwise: %s', check(backend));

test('a lost row is not taken for another one whose record has its texts', async () => {
	let posts = 0;
	const service = backend({
		instead: ({ method }) => (method === 'POST' && posts++ === 0 ? { status: 504 } : undefined),
	});
	service.addPosts({ title: 'By hand', content: 'Planned', publish_at: '2098-12-01T10:00:00Z' });
	const sale = { title: 'Sale', content: 'All week' };
	const { json } = await post(service, rowsOf(sale, { ...sale, ...at('2098-01-15 17:00') }), {
		whenToPublish: "={{ $json.publish_at ? 'scheduled' : 'now' }}",
	});
	expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
	expect(service.all('posts')).toHaveLength(3);
});
