import type { INodeParameters } from 'n8n-workflow';

import { useShortWatch } from '../../support/shortWatch';
import { type Service, useBackend } from '../backend';
import {
	asks,
	at,
	type Case,
	check,
	christmas,
	CHRISTMAS,
	EITHER,
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
	"set 'When to Publish' to At Its Time, or at Once Without One",
];
const HOUR_AGO = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 3_600_000)
	.toISOString()
	.replace('.000', '');
const SEND = "in the option 'Additional Fields', and set 'Match Fields' to title. If";
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
		'what is no time is refused by name and value',
		['folgt', '24. Dezember 2027', 'n/a', '10:00', '2027-06'].map((value) => [
			at(value),
			[`publish_at: "${value}"`, '| This row was not sent. '],
		]),
		EITHER,
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
			[at('#REF!'), /publish_at: #REF! is the error of a formula \|/],
		],
		{ ...EITHER, ...MAPPED },
	],
	[
		'where two days are possible, Date Order is asked for',
		[
			[
				at('03/04/2027'),
				[
					'publish_at: "03/04/2027" makes two days',
					"Set 'Date Order' to Month First (4 March) or Day First (3 April).",
				],
			],
		],
	],
	[
		'a date of another order is a question',
		asks(
			['"12/24/2027" has the month first, and "03/04/2027" may have it'],
			...[at('03/04/2027'), at('12/24/2027')],
		),
		options({ dateOrder: 'day' }),
	],
	[
		'dots with the month first are one, too',
		asks(["Set 'Date Order' to Month First."], at('12.24.2027'), at('03.04.2027')),
	],
	['also alone', asks(['has the month first'], at('12.24.2027'))],
	[
		'in a field of days, one is its midnight in the zone of the workflow',
		[[at('2020-05-01'), ['is over: Fri, May 1, 2020, 00:00 (Europe/Berlin) |']]],
		{},
		at('2099-01-01'),
	],
	...['12.24.2027', '12-24-2027'].map(
		(one): Case => [
			`dates of both orders are one question: ${one}`,
			asks(['Write all of them the same way.'], at(one), at('25/12/2027')),
		],
	),
])('%s', check(backend));

test('each row says when it goes live, with the zone, and one hint sums it up', async () => {
	const rows = rowsOf(
		...[at('2027-12-03T09:00:00Z'), at('24.12.2027 10:00'), at(''), at('2027-12-10')],
	);
	for (const dryRun of [true, false]) {
		const { json, hints } = await post(showing(backend()), rows, { ...EITHER, dryRun });
		expect(json.map(({ goes_live }) => goes_live)).toEqual([
			'Fri, Dec 3, 2027, 10:00 (Europe/Berlin)',
			'Fri, Dec 24, 2027, 10:00 (Europe/Berlin)',
			'at once',
			'Fri, Dec 10, 2027, 00:00 (Europe/Berlin)',
		]);
		expect(hints).toContain(
			'4 content posts: 3 go live between Dec 3 and Dec 24, 2027 (Europe/Berlin), 1 at once (item 3).',
		);
	}
});

/** It keeps what it knows, and publishes at once without a time. */
const forgetful = (from = '') =>
	backend({
		instead: ({ fields }) => {
			if (String(fields.publish_at) > from) delete fields.publish_at;
			return undefined;
		},
	});
/** It answers each post with one example. */
const mock = () => {
	const data = { ...at('2026-01-05T09:30:00Z'), id: 'post_1', title: 'Example', content: 'Text' };
	return showing(backend({ created: () => ({ status: 201, body: { data } }) }), data);
};
/** Its answers have an ID alone, and its lists can't be read from then on. */
const closed = () => {
	const isPosted = () => service.sent('POST').length > 0;
	const service: Service = backend({
		created: ({ id }) => ({ status: 201, body: { data: { id } } }),
		instead: ({ method }) => (method === 'GET' && isPosted() ? { status: 403 } : undefined),
	});
	return service;
};
const UNSEEN =
	'1 content post went out, and its time, Fri, Dec 10, 2027, 10:00 (Europe/Berlin), is';

test.each<[string, () => Service, INodeParameters?]>([
	['it is forgotten', forgetful],
	['it is forgotten, with Create Another One', forgetful, { ifExists: 'create' }],
	['a mock answers with its example', mock],
	['the list can not be read afterwards', closed, { ifExists: 'create' }],
])(
	'a service that calls the time otherwise: of six rows one post goes out, and the run stops: %s',
	async (_, start, set = {}) => {
		const { words, json, hints, sent } = await post(start(), days(6), set);
		expect(sent).toHaveLength(1);
		expect(json[0].id).toBeDefined();
		expect(json[0]).toMatchObject({ goes_live: 'not certain' });
		expect(json[0].warning).toContain(`${UNSEEN} not to be seen in the answer`);
		for (const one of words.slice(1)) {
			expect(one).toContain(`${UNSEEN} not to be seen in the answer`);
			expect(one).toContain("in the option 'Publish Time Field'");
			if (start === mock) continue;
			expect(one).toContain("without showing it, send it in the option 'Additional Fields'");
			const isCompared = one.includes(", and set 'Match Fields' to title, content.");
			expect(isCompared).toBe(set.ifExists !== 'create');
		}
		expect(hints.join()).toContain("in the option 'Publish Time Field'");
		expect(hints.join()).not.toMatch(/go(es)? live on/);
	},
);

