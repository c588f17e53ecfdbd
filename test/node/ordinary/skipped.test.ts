import { columns } from '../../support/fixture';
import { createPosts, postSheet } from '../../support/sheet';
import { type Fields, metaOf, type Switches, useBackend } from './backend';
import { rowsFor, saidIn } from './rows';

// If It Already Exists: Skip the Row. A row is skipped if the keys of its match fields are those of a record
// in the list, or of one that this process has made a few minutes ago. Any other row is sent at once, or asked about.

const backend = useBackend();

const MINUTE = 60_000;
const isNew = ({ created_at }: Fields) => Date.now() - Date.parse(String(created_at)) < MINUTE;

/** Lists that do not show all that was created, or not as it was sent. */
const HIDES: Record<string, Partial<Switches>> = {
	nothing: {},
	'drafts are hidden, or a minute late': { shows: (all) => all.filter((post) => !isNew(post)) },
	'all is hidden': { shows: () => [] },
	'only the newest two': { shows: (all) => all.slice(-2).reverse() },
	'texts are translated': {
		stores: ({ title, content }) => ({ title: `« ${String(title)} »`, content: `${content}!` }),
	},
	'texts are cut': {
		stores: ({ title, content }) => ({ title, content: `${String(content).slice(0, 9)}…` }),
	},
	'no dates': { createdAt: () => undefined },
	'a cache that says its age': { staleness: MINUTE, saysAge: true },
};
/** Answers to a create, and whether they give an ID. */
const GIVES: Record<string, [Switches['created'], boolean]> = {
	'the record': [(data) => ({ status: 201, body: { data } }), true],
	'202 with an ID': [({ id }) => ({ status: 202, body: { data: { id, status: 'queued' } } }), true],
	'202 with a job': [() => ({ status: 202, body: { data: { job_id: 'job_1' } } }), false],
	nothing: [() => ({ status: 201 }), false],
};
const cases = Object.keys(HIDES).flatMap((hides) =>
	Object.keys(GIVES).map((gives) => [hides, gives] as const),
);

describe.each([0, 20])('%i posts are there', (count) => {
	test.each(cases)('hides: %s; a create gives %s', async (hides, gives) => {
		const [created, isKnown] = GIVES[gives];
		const service = backend({ ...HIDES[hides], created });
		service.addPosts(count);
		const rows = rowsFor(service);
		const idsOf = (records: object[]) => records.map((record) => (record as { id?: unknown }).id);
		const first = await service.run(postSheet, rows);
		expect([first.error, first.json.length]).toEqual([undefined, 3]);
		// Rows are sent side by side: they may arrive in any order.
		const made = idsOf(service.records.posts.slice(count)).sort();
		if (isKnown) expect(idsOf(first.json).sort()).toEqual(made);
		expect(service.countOf('POST')).toBe(3);

		// Other rows: at once.
		const others = await service.run(postSheet, rowsFor(service, 2, 'Event'));
		expect([others.error, others.waited]).toEqual([undefined, false]);
		expect(others.json.map(({ skipped }) => skipped)).toEqual([undefined, undefined]);
		expect(service.countOf('POST')).toBe(5);

		// The same rows.
		const again = await service.run(postSheet, [...rows].reverse());
		expect([again.error, again.waited]).toEqual([undefined, false]);
		expect(again.json.map(({ skipped }) => skipped)).toEqual([true, true, true]);
		if (isKnown) {
			expect(idsOf(again.json)).toEqual(idsOf(first.json).reverse());
		}
		expect(service.countOf('POST')).toBe(5);
		// Three readings of the list; where it shows no posts, the fields are looked for elsewhere.
		const paths = service.calls.filter(({ method }) => method === 'GET').map(({ path }) => path);
		const own = paths.filter((path) => path.includes(service.location()));
		expect(own.length).toBeLessThanOrEqual(3 * (count > 0 ? 2 : 1));
		expect(paths.length - own.length).toBeLessThanOrEqual(
			count > 0 && hides !== 'all is hidden' ? 0 : 3 * 2,
		);
	});
});

