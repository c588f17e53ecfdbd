import { comparedKeys, type JsonObject, type Matching } from '../../nodes/LocalSeo/client';
import { Existing } from '../../nodes/LocalSeo/rows/learn/existing';
import type { Facts } from '../../nodes/LocalSeo/rows/learn/facts';
import { decide } from '../../nodes/LocalSeo/rows/plan/decide';
import type { Draft } from '../../nodes/LocalSeo/rows/plan/plan';
import { twinsOf } from '../../nodes/LocalSeo/rows/plan/twins';
import { readRow, type Row } from '../../nodes/LocalSeo/rows/read/row';
import type { Source } from '../../nodes/LocalSeo/rows/read/source';
import { hintsOf } from '../../nodes/LocalSeo/rows/report/hints';
import { settingQuestions } from '../../nodes/LocalSeo/rows/learn/questions';
import type { Explained } from '../../nodes/LocalSeo/rows/item';
import { insight, location, operationOf, post } from '../../nodes/LocalSeo/resources';
import type { InputError } from '../../nodes/LocalSeo/text/inputError';

// A row is a plain value once it is read: none of these tests needs n8n.

const createPost = operationOf(post, 'create');

function sourceOf(columns: JsonObject, options: JsonObject = {}, more: JsonObject = {}): Source {
	const parameters: JsonObject = { fields: { mappingMode: 'autoMapInputData' }, options, ...more };
	return {
		...{ rows: [{ json: columns }], index: 0, item: 0, hasErrorOutput: false },
		...{ columns, panel: { locationId: '={{ $json.location_id }}', options, ...more } },
		...{ zone: 'Europe/Berlin', run: 'run 1' },
		parameter: (name, fallback) => parameters[name] ?? fallback,
		picked: (name) => (name === 'locationId' ? columns.location_id : ''),
		explain: (thrown) => thrown as Error,
	};
}

describe('a row is read once, into one value', () => {
	const when = { 'Publish At': '24.12.2026 10:00' };
	const columns = { location_id: 'loc_1', title: 'Open on Sunday', ...when, row_number: 3 };

	test('with its request, and what tells it from other rows', () => {
		const row = readRow(sourceOf(columns), post, createPost, false);
		expect(row.request).toEqual({
			...{ method: 'POST', path: '/locations/{locationId}/posts', query: {} },
			...{ ids: { locationId: 'loc_1' }, noun: 'content post' },
		});
		expect(row).toMatchObject({
			...{ columns, ifExists: 'skip', whenToPublish: '', publishTime: 'publish_at' },
			...{
				key: { run: 'run 1', row: 0 },
				mapping: { isAutomatic: true, mapped: [], added: [] },
			},
		});
		expect(row.problems.error).toBeUndefined();
	});

	test.each([undefined, '', null, 'soon', -1])('without a Max Wait, such as %p', (maxWait) => {
		const patience = (isTool: boolean) =>
			readRow(sourceOf(columns, { maxWait }), post, createPost, isTool).patienceMs;
		expect([false, true].map(patience)).toEqual([300_000, 30_000]);
	});

	test.each(['day', 'month', 'ask', ''])('with the Date Order %j', (dateOrder) => {
		const row = readRow(sourceOf(columns, { dateOrder }), post, createPost, false);
		expect(row.dateOrder).toBe(dateOrder || 'ask');
	});

	const mapped = (value: JsonObject) => ({ fields: { mappingMode: 'defineBelow', value } });
	test('where parallel calls of a tool share their place, by what they send', () => {
		const [one, same, other] = ['Open on Sunday', 'Open on Sunday', 'Open on Monday'].map(
			(title) => readRow(sourceOf({}, {}, mapped({ title })), post, createPost, true).key,
		);
		expect(one).toEqual(same);
		expect(one).not.toEqual(other);
	});

	test('of which all that is wrong is said at once, and of a broken value nothing else', () => {
		const broken = { summary: '#REF!', note: 'undefined' };
		const columns = { location_id: '', ...broken, number: Number('10155000000000001') };
		const source = sourceOf(columns, {}, mapped({ ...broken, number: columns.number }));
		const { problems } = readRow(source, post, createPost, false);
		const { message, description } = problems.error as InputError;
		expect(message.split('. ')).toEqual([
			'The location ID is empty: the row has nothing in "location_id"',
			'summary: #REF! is what a failed formula leaves',
			'note: undefined stands in place of a value',
			'number: 10155000000000000 is a number that cannot be kept exactly.',
		]);
		expect(description).toContain('Write it as text: have the step before give it in quotes.');
	});

	test.each<[unknown, string, string, JsonObject?]>([
		['', 'is empty', 'Use the column that holds the ID', { locationId: '={{ $now.none }}' }],
		[2 ** 60, 'is a number that cannot be kept exactly', 'Write IDs as text'],
		[{ id: 'loc_1' }, 'is an object: {"id":"loc_1"}', 'Map the part of it that holds the ID.'],
		[['loc_1', 'loc_2'], 'has several values: ["loc_1","loc_2"]', 'Split the row first'],
		['loc\u200b_1', 'has an invisible character', 'Retype the cell.'],
	])('with one ID of its location, and not %j', (...[location_id, what, advice, more]) => {
		const { problems } = readRow(sourceOf({ location_id }, {}, more), post, createPost, false);
		const { message, description } = problems.error as InputError;
		expect(message).toContain(`The location ID ${what}`);
		expect(description).toContain(advice);
	});

	test.each([
		[{ dateOrder: 'year' }, 'UTC', "'Date Order' must be ask, day or month"],
		[{}, 'Pacific', 'There is no time zone "Pacific"'],
		[{}, 'Mars', 'There is no time zone "Mars"', insight],
	])('with the options %j in the zone %s: %s', (...[options, zone, message, resource = post]) => {
		const source = { ...sourceOf(columns, options), zone };
		const [operation] = resource.operations;
		expect(() => readRow(source, resource, operation, false)).toThrow(message);
	});
});

