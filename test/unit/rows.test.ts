import type { JsonObject } from '../../nodes/LocalSeo/client';
import type { Facts } from '../../nodes/LocalSeo/rows/learn/facts';
import { ComparedList } from '../../nodes/LocalSeo/rows/learn/list';
import { decide } from '../../nodes/LocalSeo/rows/plan/decide';
import { comparing, filledIn } from '../../nodes/LocalSeo/rows/plan/match';
import type { Draft } from '../../nodes/LocalSeo/rows/plan/plan';
import {
	contentOf,
	groupsOf,
	subjectOf,
	twinsIn as twinsInGroup,
} from '../../nodes/LocalSeo/rows/plan/twins';
import { readRow, type Row } from '../../nodes/LocalSeo/rows/read/row';
import type { Source } from '../../nodes/LocalSeo/rows/read/source';
import { insight, location, operationOf, post } from '../../nodes/LocalSeo/resources';
import type { InputError } from '../../nodes/LocalSeo/text/inputError';
import { sourceOf as plainSource } from '../support/plainRows';

// A row is a plain value once it is read: none of these tests needs n8n.

const createPost = operationOf(post, 'create');

function sourceOf(columns: JsonObject, options: JsonObject = {}, more: JsonObject = {}): Source {
	const fields = { mappingMode: 'autoMapInputData' };
	const panel = { locationId: '={{ $json.location_id }}', fields, options, ...more };
	const picked = (name: string) => (name === 'locationId' ? columns.location_id : '');
	return plainSource([columns], 0, panel, { picked });
}