describe('a post with a time', () => {
	const AT = '2099-12-24T10:00:00Z';
	const start = (there: Fields) => {
		const service = backend();
		const [row] = rowsFor(service, 1);
		service.add('posts', { ...row, title: 'Else', publish_at: '2027-01-01T00:00:00Z' });
		service.add('posts', { ...row, publish_at: AT, ...there });
		return { service, row: { ...row, publish_at: AT } };
	};

	test.each<[string, Fields, 'skipped' | 'created' | RegExp]>([
		['is there', {}, 'skipped'],
		[
			'is there, in another form of the time',
			{ publish_at: '2099-12-24 05:00:00-05:00' },
			'skipped',
		],
		[
			'is there for another time',
			{ publish_at: '2099-01-07T10:00:00Z' },
			/this title and content is there for .+; the row says/,
		],
		[
			'is there, and went out at once',
			{ publish_at: null },
			/this title and content is there for .+; the row says/,
		],
		[
			'is there with another title',
			{ title: 'Other' },
			/this content is there for .+, with another title/,
		],
		[
			'is there with another text',
			{ content: 'Other' },
			/this title is there for .+, with another content/,
		],
		['is there with other texts', { title: 'Other', content: 'Other' }, 'created'],
		['is there with one text, for another time', { title: 'Other', publish_at: null }, 'created'],
	])('that %s: %3$p', async (_, there, outcome) => {
		const { service, row } = start(there);
		const { error, json } = await service.run(postSheet, [row]);
		if (outcome instanceof RegExp) {
			expect(error?.message).toMatch(outcome);
			expect(error?.description).toMatch(/'Match Fields' to title, content, publish_at/);
		} else {
			expect([error, json[0].skipped]).toEqual([
				undefined,
				outcome === 'skipped' ? true : undefined,
			]);
		}
		expect(service.countOf('POST')).toBe(outcome === 'created' ? 1 : 0);
	});

	test('Match Fields say that it is another post', async () => {
		const { service, row } = start({ publish_at: null });
		const options = { matchFields: 'title, content, publish_at' };
		const { error } = await service.run({ ...postSheet, options }, [row]);
		expect([error, service.countOf('POST')]).toEqual([undefined, 1]);
		const again = await service.run({ ...postSheet, options }, [row]);
		expect(again.json).toMatchObject([{ skipped: true }]);
	});

	test('a row without a time is compared by its texts alone', async () => {
		const { service, row } = start({});
		const { json } = await service.run(postSheet, [{ ...row, publish_at: '' }]);
		expect(json).toMatchObject([{ skipped: true }]);
	});
});

test.each<[string, Partial<Switches>]>([
	[
		'texts have other names',
		{ stores: ({ title, content }) => ({ headline: title, body: content }) },
	],
	[
		'records are those of JSON:API',
		{
			page: ({ data, ...page }) => ({
				body: {
					data: data.map(({ id, ...attributes }) => ({ type: 'posts', id, attributes })),
					meta: metaOf({ data, ...page }),
				},
			}),
		},
	],
])('%s: rows would be created in every run, so they are refused', async (_, switches) => {
	const service = backend(switches);
	const first = await service.run(postSheet, rowsFor(service));
	expect([...saidIn(first), first.json.length]).toEqual([3]);
	const other = rowsFor(service, 1, 'Event');
	const { error } = await service.run(postSheet, other);
	expect(error?.message).toContain('read shows these columns: title, content');
	const mapped = columns({ title: '={{ $json.title }}', content: '={{ $json.content }}' });
	for (const dryRun of [true, false]) {
		const settings = { onError: 'continueRegularOutput' as const };
		const { json } = await service.run({ ...postSheet, fields: mapped, dryRun }, other, {
			settings,
		});
		expect(JSON.stringify(json[0].problem ?? json[0].error)).toContain(
			'None of the existing content posts shows title or content',
		);
	}
	expect(service.countOf('POST')).toBe(3);
});

test('rows with other columns are recognized by those that Match Fields names', async () => {
	const service = backend({ stores: ({ text, headline }) => ({ text, headline }) });
	const location_id = service.location();
	service.add('posts', { location_id, text: 'Old', headline: 'A' });
	const rows = ['one', 'two'].map((text) => ({ location_id, text, headline: `Of ${text}` }));
	const { error: asked } = await service.run(postSheet, rows);
	expect(asked?.message).toContain('The row has no value in any match field: title, content');
	const sheet = { ...postSheet, options: { matchFields: 'text' } };
	const { json, error } = await service.run(sheet, rows);
	expect([json, error]).toEqual([service.records.posts.slice(1), undefined]);
	const again = await service.run(sheet, rows);
	expect(again.json.map(({ skipped }) => skipped)).toEqual([true, true]);
	expect(service.countOf('POST')).toBe(2);
});

test.each([403, 404, 405])('%i for the list: what to set instead is named', async (status) => {
	const service = backend({ page: () => ({ status, body: { message: 'Not for this plan' } }) });
	const { error } = await service.run(postSheet, rowsFor(service));
	expect(error?.description).toContain("'Create Another One'");
	expect(error?.description).toContain('Not for this plan');
	expect(service.countOf('POST')).toBe(0);
	const { json } = await service.run(createPosts, rowsFor(service));
	expect(json).toEqual(service.records.posts);
});

test('a keyword that the list hides is skipped the second time, in any case', async () => {
	const service = backend({ shows: () => [] });
	const { locationId } = postSheet;
	const add = { resource: 'keyword', operation: 'create', locationId, ifExists: 'skip' };
	const rows = ['plumber', 'Plumber ', 'boiler repair'].map((keyword) => ({
		location_id: service.location(),
		keyword,
	}));
	const fields = columns({ keyword: '={{ $json.keyword }}' });
	const first = await service.run({ ...add, fields }, rows);
	expect(first.json.map(({ skipped }) => skipped)).toEqual([undefined, true, undefined]);
	const again = await service.run({ ...add, fields }, [rows[0], rows[2]]);
	expect(again.json).toEqual(service.records.keywords.map((one) => ({ ...one, skipped: true })));
	expect(service.countOf('POST')).toBe(2);
});