/** The draft of a row that creates a record with these fields, or updates one. */
function draftOf(row: Row, fields: JsonObject, matching: Matching, more: Partial<Draft>): Draft {
	const { method, url: path } = row.operation.routing.request;
	const { noun } = row.resource;
	const request = { method, path, ids: {}, query: {}, noun, body: fields };
	const keys = comparedKeys(fields, matching);
	return { row, request, fields, matching, keys, address: 'list', content: '', ...more };
}

describe('a row is compared with what exists', () => {
	const there = { id: 'loc_1', name: 'Bakery East', address: '1 Main St', city: 'Boston' };
	const own = { name: 'Bakery East', address: '1 Main St' };
	const other = { name: 'Bakery West', address: '2 Main St' };

	interface Compared {
		resource?: typeof post;
		records?: JsonObject[];
		matching?: Matching;
		matchFields?: string[];
		shown?: string[];
		live?: Draft['live'];
	}
	/** The action for a row with some fields, and its record or what is sent; or why it is refused. */
	function decided(ifExists: Row['ifExists'], fields: JsonObject, compared: Compared = {}) {
		const { resource = location, records = [there], matchFields = [], live } = compared;
		const { matching: given = { fields: ['name', 'address'] }, shown } = compared;
		const matching = { isPermanent: resource.isPermanent, ...given };
		const operation = operationOf(resource, ifExists === 'update' ? 'upsert' : 'create');
		const about = { zone: 'Europe/Berlin', publishTime: matching.time };
		const row = { resource, operation, ifExists, matchFields, ...about } as Row;
		const draft = draftOf(row, fields, matching, { live });
		const facts = {
			...{ now: 0, lists: new Map([['list', new Existing({ records } as never)]]) },
			...{ isRepeat: () => false, fields: { seen: new Set(shown) } },
		} as unknown as Facts;
		const plan = decide(draft, facts, {});
		if (plan.action === 'invalid') {
			const { message, description } = plan.error as InputError;
			return `${message} | ${description}`;
		}
		if (plan.action === 'skip' || plan.action === 'unchanged') {
			return `${plan.action} ${JSON.stringify(plan.record)}`;
		}
		const { ids, body } = plan.request;
		return `${plan.action} ${ids.locationId ?? ''} ${JSON.stringify(body)}`;
	}
	const json = JSON.stringify;
	const coded = { ...there, zip: '01060', note: 'Fish &amp; chips', at: '2027-12-24T10:00:00Z' };
	const zoned = { zip: '1060', note: 'Fish & chips', at: '2027-12-24T11:00:00+01:00' };
	const EAST = 'Bakery East, Boston (loc_1)';

	const twins = { records: [there, { ...there, id: 'loc_2' }] };
	const bare = { records: [{ id: 'loc_1', name: 'Bakery East' }] };
	const zips = ['a', 'b'].map((id) => ({ id, zip: 1 }));
	const byZip = { records: zips, matching: { fields: ['zip'] } };
	const alike = `A similar location already exists: ${EAST}`;
	test.each<[Row['ifExists'], JsonObject, outcome: string, Compared?]>([
		['skip', own, `skip ${json(there)}`],
		['skip', other, `create  ${json(other)}`],
		['update', own, `unchanged ${json(there)}`],
		['update', { ...own, city: '0' }, 'upsert loc_1 {"city":"0"}'],
		// Equal as text: a repeat is to write what a row has.
		['update', { ...own, ...zoned }, '{"zip":"1060","note":"Fish & chips"}', { records: [coded] }],
		['update', { ...own, city: '0' }, 'has no ID', { records: [own] }],
		// It could not be deleted again.
		['skip', { ...own, address: '1, Main St.' }, alike],
		['update', { ...own, address: '01 main st' }, alike],
		['update', own, `2 locations match this row: ${EAST}; ${EAST.replace('1)', '2)')}`, twins],
		['skip', { name: 'Bakery East' }, 'The row has no value in address | Locations are told apart'],
		['skip', own, 'None of the existing locations shows address', bare],
		['skip', own, 'name or address | Without them', { records: [{}] }],
		['skip', own, 'They show: no fields.', { records: ['Bakery'] as never }],
		['update', { zip: 1 }, '2 locations match this row: a; b |', byZip],
		['skip', {}, 'The row has no value in any match field: name, address | Fill these columns'],
	])('to %s %j: %s', (...[ifExists, fields, outcome, compared]) => {
		expect(decided(ifExists, fields, compared)).toContain(outcome);
	});

	const old = { id: 'post_1', title: 'Sale', content: 'Now', publish_at: '2027-12-24T09:00:00Z' };
	const { publish_at } = old;
	const later = { title: 'Sale', content: 'Now', publish_at: '2028-01-07T09:00:00Z' };
	const matching = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
	const party = { ...later, title: 'Party', content: 'Then' };
	const repeated =
		/^A content post with this title and content is there for .*Dec.* 24.*2027.*; the row says .*Jan.* 7.*set the option 'Match Fields' to title, content, publish_at;/;
	const edited = /^A content post with this title is there, with another content \|/;
	const chosen = { matchFields: matching.fields };
	const justOver = { live: { at: -1 } as Draft['live'] };
	const overBeside = /^publish_at is over .* a content post with this title and content is there/;
	const at = (publish_at: unknown) => ({ records: [{ ...old, publish_at }] });
	const untimed = { records: [{ title: 'Old', content: 'Text' }] };
	test.each<[string, JsonObject, RegExp, Compared?]>([
		['the same texts at another time', later, repeated],
		['the same texts at another time, and Match Fields', later, /^create/, chosen],
		['a time, where none shows one', later, /shows publish_at \| Without it/, untimed],
		['a time, where another list does', later, /^create/, { ...untimed, shown: ['publish_at'] }],
		['the texts of one without a time', later, /is there without a time; the row/, at(null)],
		['the texts of one of a day', later, /is there for 2027-12-24; the row/, at('2027-12-24')],
		[
			'a time just over, and the texts of one without',
			later,
			overBeside,
			{ ...at(null), ...justOver },
		],
		['the same, and Match Fields', later, overBeside, { ...at(null), ...justOver, ...chosen }],
		['one without an ID', later, /if not, remove the row\.$/, { records: [{ ...old, id: '' }] }],
		['the same time and one text of several', { ...old, content: 'Now, and then' }, edited],
		['other texts', party, /^create/],
		['other texts at the same time', { ...party, publish_at }, /^create/],
		['all of them', { ...later, publish_at: '2027-12-24T10:00:00+01:00' }, /^skip .*post_1/],
		['a link more', { ...later, content: 'Now: https://example.com' }, /^create/],
		['a longer text', { ...later, content: 'Now and then' }, /^create/],
	])('a post with %s', (...[, fields, outcome, more]) => {
		const compared = { resource: post, records: [old], matching, ...more };
		expect(decided('skip', fields, compared)).toMatch(outcome);
	});
});

