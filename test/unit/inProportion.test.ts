import mapValues from 'lodash/mapValues';
import times from 'lodash/times';

import { DEFAULT_PAGING, readList, SameRecords, withoutKey } from '../../nodes/LocalSeo/client';
import { wordsOf } from '../../nodes/LocalSeo/client/http/words';
import { toItems } from '../../nodes/LocalSeo/editor/pickList';
import { dailyRows, readDates, summaryRow } from '../../nodes/LocalSeo/insights';
import { location, post } from '../../nodes/LocalSeo/resources';
import { fieldNames, typeIn } from '../../nodes/LocalSeo/lookup';
import { Directory } from '../../nodes/LocalSeo/lookup/directory';
import { messageOf } from '../../nodes/LocalSeo/rows/labels';
import { AccountFields } from '../../nodes/LocalSeo/rows/learn/fields';
import { POSTS, serviceAnswering, soughtOf } from '../support/accountTransport';

// Twice the response, or twice the rows, is at most 2.5 times the work, and as many cells.

/** A value whose readings are counted, at any depth; the count does not depend on the machine. */
function counted<T>(original: T) {
	let count = 0;
	const known = new WeakMap<object, object>();
	const wrap = (value: unknown): unknown => {
		if (typeof value !== 'object' || value === null) return value;
		const wrapped =
			known.get(value) ??
			new Proxy(value, {
				get(...of) {
					count++;
					return wrap(Reflect.get(...of));
				},
				has(...of) {
					count++;
					return Reflect.has(...of);
				},
				ownKeys(target) {
					const names = Reflect.ownKeys(target);
					count += names.length;
					return names;
				},
			});
		known.set(value, wrapped);
		return wrapped;
	};
	return {
		value: wrap(original) as T,
		/** Members read, and names listed, since it was made. */
		get count() {
			return count;
		},
	};
}

type Records = Array<Record<string, unknown>>;

/** Lists whose work may grow faster than they do. */
const LISTS: Record<string, (entries: number) => Records> = {
	'another key in each entry': (count) => times(count, (at) => ({ id: `a${at}`, [`k_${at}`]: at })),
	'another key and no ID in each entry': (count) => times(count, (at) => ({ [`k_${at}`]: [at] })),
	'one entry with many keys': (count) => [
		Object.fromEntries(times(count, (at) => [`k_${at}`, at])),
	],
	'one ID and one name': (count) => times(count, () => ({ id: 'a', name: 'b', title: 'c' })),
	'entries like each other': (count) =>
		times(count, (at) => ({
			...{ id: `a${at}`, name: `Shop ${at}`, title: `Offer ${at % 7}`, content: 'x' },
			row_number: at + 2,
		})),
};

const dayAt = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);

/** An object with a member for each record. */
const keyed = (records: Records, entry: (at: number) => [string, unknown]) =>
	Object.fromEntries(records.map((_, at) => entry(at)));
/** Insights with as many entries as there are records. */
const INSIGHTS: Record<string, (records: Records) => unknown> = {
	'insights in a list': (records) => records,
	'insights of days': (records) => records.map((record, at) => ({ date: dayAt(at), ...record })),
	'rows of one day': (records) => records.map((record) => ({ date: dayAt(0), ...record })),
	'values by date': (records) => ({ views: keyed(records, (at) => [dayAt(at), at]) }),
	series: (records) => records.map((_, at) => ({ name: `page ${at}`, views: { [dayAt(0)]: at } })),
	'days in each entry': (records) => records.map((of) => ({ ...of, days: [{ day: dayAt(0) }] })),
	'many lists': (records) => keyed(records, (at) => [`m${at}`, [{ date: dayAt(0), at }]]),
	'lists in lists': (records) => records.map((of, at) => [{ date: dayAt(at), of }]),
};

/** What is read of insights, and what comes out. */
const costOfInsights = (make: (records: Records) => unknown) => (records: Records) => {
	const data = counted(make(records));
	const location = { id: 'loc_1', name: 'Bakery' };
	const insights = { location, data: data.value, beside: {}, isWhole: false };
	const reading = { dates: readDates(undefined), acceptsIncomplete: false };
	const tables = [dailyRows, summaryRow].map((form) => {
		try {
			return form(insights, reading).rows;
		} catch (error) {
			return (error as Error).message;
		}
	});
	return data.count + JSON.stringify(tables).length;
};

/** What reads a list; a number that comes of it is a cost. */
const READERS: Record<string, (records: Records) => unknown> = {
	'the types of the columns': (records) => typeIn(records, 'title'),
	'the columns that can be sent': (records) => fieldNames(post, records),
	'the fields of the account': (records) =>
		new AccountFields(post, records, { isPublishTimeChosen: false }).showsAhead('title', 0),
	'the items of a picker': (records) => toItems(location, records),
	'the locations by name': (records) => new Directory(records),
	'a list without repeats': async (records) => {
		const body = { data: records, meta: { total: records.length } };
		const { connection, run } = serviceAnswering(() => ({ body }));
		return await run(readList(connection, { ...POSTS, method: 'GET' }, DEFAULT_PAGING));
	},
	'records that rows seek': (records) => [
		...new SameRecords(records).equalTo(soughtOf({ title: 'c' })),
	],
	'the messages of failed rows': (records) => {
		const rows = records.map((json) => ({ json }));
		return rows.map((_, index) => messageOf(rows, [index], 'Too short'));
	},
	'what a service says': (records) => wordsOf({ errors: records }),
	...mapValues(INSIGHTS, (make) => costOfInsights(make)),
	'the search for the key': (body) =>
		withoutKey({ status: 200, headers: {}, body }, 'sk_live_123456'),
};

test.each(Object.keys(READERS))('%s', async (reader) => {
	const costOf = async (make: (entries: number) => Records, entries: number) => {
		const records = counted(make(entries));
		const cost = await READERS[reader](records.value);
		// Where nothing is looked at, one is as good as none.
		return 1 + records.count + (typeof cost === 'number' ? cost : 0);
	};
	for (const make of Object.values(LISTS))
		expect((await costOf(make, 400)) / (await costOf(make, 200))).toBeLessThanOrEqual(2.5);
});
