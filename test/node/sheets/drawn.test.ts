import difference from 'lodash/difference';
import groupBy from 'lodash/groupBy';
import pickBy from 'lodash/pickBy';
import type { IDataObject } from 'n8n-workflow';

import { systemClock } from '../../../nodes/LocalSeo/client';
import { goOn } from '../../support/fixture';
import { fc, RUNS } from '../../support/random';
import { type Call, type Fields, type Service, useBackend } from '../backend';
import {
	drawnSheet,
	fill,
	isSpelling,
	mayBe,
	nodeFor,
	type Row,
	type Sheet,
	sheetFrom,
	SHOWING_ALL,
	TODAY,
} from './drawnSheets';

// Sheets of posts drawn at random: what a run, its dry run, its repeat and the same rows in another order
// have to do with each other, whatever is in them. FAULT_RUNS=1000 draws more.

const backend = useBackend();
jest.setTimeout(1_200_000 + RUNS * 10_000);
beforeAll(() => void jest.spyOn(systemClock, 'wall').mockImplementation(() => TODAY));

interface Played {
	outcomes: string[];
	/** Why a row is not sent. */
	words: string[];
	items: IDataObject[];
	posts: Call[];
}

/** Runs the node; one item comes out for each row. */
async function play(service: Service, sheet: Sheet, set: Fields = {}): Promise<Played> {
	const { parameters, cells: rows } = nodeFor(service, sheet);
	const before = service.calls.length;
	const how = { rows, ...goOn, timezone: sheet.zone };
	const { json, items } = await service.run({ ...parameters, ...(set as object) }, how);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	const words = json.map(({ error, problem = '', advice = '' }) => {
		const { message, description } = (error ?? { message: problem, description: advice }) as Fields;
		return unnumbered(`${String(message)} | ${String(description)}`);
	});
	return {
		...{ items: json, words },
		outcomes: json.map(({ outcome, action }) => String(action ?? outcome ?? 'failed')),
		posts: service.calls.slice(before).filter(({ method }) => method === 'POST'),
	};
}

/** Words without the number and the title of their row, and of others. */
const unnumbered = (words: string) =>
	words
		.replace(/^item \d+( \(".*?"\))?: /i, '')
		.replace(/\bitems? \d+( \(".*?"\))?((,| and) \d+( \(".*?"\))?)*/gi, 'ITEMS');

/** The names in a message may stand in another order. */
const unordered = (words: string) => words.split(/\W+/).sort().join(' ');

/** An account whose posts are there already. */
function start(sheet: Sheet): Service {
	const service = backend(SHOWING_ALL);
	fill(service, sheet);
	return service;
}

/** Each created row is one post with what the row means, and each skipped one has a record that says the same. */
function expectPosts(service: Service, sheet: Sheet, { outcomes, items, posts }: Played): void {
	const created = items.filter((_, index) => outcomes[index] === 'created');
	expect(posts).toHaveLength(created.length);
	expect(new Set(created.map(({ id }) => id)).size).toBe(created.length);
	const names = new Set(posts.flatMap(({ fields }) => Object.keys(fields)));
	expect(difference([...names], ['title', 'content', 'publish_at'])).toEqual([]);
	for (const [index, outcome] of outcomes.entries()) {
		expect(['created', 'skipped', 'failed']).toContain(outcome);
		if (outcome === 'failed') continue;
		const row = sheet.rows[index];
		const record = service.all('posts').find(({ id }) => id === items[index].id);
		expect([row, record, differing(sheet, row, record!, outcome)]).toEqual([row, record, []]);
		expect(record!.location_id).toBe(service.location(row.shop));
		expect(row.when).toBe(row.at === undefined ? 'now' : 'scheduled');
	}
}

/** The fields of a record that say something else than its row. */
function differing(sheet: Sheet, row: Row, record: Fields, outcome: string): string[] {
	const { title, content, at } = row;
	const { publish_at: shown } = record;
	if (outcome === 'created') {
		const isAt = at === undefined ? shown === null : Date.parse(String(shown)) === at;
		const isSame = {
			title: isSpelling(record.title, title),
			content: isSpelling(record.content, content),
			publish_at: isAt,
		};
		return Object.keys(pickBy(isSame, (one) => !one));
	}
	// What a row leaves blank is not compared.
	const isSame = {
		title: title === '' || isSpelling(record.title, title),
		content: content === '' || isSpelling(record.content, content),
		publish_at: at === undefined || mayBe(shown, at, sheet.zone),
	};
	const { matchFields } = sheet;
	return Object.keys(
		pickBy(isSame, (one, name) => !one && (matchFields === '' || matchFields.includes(name))),
	);
}