test.each([
	...['isDryRun Dry Run', 'whenToPublish When to Publish', 'dateOrder Date Order'],
	...['acceptsIncomplete Accept Incomplete Lists', 'publishTime Publish Time Field'],
	...['excluded Exclude Columns', 'ignoresExtraColumns Ignore Extra Columns'],
	'matchFields Match Fields',
])('%s has one value for a run', (setting) => {
	const [, name, label] = /^(\w+) (.+)$/.exec(setting)!;
	const rows = ['a', 'a', 'b'].map((value) => ({ [name]: value }) as unknown as Row);
	const said = ({ message }: Explained) => message;
	expect(settingQuestions(rows).map(said)).toEqual([`'${label}' differs between rows`]);
	expect(settingQuestions(rows.slice(0, 2))).toEqual([]);
});

describe('the rows of a run are compared with each other', () => {
	/** What the other rows mean for each: the first one that says the same, or why it is refused. */
	const twinsIn = (
		bodies: JsonObject[],
		{ resource = post, fields = ['title', 'content'], more = {} } = {},
	) => {
		const operation = operationOf(resource, 'create');
		const rows = bodies.map((json) => ({ json }));
		const matching = { fields, isPermanent: resource.isPermanent };
		const drafts = bodies.map((body, index) => {
			const row = { resource, operation, rows, index, matchFields: [], ...more } as unknown as Row;
			return draftOf(row, body, matching, { content: JSON.stringify(body) });
		});
		const twins = twinsOf(drafts);
		return drafts.map((draft) => {
			const { first, error } = twins.get(draft) ?? {};
			return error?.message ?? first;
		});
	};
	const sale = { title: 'Sale', content: 'Now' };
	const months = ['2027-01-01', '2027-02-01', '2027-03-01'].map((publish_at) => ({
		...sale,
		publish_at,
	}));

	test('with the same values, the later ones wait for the first; with others, all are refused', () => {
		expect(twinsIn([sale, { ...sale, title: 'Other' }, sale])).toEqual([undefined, undefined, 0]);
		const both = 'Items 1, 2 have the same title and content, and another image';
		expect(
			twinsIn([
				{ ...sale, image: 'a' },
				{ ...sale, image: 'b' },
			]),
		).toEqual([both, both]);
		const three = 'Items 1, 2, 3 have the same title and content, and another publish_at';
		expect(twinsIn(months)).toEqual([three, three, three]);
		// Create Another One sends each.
		expect(twinsIn([sale, sale], { more: { ifExists: 'create' } })).toEqual([undefined, undefined]);
	});

	test('locations that differ in punctuation alone are asked about, all of them', () => {
		const shops = ['12 Main St.', '12 main st', '0012 Main St'].map((address) => ({
			name: 'A',
			address,
		}));
		const how = { resource: location, fields: ['name', 'address'] };
		const said = /^Items 1, 2, 3 are similar: their name and address differ in punctuation/;
		expect(twinsIn(shops, how)).toEqual(Array(3).fill(expect.stringMatching(said)));
		// What the user names is compared, nothing else.
		expect(twinsIn(shops, { ...how, more: { matchFields: ['name', 'address'] } })).toEqual(
			Array(3).fill(undefined),
		);
	});
});

test('however many rows have something to note, ten notes are shown', () => {
	const rows = Array.from({ length: 130_000 }, () => ({ json: {} }));
	const end = { items: rows.slice(0, 1), includesInput: false, outcome: 'done' as const };
	const ends = rows.map((_, at) => ({ ...end, notes: [{ say: () => `Note ${at}` }] }));
	const notes = Array.from({ length: 10 }, (_, at) => `Note ${at}`);
	const run = { resource: post, operation: createPost, zone: 'UTC', hasErrorOutput: false };
	expect(hintsOf({ ...run, isRepeatable: true, isFiltered: false, rows, ends, notes: [] })).toEqual(
		notes,
	);
});