test.each(['skip', 'create'])(
	'where the node stops, it says how to go on: %s',
	async (ifExists) => {
		const { error, sent } = await post(mock(), days(3), { ifExists }, { settings: {} });
		expect([sent.length, error?.message]).toEqual([
			1,
			expect.stringMatching(/^1 content post went/),
		]);
		expect(error?.description).toContain('The rows after it were not sent.');
		if (ifExists === 'skip') return;
		// A repeat would post the first one twice.
		expect(error?.description).toContain('post_1');
		expect(error?.description).toMatch(/twice|remove|Run only/i);
	},
);

test('a first post that may have gone out stops the run, too', async () => {
	const service = backend({ created: () => ({ status: 504 }) });
	const { sent, words } = await post(service, days(3), { ifExists: 'create' });
	expect(sent).toHaveLength(1);
	expect(words[0]).toContain('Could not confirm whether the content post was created');
	for (const one of words.slice(1)) expect(one).toContain(UNSEEN.replace('went', 'may have gone'));
});

test('a service that calls the time otherwise: a time that is over proves nothing', async () => {
	const rows = rowsOf(at(HOUR_AGO), at('2027-12-10'), at('2027-12-11'));
	const { sent, words, json } = await post(forgetful('2027-01-02'), rows);
	expect(json[0].goes_live).toMatch(/^at once, since its time is over: /);
	expect(sent).toHaveLength(2);
	expect(words[2]).toContain('is not to be seen in the answer');
});

test('a service that calls the time otherwise: whoever names the field vouches for it', async () => {
	const { sent } = await post(forgetful(), days(3), options({ publishTimeField: 'Publish At' }));
	expect(sent).toHaveLength(3);
});

test('a service that calls the time otherwise: what its message says to set is all that has to be set', async () => {
	const service = forgetful();
	await post(service, days(4));
	const publishAt = { name: 'publish_at', type: 'dateTime', value: '={{ $json.publish_at }}' };
	const { json } = await post(service, days(4), {
		options: { additionalFields: { fields: [publishAt] }, matchFields: 'title, content' },
	});
	expect(json.map(({ outcome, error }) => error ?? outcome)).toEqual([
		...['skipped', 'created', 'created', 'created'],
	]);
});

test('a service that calls the time otherwise: a repeat of the run (Retry On Fail) sends no second one', async () => {
	const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
	const create = { ...MAPPED, ifExists: 'create' };
	const { sent, error } = await post(forgetful(), days(4), create, { settings });
	expect([sent.length, error === undefined]).toEqual([1, false]);
});

test('a service that calls the time otherwise: one post goes out in all rounds of a loop, and all where times are kept', async () => {
	for (const [service, posts] of [[forgetful(), 1] as const, [backend(), 6] as const]) {
		service.addPosts({ title: 'Old', content: 'Text', ...at('2026-01-05T09:30:00Z') });
		const { sent } = await post(service, days(6), { ifExists: 'create' }, { atOnce: 2 });
		expect(sent).toHaveLength(posts);
	}
});

const NAMED = { ...EITHER, ...options({ publishTimeField: 'scheduled_for' }) };
const scheduled = { scheduled_for: CHRISTMAS.publish_at };
test.each<Case>([
	[
		'a field that is named takes the column of the usual one',
		[[christmas({}), scheduled]],
		NAMED,
		OTHER_TIME,
	],
	['also on a new account', [[christmas({}), scheduled]], NAMED, 'no posts'],
	['and its own column', [[{ 'Scheduled For': '2027-12-24' }, scheduled]], NAMED, OTHER_TIME],
	[
		'mapped by hand, both have to be the same',
		asks(
			["The time stands in publish_at, and 'Publish Time Field' is scheduled_for"],
			christmas({}),
		),
		{ ...NAMED, ...MAPPED },
		'no posts',
	],
	...[EITHER, NOW].map(
		(when): Case => [
			'a column that may be the time is asked about, also where extra columns are ignored',
			asks(NO_FIELD, christmas({}), at('2027-12-11')),
			{ ...when, ...options({ ignoreExtraColumns: true }) },
			OTHER_TIME,
		],
	),
	[
		'no message advises to leave it out',
		asks(/^(?!.*'Exclude Columns': [^.]*publish_at).*a field publish_at/s, christmas({})),
		EITHER,
		OTHER_TIME,
	],
	[
		'where posts show another field, the name is asked for',
		asks([...NO_FIELD, "in the option 'Publish Time Field'", SEND], christmas({})),
		{ ...MAPPED, ...options({ matchFields: 'title, publish_at' }) },
		OTHER_TIME,
	],
	[
		'at once, other dates are fields like others',
		[[{ event_date: '2027-12-10' }, { event_date: '2027-12-10' }]],
		NOW,
		{ ...NO_TIME, event_date: '2027-01-01' },
	],
	[
		'at once, a column of the usual name may be excluded',
		asks(["name publish_at in 'Exclude Columns'"], { 'Publish At': '2027-12-10' }),
		NOW,
		NO_TIME,
	],
	[
		'and is no longer asked about',
		[[{ 'Publish At': '2027-12-10' }, {}]],
		{ ...NOW, ...options({ excludeColumns: 'publish_at' }) },
		NO_TIME,
	],
])('a service that calls the time otherwise: %s', check(backend));
