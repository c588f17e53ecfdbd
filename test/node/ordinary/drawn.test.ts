import { createPosts, postSheet } from '../../support/sheet';
import { type Fields, metaOf, type Page, type Switches, useBackend } from './backend';
import { IDS, named, WHOLE, WITHOUT } from './forms';
import { READS_OF_NEW_ACCOUNT, rowsFor, saidIn, sentOf } from './rows';
import { fc } from '../../support/random';

// Ordinary services drawn at random: how they write texts, dates and IDs, what they answer, what their
// lists are like. One POST a row, one request a page, and no row twice.

const backend = useBackend();

/** Draws; the seed is fixed, so that a failure is the same again. */
const RUNS = 60;
const SEED = 20_261_124;

const text = (change: (text: string) => string) => (fields: Fields) =>
	Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [
			name,
			typeof value === 'string' ? change(value) : value,
		]),
	);
/** What is made of texts. */
const TEXTS: Record<string, Switches['stores']> = {
	'as sent': (fields) => fields,
	trimmed: text((one) => one.trim().replace(/\s+/g, ' ')),
	'cut at 40': text((one) => one.slice(0, 40)),
	'cut with …': text((one) => (one.length > 42 ? `${one.slice(0, 41)}…` : one)),
	prefixed: text((one) => `[Corner Bakery] ${one}`),
	'with a paragraph': text((one) => `<p>${one}</p>`),
	sanitized: text((one) => one.replaceAll('&', '&amp;').replaceAll("'", '&#39;')),
	'smart quotes': text((one) => one.replaceAll("'", '’').replaceAll('"', '“')),
	masked: text((one) => one.replaceAll(/\d/g, '*')),
	translated: text((one) => `ÜBERSETZT ${one.length}: ${one.split('').reverse().join('')}`),
	'upper case': text((one) => one.toUpperCase()),
	'an object': ({ title, content }) => ({ title: { en: title }, content: { html: content } }),
};

const iso = (at: Date) => at.toISOString();
/** How services write a time: nothing is read from it. */
const DATES: Record<string, Switches['createdAt']> = {
	'with milliseconds': iso,
	'with microseconds': (at) => `${iso(at).slice(0, 23)}000Z`,
	'with another zone': (at) => `${iso(new Date(at.getTime() + 7_200_000)).slice(0, 19)}+02:00`,
	'local time without a zone': (at) => iso(new Date(at.getTime() - 18_000_000)).slice(0, 19),
	MySQL: (at) => iso(at).slice(0, 19).replace('T', ' '),
	PostgreSQL: (at) => `${iso(at).slice(0, 19).replace('T', ' ')}.123456+00`,
	'to the day': (at) => iso(at).slice(0, 10),
	'in seconds': (at) => Math.floor(at.getTime() / 1000),
	none: () => undefined,
};

/** What the answer to a create says, and whether that is the record. */
const SAYS: Record<string, [(record: Fields) => unknown, boolean]> = {
	...Object.fromEntries(
		Object.entries(WHOLE).map(([name, says]) => [name, [says, true] as [typeof says, boolean]]),
	),
	...Object.fromEntries(
		named(WITHOUT).map(([name, body]) => [name, [() => body, false] as [() => unknown, boolean]]),
	),
};

const ORDERS: Record<string, Switches['shows']> = {
	'oldest first': (all) => all,
	'newest first': (all) => [...all].reverse(),
	'by text': (all) => [...all].sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))),
	'without drafts': (all) => all.filter(({ isOld }) => isOld),
};
/** What stands beside a list, and how many requests more than pages it costs to read it. */
const METAS: Record<string, [(page: Page) => Fields, number]> = {
	'the interface': [(page) => ({ meta: metaOf(page) }), 0],
	'only a total, as text': [({ all }) => ({ meta: { total: `${all.length}` } }), 0],
	'only a total': [({ all }) => ({ meta: { total: all.length } }), 0],
	'no meta': [() => ({}), 1],
};

/** An hour, a day, and what a clock is off that nobody sets. */
const CLOCKS = [0, 1_500, -4_000, 90_000, -3_600_000, 7_200_000, 86_400_000, -259_200_000];
const PAGE_SIZES = [10, 15, 20, 25, 50, 100, 1000];

