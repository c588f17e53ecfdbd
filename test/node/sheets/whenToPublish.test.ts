import omit from 'lodash/omit';

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
	"with 'When to Publish' set to At Once",
];
const HOUR_AGO = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000)
	.toISOString()
	.replace('.000', '');
const NO_FIELD = ['The only content post read does not show a field publish_at'];

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
			[at('2027-12-24'), ['publish_at is Fri, Dec 24, 2027, 00:00 (Europe/Berlin), and']],
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
			[at('#REF!'), /publish_at: #REF! is what a failed formula leaves \|/],
		],
		MAPPED,
	],
	[
		'dates of both orders are one question',
		asks(['Write all of them the same way.'], at('12.24.2027'), at('25/12/2027')),
	],
])('%s', check(backend));

test('each row says when it goes live, with the zone, and one hint sums it up, with the shop', async () => {
	const rows = rowsOf(...[at('2027-12-03T09:00:00Z'), at('24.12.2027 10:00'), at('2027-12-10')]);
	for (const dryRun of [true, false]) {
		const { json, hints } = await post(showing(backend()), rows, { dryRun });
		expect(json.map(({ goes_live }) => goes_live)).toEqual([
			'Fri, Dec 3, 2027, 10:00 (Europe/Berlin)',
			'Fri, Dec 24, 2027, 10:00 (Europe/Berlin)',
			'Fri, Dec 10, 2027, 00:00 (Europe/Berlin)',
		]);
		expect(hints).toContain(
			'3 content posts for 1 location (Corner Bakery) go live between Dec 3 and Dec 24, 2027 (Europe/Berlin).',
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
	'%p is no choice: nothing is read or sent, and the message says what to choose',
	async (whenToPublish) => {
		const service = showing(backend());
		const { words, sent } = await post(service, days(2), { whenToPublish });
		const said =
			"'When to Publish' is not chosen | Nothing was sent. Choose At the Time in Each Row, or At Once.";
		for (const one of words) expect(one).toContain(said);
		expect([sent, service.requests]).toEqual([[], []]);
	},
);

// One value for a run: unit/rows.
test('an expression may choose', async () => {
	const rows = days(2).map((row) => ({ ...row, How: 'scheduled' }));
	const set = { whenToPublish: '={{ $json.How }}', ...options({ excludeColumns: 'How' }) };
	expect((await post(showing(backend()), rows, set)).sent).toHaveLength(2);
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
const SHIFTED =
	'1 content post went out, and the service shows another time: Fri, Dec 10, 2027, 11:00 (Europe/Berlin), not Fri, Dec 10, 2027, 10:00 (Europe/Berlin)';
const PUBLISHED = '1 content post went out, and the service shows another time: ';
const DROPPED = '1 content post went out, and the service shows no time, not Fri';
const HIDDEN =
	'1 content post went out, and planned posts are not listed, so a repeat would post them again';

test.each<[string, Service | (() => Service), INodeParameters, words: string]>([
	['shifts it by an hour', () => keeping(later), {}, SHIFTED],
	['shifts it, with Create Another One', () => keeping(later), CREATE, SHIFTED],
	['drops it', () => keeping(dropped), {}, DROPPED],
	['publishes it at once, and says so', () => keeping(publishes), {}, PUBLISHED],
	['says that without an offset', () => keeping(publishesHere), {}, PUBLISHED],
	['hides what is planned', () => keeping(same, hidden), {}, HIDDEN],
	[
		'shifts it, although the field is named',
		() => keeping(later),
		options({ publishTimeField: 'publish_at' }),
		SHIFTED,
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
		const { json } = await post(service, days(6).slice(1), { ...set, dryRun: true });
		for (const { action } of json) expect(action).toBe('invalid');
	},
);

test.each<[string, () => Service, INodeParameters]>([
	['keeps it', () => keeping(same), {}],
	['hides what is planned, with Create Another One', () => keeping(same, hidden), CREATE],
	[
		'hides what is planned, where the field is named',
		() => keeping(same, hidden),
		options({ publishTimeField: 'publish_at' }),
	],
	[
		'answers without it',
		() =>
			backend({ created: (data) => ({ status: 201, body: { data: omit(data, 'publish_at') } }) }),
		CREATE,
	],
	[
		'answers in another zone',
		() => keeping(({ publish_at }) => ({ publish_at: new Date(String(publish_at)).toISOString() })),
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

test('a list that lags is looked at until it shows the first post', async () => {
	let reads = 0;
	const service = keeping(same, (posts) => (posts.length > 0 && reads++ < 4 ? [] : posts));
	expect((await post(service, days(3))).sent).toHaveLength(3);
});

test('a time that is over proves nothing', async () => {
	const rows = rowsOf(at(HOUR_AGO), at('2027-12-10'), at('2027-12-11'));
	const { sent, words, json } = await post(keeping(dropped), rows);
	expect(json[0].goes_live).toMatch(/^at once, since its time is over: |not certain/);
	expect(sent).toHaveLength(2);
	expect(words[2]).toContain('went out, and the service shows no time');
});

test('where the node stops, it says how to go on', async () => {
	const { error, sent } = await post(keeping(later), days(3), CREATE, { settings: {} });
	expect([sent.length, error?.message]).toEqual([1, expect.stringMatching(/^1 content post went/)]);
	expect(error?.description).toContain('The rows after it were not sent.');
	// A repeat would post the first one twice.
	expect(error?.description).toMatch(/twice|remove|Run only/i);
	const skipping = await post(keeping(later), days(3), {}, { settings: {} });
	expect(skipping.error?.description).toMatch(/Do not run all items again: a second content post/);
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
		'mapped by hand, both have to be the same',
		asks(
			["The time stands in publish_at, and 'Publish Time Field' is scheduled_for"],
			christmas({}),
		),
		{ ...NAMED, ...MAPPED },
		'no posts',
	],
	[
		'a column of the usual name is no field there',
		asks(['no field of a content post: publish_at |'], christmas({})),
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
		'at once, a time to come in another field is asked about',
		asks(['A time to come stands in scheduled_for', 'It is one of: scheduled_for.'], {
			'Scheduled For': '2027-12-10',
		}),
		NOW,
		OTHER_TIME,
	],
	[
		'and so is one beside the usual field',
		asks(
			['A time to come stands in event_date', 'It is one of: publish_at, event_date.'],
			christmas({ event_date: '2027-12-10' }),
		),
		{},
		{ event_date: '2027-01-01' },
	],
	[
		'naming the field settles it',
		[[christmas({ event_date: '2027-12-10' }), { ...CHRISTMAS, event_date: '2027-12-10' }]],
		options({ publishTimeField: 'publish_at' }),
		{ event_date: '2027-01-01' },
	],
	[
		'at once, a column of the usual name may be excluded',
		[[{ 'Publish At': '2027-12-10' }, {}]],
		{ ...NOW, ...options({ excludeColumns: 'publish_at' }) },
		NO_TIME,
	],
])('a service that calls the time otherwise: %s', check(backend));