/** What becomes of a row that no other row of its sheet resembles; undefined: that is not so simple. */
function certain({ rows, posts, ifExists, matchFields, showsTimes, zone }: Sheet, row: Row) {
	const { shop, title, content, at, when } = row;
	const isWhole = shop !== undefined && title !== '' && content !== '';
	const fits = at === undefined ? when === 'now' : when === 'scheduled' && !Number.isNaN(at);
	const isCompared = at !== undefined || !matchFields.includes('publish_at');
	if (!isWhole || !fits || !isCompared || (!showsTimes && posts.length > 0)) return undefined;
	const isNear = (other: Pick<Row, 'title' | 'content' | 'shop'>) =>
		other.shop === shop && (other.title === title || other.content === content);
	if (rows.some((other) => other !== row && isNear(other))) return undefined;
	const near = ifExists === 'create' ? [] : posts.filter(isNear);
	/** Of title, content and time, those that a post shares. */
	const shared = near.map(({ title: one, content: other, fields }) => {
		const isAt = at !== undefined && mayBe(fields.publish_at, at, zone);
		return Number(one === title) + Number(other === content) + Number(isAt);
	});
	const all = at === undefined ? 2 : 3;
	if (shared.includes(all)) return 'skipped';
	const isOver = at !== undefined && at < TODAY - 86_400_000;
	if (near.length === 0) return isOver ? 'failed' : 'created';
	// Fields that are named are compared, and nothing else.
	if (matchFields !== '') return undefined;
	return isOver || shared.includes(all - 1) ? 'failed' : 'created';
}

const DONE: Record<string, string> = {
	...{ create: 'created', skip: 'skipped', invalid: 'failed' },
	// A question stops both.
	failed: 'failed',
};

/** The rows that say the same: which of them is created, their order decides. */
const groupsOf = ({ rows }: Sheet) =>
	Object.values(
		groupBy([...rows.keys()], (index) => {
			const { shop, title, content, at, when } = rows[index];
			return JSON.stringify([shop, title, content, String(at), when]);
		}),
	);

async function check(sheet: Sheet): Promise<void> {
	const service = start(sheet);
	const dry = await play(service, sheet, { dryRun: true });
	expect(dry.posts).toEqual([]);
	const run = await play(service, sheet);
	// a: what the dry run says becomes of each row.
	expect([run.outcomes, run.words]).toEqual([
		dry.outcomes.map((action) => DONE[action]),
		dry.words,
	]);
	// d: no row is lost, and none is created twice.
	expectPosts(service, sheet, run);
	const expected = sheet.rows.map((row, index) => certain(sheet, row) ?? run.outcomes[index]);
	expect([run.outcomes, run.words]).toEqual([expected, run.words]);

	// c: a repeat posts nothing, unless other match fields let a row through that was refused.
	const again = await play(service, sheet, { ifExists: 'skip' });
	if (sheet.ifExists === 'skip' || !run.outcomes.includes('failed'))
		expect([again.posts, again.words]).toEqual([[], again.words]);
	if (sheet.ifExists === 'skip') {
		const once = run.outcomes.map((one, row) =>
			one === 'failed' ? again.outcomes[row] : 'skipped',
		);
		expect([again.outcomes, again.words]).toEqual([once, again.words]);
	}

	// b: the order of the rows decides nothing.
	const other = start(sheet);
	const turned = { ...sheet, rows: [...sheet.rows].reverse() };
	const back = await play(other, turned);
	expectPosts(other, turned, back);
	const outcomes = [...back.outcomes].reverse();
	const words = [...back.words].reverse();
	for (const group of groupsOf(sheet)) {
		const of = (all: string[]) => group.map((index) => all[index]).sort();
		expect([of(outcomes), words]).toEqual([of(run.outcomes), words]);
		// Create Another One reads the first list that has posts, and says how many there are.
		if (sheet.showsTimes) expect(of(words.map(unordered))).toEqual(of(run.words.map(unordered)));
	}
}

test('what becomes of a sheet depends on its rows and the account alone, and a dry run says it', async () => {
	const property = fc.asyncProperty(drawnSheet, async (drawn) => await check(sheetFrom(drawn)));
	await fc.assert(property, { numRuns: 3 * RUNS });
});