const key = <T extends object>(of: T) => fc.constantFrom(...(Object.keys(of) as Array<keyof T>));
const service = fc.record({
	texts: key(TEXTS),
	dates: key(DATES),
	ids: key(IDS),
	says: key(SAYS),
	order: key(ORDERS),
	meta: key(METAS),
	hasNull: fc.boolean(),
	firstPage: fc.constantFrom(0, 1),
	status: fc.constantFrom(200, 201, 202, 207),
	clock: fc.constantFrom(...CLOCKS),
	hasDate: fc.boolean(),
	pageSize: fc.constantFrom(...PAGE_SIZES),
	there: fc.nat({ max: 40 }),
	rows: fc.integer({ min: 1, max: 6 }),
});
type Drawn = typeof service extends fc.Arbitrary<infer T> ? T : never;

function start(drawn: Drawn) {
	const { texts, dates, ids, says, order, meta, hasNull, status, clock, hasDate } = drawn;
	const { pageSize, firstPage, there } = drawn;
	// A list without a meta can't say that its pages are counted from 0.
	const from = meta === 'the interface' ? firstPage : 1;
	const account = backend({
		...{ offset: clock, hasDate, pageSize, firstPage: from },
		stores: TEXTS[texts],
		createdAt: DATES[dates],
		id: (number, kind, all) => (kind === 'locations' ? {} : IDS[ids](number, kind, all)),
		shows: ORDERS[order],
		created: (record) => ({ status, body: SAYS[says][0](record) }),
		page: (page) => ({
			body: {
				data: hasNull && page.data.length === 0 ? null : page.data,
				...METAS[meta][0](page),
			},
		}),
	});
	const stored = rowsFor(account, there, 'Old').map((row) => ({
		...TEXTS[texts](sentOf(row), 'posts', true),
		...{ location_id: row.location_id, isOld: true },
	}));
	for (const post of stored) account.add('posts', post);
	return account;
}

/** The hint where a match field comes back otherwise; what is equal by its key is none. */
const REWRITTEN = /^The service keeps another /;
const KEPT: Array<keyof typeof TEXTS> = ['as sent', 'trimmed', 'with a paragraph', 'sanitized'];

const HARD = "  The owner's & others' offer:  2 for 1 ";

async function check(drawn: Drawn) {
	const account = start(drawn);
	const rows = rowsFor(account, drawn.rows).map((row, index) =>
		index === 0 ? { ...row, title: HARD } : row,
	);
	const made = () => account.records.posts.slice(drawn.there);
	const { there, pageSize, meta, says, order } = drawn;
	const pages = Math.max(1, Math.ceil(there / pageSize) + (there > 0 ? METAS[meta][1] : 0));

	const created = await account.run(postSheet, rows);
	const isKept = KEPT.includes(drawn.texts);
	expect(saidIn(created).filter((hint) => isKept || !REWRITTEN.test(hint))).toEqual([]);
	const items = created.json.map((item) => ({ ...item }));
	for (const item of items) delete item.warning;
	expect(items).toEqual(SAYS[says][1] ? made() : rows.map(sentOf));
	expect(account.countOf('POST')).toBe(rows.length);
	// A list without posts says nothing of their fields: those of other locations are read, if these are listed.
	const own = account.requests.filter((line) =>
		line.includes(`GET /locations/${account.location()}`),
	);
	expect(own).toHaveLength(pages);
	const reads = order === 'without drafts' ? READS_OF_NEW_ACCOUNT - 1 : READS_OF_NEW_ACCOUNT;
	expect(account.countOf('GET')).toBe(there > 0 ? pages : reads);

	// Another sheet, and the same one again in another order.
	const others = await account.run(postSheet, rowsFor(account, 1, 'Event'));
	expect([others.error, others.json.length]).toEqual([undefined, 1]);
	expect(account.countOf('POST')).toBe(rows.length + 1);
	const again = await account.run(postSheet, [...rows].reverse());
	expect(again.error).toBeUndefined();
	expect(again.json.map(({ skipped }) => skipped)).toEqual(rows.map(() => true));
	expect(account.countOf('POST')).toBe(rows.length + 1);

	// With Create Another One: a request a row, whatever is there, after a page for the fields.
	const before = account.requests.length;
	const more = await account.run(createPosts, rows);
	expect([more.error, more.json.length]).toEqual([undefined, rows.length]);
	const isHidden = there === 0 && order === 'without drafts';
	const posts = `/locations/${account.location()}/posts`;
	expect(account.requests.slice(before)).toEqual([
		...[`GET ${posts}`, ...(isHidden ? ['GET /locations'] : [])],
		...rows.map(() => `POST ${posts}`),
	]);
	expect([created.waited, others.waited, again.waited, more.waited]).not.toContain(true);
}

test('every row is posted once, at once, and skipped the second time', async () => {
	await fc.assert(fc.asyncProperty(service, check), { numRuns: RUNS, seed: SEED });
});