describe('a row is read once, into one value', () => {
	const when = { 'Publish At': '24.12.2026 10:00' };
	const columns = { location_id: 'loc_1', title: 'Open on Sunday', ...when, row_number: 3 };

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
			'summary: "#REF!" is what a failed formula leaves',
			'note: "undefined" stands in place of a value',
			"number: 10155000000000000 can't be kept exactly.",
		]);
		expect(description).toContain('Have the step before give it as text.');
	});

	test.each<[unknown, string, string]>([
		['', 'is empty', "onto 'Location'. The row has: \\ufefflocation_id, title."],
		[2 ** 60, 'is no text: 1152921504606847000', 'Map a column that holds the ID of one location'],
		[{ id: 'loc_1' }, 'is no text: {"id":"loc_1"}', 'Map a column'],
		[['loc_1'], 'is no text: ["loc_1"]', 'Map a column'],
		['loc\u200b_1', 'has an invisible character', 'Retype the cell.'],
	])('with one ID of its location, and not %j', (location_id, what, advice) => {
		const columns = { '\ufefflocation_id': 'loc_1', title: 'A' };
		const source = { ...sourceOf(columns), picked: () => location_id };
		const { problems } = readRow(source, post, createPost, false);
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
function draftOf(row: Row, fields: JsonObject, more: Partial<Draft> = {}): Draft {
	const { method, url: path } = row.operation.routing.request;
	const { noun } = row.resource;
	const request = { method, path, ids: {}, query: {}, noun, body: fields };
	return { row, request, fields, ...more };
}
const LIST = JSON.stringify(['/locations', {}]);

describe('a row is compared with what exists', () => {
	const there = { id: 'loc_1', name: 'Bakery East', address: '1 Main St', city: 'Boston' };
	const own = { name: 'Bakery East', address: '1 Main St', city: 'Boston' };
	const other = { name: 'Bakery West', address: '2 Main St', city: 'Boston' };

	interface Compared {
		resource?: typeof post;
		records?: unknown[];
		matchFields?: string[];
		shown?: string[];
		publishTime?: string;
		live?: Draft['live'];
		now?: number;
		/** What other rows of the run fill. */
		filled?: JsonObject;
		isPublishTimeChosen?: boolean;
	}
	/** The action for a row with some fields, and its record or what is sent; or why it is refused. */
	function decided(ifExists: Row['ifExists'], fields: JsonObject, compared: Compared = {}) {
		const {
			resource = location,
			records = [there],
			live,
			now = 0,
			filled = {},
			...more
		} = compared;
		const operation = operationOf(resource, ifExists === 'update' ? 'upsert' : 'create');
		const { publishTime } = resource;
		const whenToPublish = 'publish_at' in fields ? 'scheduled' : 'now';
		const about = { zone: 'Europe/Berlin', publishTime, whenToPublish, matchFields: [], ...more };
		const row = { resource, operation, ifExists, ...about } as unknown as Row;
		const draft = draftOf(row, fields, { live });
		const list = new ComparedList({ records } as never);
		const key = resource === location ? LIST : JSON.stringify([draft.request.path, {}]);
		const facts = {
			...{ now, lists: new Map([[key, list]]), columns: { matchFields: about.matchFields } },
			fields: { seen: new Set(more.shown), showsAhead: () => false },
		} as unknown as Facts;
		const compare = comparing(filledIn([draft, draftOf(row, filled)]), facts);
		const plan = decide(compare(draft), facts);
		if (plan.action === 'invalid') {
			const { message, description } = plan.error as InputError;
			return `${message} | ${description}`;
		}
		if (plan.action === 'skip' || plan.action === 'unchanged') {
			return `${plan.action} ${JSON.stringify('record' in plan ? plan.record : plan.sameAs)}`;
		}
		const { ids, body } = plan.request;
		return `${plan.action} ${ids.locationId ?? ''} ${JSON.stringify(body)}`;
	}
	const json = JSON.stringify;
	const coded = { ...there, zip: '01060', note: 'Fish &amp; chips', at: '2027-12-24T10:00:00Z' };
	const zoned = { zip: '1060', note: 'Fish & chips', at: '2027-12-24T11:00:00+01:00' };
	const EAST = 'Bakery East, Boston (loc_1)';

	const twins = { records: [there, { ...there, id: 'loc_2' }] };
	const bare = { records: [{ id: 'loc_1', name: 'Bakery East', city: 'Boston' }] };
	const zips = ['a', 'b'].map((id) => ({ id, zip: 1 }));
	const byZip = { records: zips, matchFields: ['zip'] };
	const unlike = 'A location with this name and address is there (ID loc_1), with another city';
	test.each<[Row['ifExists'], JsonObject, outcome: string, Compared?]>([
		['skip', own, `skip ${json(there)}`],
		['skip', other, `create  ${json(other)}`],
		// It could not be deleted again: words count, and no punctuation.
		['skip', { ...own, address: '1, Main St.' }, `skip ${json(there)}`],
		['skip', { ...own, address: '11 Main St' }, 'create'],
		['skip', { ...own, city: 'Boston, MA' }, unlike],
		['skip', { ...own, city: 'Salem' }, 'create', { matchFields: ['name', 'address', 'city'] }],
		['update', own, `unchanged ${json(there)}`],
		['update', { ...own, zip: '0' }, 'update loc_1 {"zip":"0"}'],
		// Equal as text: a repeat is to write what a row has.
		['update', { ...own, ...zoned }, '{"zip":"1060","note":"Fish & chips"}', { records: [coded] }],
		['update', { ...own, zip: '0' }, 'has no ID', { records: [own] }],
		['update', own, `2 locations match this row: ${EAST}; ${EAST.replace('1)', '2)')}`, twins],
		['skip', { name: 'Bakery East' }, 'The row has no address, by which', { filled: own }],
		['skip', { name: 'Bakery East', city: 'Boston' }, `skip ${json(there)}`],
		['skip', own, 'None of the existing locations shows address, so yours', bare],
		['skip', own, "in the option 'Match Fields': there are none", { records: ['Bakery'] }],
		['update', { ...own, city: 'Salem' }, "To change it, set the option 'Match Fields'"],
		['update', { zip: 1 }, '2 locations match this row: a; b |', byZip],
		['skip', { zip: 1 }, 'The row has no name or address or city, by which'],
	])('to %s %j: %s', (...[ifExists, fields, outcome, compared]) => {
		expect(decided(ifExists, fields, compared)).toContain(outcome);
	});

	const old = { id: 'post_1', title: 'Sale', content: 'Now', publish_at: '2027-12-24T09:00:00Z' };
	const later = { title: 'Sale', content: 'Now', publish_at: '2028-01-07T09:00:00Z' };
	const party = { ...later, title: 'Party', content: 'Then' };
	const repeated =
		/^A content post with this title and content is there \(ID post_1\), at another time \(.*Dec.* 24.*2027.*; the row says .*Jan.* 7.*set the option 'Match Fields' to title, content, publish_at;/;
	const edited =
		/^A content post with this title and publish_at is there \(ID post_1\), with another content \|/;
	const chosen = { matchFields: ['title', 'content', 'publish_at'] };
	const at = (publish_at: unknown) => ({ records: [{ ...old, publish_at }] });
	const untimed = { records: [{ title: 'Old', content: 'Text' }] };
	const none = { records: [{ title: 'Sale', content: 'Now' }], isPublishTimeChosen: true };
	const over = { ...later, publish_at: '1970-01-01T00:00:00Z' };
	const justOver = { live: { at: 0 }, now: 3_600_000 };
	test.each<[string, JsonObject, RegExp, Compared?]>([
		['the same texts at another time', later, repeated],
		['the same texts at another time, and Match Fields', later, /^create/, chosen],
		['a time, where none shows one', later, /shows publish_at, so yours would not/, untimed],
		['a time, where another list does', later, /^create/, { ...untimed, shown: ['publish_at'] }],
		['a time that is named', later, /^create/, { ...untimed, isPublishTimeChosen: true }],
		[
			'a time that is named, and the texts of one that shows none',
			later,
			/none shows its publish_at \| .* 'Match Fields' to title, content\.$/,
			none,
		],
		['the texts of one without a time', later, /at another time \(none; the row/, at(null)],
		['a time over, shown so', over, /^skip/, { ...at('1970-01-01 00:00'), ...justOver }],
		['… an hour later', over, /^skip/, { ...at('1970-01-01T00:59:00Z'), ...justOver, ...chosen }],
		['… more than that', over, /at another time/, { ...at('1970-01-01T01:01Z'), ...justOver }],
		[
			'a time over, to come half an hour later',
			over,
			/another time/,
			{ ...at('1970-01-01T00:30:00Z'), live: { at: 0 }, now: 600_000 },
		],
		['a time to come, an hour later', later, /another time/, at('2028-01-07T09:30:00Z')],
		[
			'one without an ID',
			later,
			/is there, at .*; else remove the row\.$/,
			{
				records: [{ ...old, id: '' }],
			},
		],
		['the same time and one text of several', { ...old, content: 'Now, and then' }, edited],
		['other texts', party, /^create/],
		['all of them', { ...later, publish_at: '2027-12-24T10:00:00+01:00' }, /^skip .*post_1/],
		['its time as the clock of the zone', old, /^skip/, at('2027-12-24 10:00')],
		['no time, and the same texts', { title: 'Sale', content: 'Now' }, /^skip/],
		['no time, and one text of two', { title: 'Sale', content: 'x' }, /with another content \|/],
		['one text, which is all that the run has', { title: 'Sale' }, /^skip/],
		[
			'one text, where the run has two',
			{ title: 'Sale' },
			/The row has no content/,
			{ filled: old },
		],
	])('a post with %s', (...[, fields, outcome, more]) => {
		const compared = { resource: post, records: [old], ...more };
		expect(decided('skip', fields, compared)).toMatch(outcome);
	});
});

describe('the rows of a run are compared with each other', () => {
	/** What the other rows mean for each: the first one that says the same, or why it is refused. */
	const twinsIn = (
		bodies: JsonObject[],
		{ resource = post, isDryRun = false, more = {} }: Given = {},
	) => {
		const operation = operationOf(resource, 'create');
		const rows = bodies.map((json) => ({ json }));
		const { publishTime } = resource;
		const drafts = bodies.map((body, index) => {
			const about = { resource, operation, rows, index, publishTime, matchFields: [], ...more };
			return draftOf({ ...about, isDryRun: isDryRun && index > 0 } as unknown as Row, body);
		});
		const all = drafts.map(comparing(filledIn(drafts), {} as Facts));
		const contents = new Map(all.map((one) => [one, contentOf(one)]));
		const groups = groupsOf(all, all.map(subjectOf));
		const twins = new Map(groups.flatMap((group) => twinsInGroup(group, contents)));
		return all.map((one) => {
			const { first, error } = twins.get(one) ?? {};
			return error?.message ?? first;
		});
	};
	interface Given {
		resource?: typeof post;
		isDryRun?: boolean;
		more?: object;
	}
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

	test('what differs in the spelling of a match field alone is the same; of rows of a dry run, none is sent', () => {
		const spelled = [sale, { title: ' Sale', content: '<p>Now</p>' }];
		expect(twinsIn(spelled)).toEqual([undefined, 0]);
		expect(twinsIn(spelled, { isDryRun: true })).toEqual([undefined, undefined]);
		const shops = ['12 Main St.', '12 main st', '0012 Main St'].map((address) => ({
			...{ name: 'A', address },
		}));
		expect(twinsIn(shops, { resource: location })).toEqual([undefined, 0, undefined]);
	});
});
