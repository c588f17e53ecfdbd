import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import groupBy from 'lodash/groupBy';
import sumBy from 'lodash/sumBy';
import { DateTime } from 'luxon';
import type { INode, INodeTypeDescription } from 'n8n-workflow';

import { exampleWith } from '../../dev/demo/setup';
import { exampleFiles } from '../../dev/n8n/example';
import { itemsOf, type Result, resultsOf, runByHand } from '../../dev/n8n/execution';
import { ROOT } from '../../dev/n8n/home';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';
import type { Named } from '../../dev/n8n/workflow';
import type { Scope } from '../../dev/sandbox';
import { pollingOften, useN8n } from '../support/n8n';

/*
 * The recipes as they ship, but for the nodes of Google, Slack, QuickChart, e-mail and PostgreSQL: their rows
 * are given, and what they would have sent is shown.
 */
const DOCS = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');

const n8n = useN8n();
type Row = Record<string, unknown>;

const FOREIGN = /^n8n-nodes-base\.(googleSheets|slack|quickChart|emailSend|postgres)$/;

const code = (items: object[]) => ({
	type: 'n8n-nodes-base.code',
	typeVersion: 2,
	parameters: { jsCode: `return ${JSON.stringify(items)};` },
});

/** What stands in for a node: the sheet's rows, a picture, or its incoming items with its own texts. */
function standIn({ type, parameters }: INode, rows: Row[], answer: Row) {
	if (parameters.operation === 'read') {
		return code(rows.map((row, at) => ({ json: { row_number: at + 2, ...row } })));
	}
	if (type.endsWith('quickChart')) {
		return code([{ json: {}, binary: { chart: { data: 'AA==', mimeType: 'image/png' } } }]);
	}
	const texts = Object.entries(parameters).filter(([, value]) => typeof value === 'string');
	const own = [...texts.map((text) => [...text, 'string']), ['data', answer, 'object']];
	const assignments = own.map(([name, value, kind]) => ({ id: name, name, value, type: kind }));
	return {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { assignments: { assignments }, includeOtherFields: true, options: {} },
	};
}

/** A recipe after a user has chosen what is to be chosen. */
function recipe(file: string, credential: Named, rows: Row[] = [], answer: Row = {}) {
	const workflow = exampleWith(credential, `recipes/${file}`);
	for (const node of workflow.nodes) {
		if (FOREIGN.test(node.type)) Object.assign(node, standIn(node, rows, answer));
	}
	return workflow;
}

/** Imports a recipe and runs it by hand. */
async function run(workflow: ReturnType<typeof recipe>): Promise<Result> {
	const { id } = await n8n.rest.post<Named>('/workflows', workflow);
	return await runByHand(n8n.rest, id);
}

/** The figure of the table in docs/recipes.md, which says what a recipe costs. */
function figureOf(file: string, words: RegExp): number {
	const lines = DOCS.split('\n').filter((line) => line.includes(`/${file})`) && words.test(line));
	const figures = lines.map((line) => /\| +(\d+) +\|$/.exec(line)?.[1]);
	expect(figures).toEqual([expect.stringMatching(/^\d+$/)]);
	return Number(figures[0]);
}

/** Requests of a key since this was called. */
function counting(scope: Scope): () => number {
	const { requests } = n8n.sandbox;
	const before = requests.length;
	return () => requests.slice(before).filter((one) => one.scope === scope).length;
}

const [locations, postsOf, keywordsOf] = [
	() => n8n.sandbox.account.locations,
	(id: string) => n8n.sandbox.account.postsOf(id),
	(id: string) => n8n.sandbox.account.keywordsOf(id).map(({ keyword }) => keyword),
];

test('n8n has the nodes of all examples, in their versions', async () => {
	const nodes = exampleFiles().flatMap((file) => exampleWith(n8n.credential, file).nodes);
	const nodeInfos = nodes
		.map(({ type: name, typeVersion: version }) => ({ name, version }))
		// n8n makes tools of our node when it runs one: tools.test.ts.
		.filter(({ name }) => !name.endsWith('localSeoTool'));
	const known = await n8n.rest.post<INodeTypeDescription[]>('/node-types', { nodeInfos });
	const missing = nodeInfos.filter(({ name, version }, at) => {
		return !name.endsWith(`.${known[at]?.name}`) || ![known[at].version].flat().includes(version);
	});
	expect(missing).toEqual([]);
});

describe('posts from a Google Sheet', () => {
	const FILE = 'posts-from-google-sheet.json';
	const AT = '2031-01-06T08:00:00Z';
	const LIVE = expect.stringMatching(/^Goes live .*2031/);
	const row = (location_id: string, title: string, publish_at = AT, more: Row = {}) => {
		return { location_id, title, content: 'From 8 to 12.', publish_at, ...more };
	};
	/** What is written to the three columns of the recipe, by the number of the row. */
	const written = (result: Result) =>
		Object.fromEntries(
			itemsOf(result, 'Write it back').map(({ row_number, status, post_id, message }) => {
				return [row_number, [status, post_id, message]];
			}),
		);

	/** As after a look at what would be posted. */
	const post = async (...rows: Row[]) => {
		const workflow = recipe(FILE, n8n.credential, rows);
		workflow.nodes.find(({ name }) => name === 'Create the post')!.parameters.dryRun = false;
		return await run(workflow);
	};

	test('each row gets its status, and its post or the reason; those with a post are left out', async () => {
		const [one, other] = locations();
		const [known] = postsOf(other.id);
		const cost = counting('write');
		const result = await post(
			row(one.id, 'Open on Monday'),
			row(other.id, 'Open on Tuesday'),
			row(other.id, known.title, known.publish_at, { content: known.content }),
			row('loc_nowhere', 'Open on Friday', AT, { status: 'not posted', message: 'Old' }),
			row(one.id, 'Open on Sunday', AT, { status: 'posted', post_id: 'post_of_last_week' }),
		);
		const [monday, tuesday] = [postsOf(one.id)[0], postsOf(other.id)[0]];
		expect(written(result)).toEqual({
			2: ['posted', monday.id, LIVE],
			3: ['posted', tuesday.id, LIVE],
			4: ['already there', known.id, ''],
			5: ['not posted', '', expect.stringContaining('no location with the ID "loc_nowhere"')],
		});
		// Nothing but the columns of the post: a service may refuse any other.
		const sent = n8n.sandbox.requests.map(({ body }) => body);
		const body = { title: 'Open on Monday', content: 'From 8 to 12.', publish_at: AT };
		expect(sent).toContainEqual(body);
		expect(cost()).toBe(figureOf(FILE, /4 rows/));
		const costOfNext = counting('write');
		const next = await post(row(one.id, 'Open on Friday', AT, { content: 'From 9 to 12.' }));
		expect(written(next)[2][0]).toBe('posted');
		expect(costOfNext()).toBe(figureOf(FILE, /1 row,/));
	});

	test('as imported, the sheet says what would happen', async () => {
		const [{ id }] = locations();
		const before = [...postsOf(id)];
		const [{ title, content, publish_at }] = before;
		const result = await run(
			recipe(FILE, n8n.credential, [
				row(id, 'New', AT, { content: 'Text' }),
				row('loc_nowhere', 'New'),
				row(id, title, publish_at, { content }),
				row(id, 'Without a time', ''),
			]),
		);
		expect(written(result)).toEqual({
			2: ['checked: would be posted', '', LIVE],
			3: ['invalid', '', expect.stringContaining('loc_nowhere')],
			4: ['checked: already there', '', expect.stringMatching(/^It already exists/)],
			5: ['invalid', '', expect.stringContaining('publish_at')],
		});
		expect(postsOf(id)).toEqual(before);
	});
});

test('nightly dry run: one e-mail lists what is invalid, and none if nothing is', async () => {
	const FILE = 'nightly-dry-run.json';
	const [one, other] = locations();
	const before = postsOf(one.id).length;
	const content = 'From 8 to 12, and on.';
	const rows = [
		[one.id, 'Open in January', '2031-01-06T08:00:00Z'],
		['loc_nowhere', 'Open on Tuesday', '2031-01-07T08:00:00Z'],
		[other.id, 'Open on Friday', '2020-01-03T08:00:00Z'],
	].map(([location_id, title, publish_at]) => ({ location_id, title, content, publish_at }));
	const posted = { ...rows[1], status: 'posted' };
	const cost = counting('read');
	const [mail, ...more] = itemsOf(
		await run(recipe(FILE, n8n.readOnly, [...rows, posted])),
		'Send the message',
	);
	expect(more).toEqual([]);
	expect(mail.subject).toBe("2 of 3 posts can't be published");
	expect(mail.text).toMatch(/^Row 3 \(Open on Tuesday\):\n.*There is no location .*loc_nowhere/);
	expect(mail.text).toMatch(/\n\nRow 4 \(Open on Friday\):\n.*publish_at is over/);
	expect(postsOf(one.id)).toHaveLength(before);
	expect(cost()).toBe(figureOf(FILE, /3 rows/));
	const fine = await run(recipe(FILE, n8n.readOnly, [rows[0], posted]));
	expect(itemsOf(fine, 'Send the message')).toEqual([]);
});

test('weekly insights: sheet, table, sums and chart have what the account has; no data is a hint', async () => {
	const FILE = 'weekly-insights.json';
	const [, silent] = locations();
	// This location opened last week: a row without a date would stop the table for all of them.
	Object.assign(n8n.sandbox.account.insightOf(silent.id), { days: [] });
	const cost = counting('read');
	const result = await run(recipe(FILE, n8n.readOnly));
	expect(cost()).toBe(figureOf(FILE, /64 locations/));

	const plain = (rows: Row[]) =>
		rows.map((row) => `${row.location_id} ${row.date} ${row.views} ${row.calls}`).sort();
	const days = locations().flatMap(({ id }) =>
		n8n.sandbox.account.insightOf(id).days.map((day) => ({ location_id: id, ...day })),
	);
	const [inSheet, inTable] = ['Add to the sheet', 'Save to the table'].map((name) =>
		itemsOf(result, name),
	);
	for (const rows of [inSheet, inTable]) expect(plain(rows)).toEqual(plain(days));
	expect(new Set(inSheet.map(({ key }) => key)).size).toBe(days.length);
	// The table of the page has the columns of a row, and its key.
	const [, table] = /CREATE TABLE insights \(([^;]+)\);/.exec(DOCS)!;
	const names = [...table.matchAll(/(\w+) (?:text|date|integer)/g)].map(([, name]) => name);
	expect(names).toEqual(
		expect.arrayContaining(Object.keys(itemsOf(result, 'Insights as rows')[0])),
	);
	expect(table).toContain('PRIMARY KEY (location_id, date)');

	// The sums are of each location and week, with the number of its days.
	const mondayOf = (date: string) => DateTime.fromISO(date).startOf('week').toISODate();
	const byWeek = groupBy(days, ({ location_id, date }) => `${location_id} ${mondayOf(date)}`);
	const sums = Object.entries(byWeek).map(([week, own]) => {
		return `${week} ${own.length} ${sumBy(own, 'views')} ${sumBy(own, 'calls')}`;
	});
	const found = itemsOf(result, 'Columns of the sums').map((row) => {
		return `${row.location_id} ${row.week} ${row.days} ${row.views} ${row.calls}`;
	});
	expect(found.sort()).toEqual(sums.sort());

	// The chart adds up the locations, and its service learns nothing else.
	const [chart] = itemsOf(result, 'Numbers of the chart') as [{ labels: string[] }];
	expect(chart.labels).toHaveLength(30);
	expect(chart).toMatchObject({
		field: 'views',
		values: chart.labels.map((date) =>
			sumBy(
				days.filter((day) => day.date === date),
				'views',
			),
		),
	});
	expect(JSON.stringify(chart)).not.toContain('loc_');
	const [mail] = itemsOf(result, 'Send the e-mail');
	expect(mail.subject).toBe(`Insights of 63 locations until ${chart.labels.at(-1)}`);
	const [{ data }] = result.runData['File and chart'];
	expect(Object.keys(data!.main[0]![0].binary!).sort()).toEqual(['chart', 'csv', 'sums']);
	const [{ hints }] = result.runData['Insights as rows'];
	expect(hints).toContainEqual(
		expect.objectContaining({ message: expect.stringContaining(silent.name) }),
	);
});

test.each([true, false])(
	'keywords: what is missing is added; what is gone is deleted only if someone agrees (%s)',
	async (approved) => {
		const FILE = 'keywords-from-google-sheet.json';
		const { id } = locations()[approved ? 3 : 4];
		const [gone, other, ...kept] = keywordsOf(id);
		const rows = [
			{ location_id: id, keyword: ` ${other.toUpperCase()} ` },
			...kept.map((keyword) => ({ location_id: id, keyword })),
			{ location_id: id, keyword: 'open on sunday' },
			{ location_id: id, keyword: '' },
			{ location_id: 'loc_nowhere', keyword: 'open on monday' },
		];
		const cost = counting('write');
		const result = await run(recipe(FILE, n8n.credential, rows, { approved }));
		const [{ subject, message }] = itemsOf(result, 'Ask before deleting');
		expect(subject).toBe('Keywords to delete: 1');
		expect(message).toContain(`${gone} (${id})`);
		expect(message).toMatch(
			/could not be added:[^]*Row \d+ \("open on monday"\): There is no location with the ID/,
		);
		const left = [other, ...kept, 'open on sunday'];
		expect(keywordsOf(id)).toEqual(approved ? left : [gone, ...left]);
		if (!approved) return;
		expect(cost()).toBe(figureOf(FILE, /1 new, 1 gone/));
		// Nobody is asked if nothing is gone.
		const again = run(recipe(FILE, n8n.credential, rows));
		await expect(again).rejects.toThrow(/Row \d+ \("open on monday"\)/);
	},
);

test('a Slack message says by how much a rank score fell, for what the documentation says', async () => {
	const FILE = 'rank-drop-to-slack.json';
	const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: n8n.sandbox.keys.admin };
	const own = await n8n.rest.post<Named>('/credentials', {
		...{ name: 'For the trigger', type: 'localSeoApi', data },
	});
	const workflowId = await n8n.activate(pollingOften(recipe(FILE, own)));
	const polls = () => n8n.sandbox.requests.filter(({ scope }) => scope === 'admin');
	await until('the first poll', () => polls().some(({ query }) => query.page === '5'));
	const dropped = locations()[5];
	dropped.rank_score -= 7;
	const first = async () => (await resultsOf(n8n.rest, workflowId))[0];
	const result = await until('the message', first, AFTER_A_POLL);
	const { name, city, rank_score: score } = dropped;
	expect(itemsOf(result, 'Write to Slack')).toMatchObject([
		{ text: `${name}, ${city}: the rank score fell by 7, from ${score + 7} to ${score}.` },
	]);
	const isFirstPage = polls().map(({ query }) => query.page === undefined);
	expect(isFirstPage.indexOf(true, 1)).toBe(figureOf(FILE, /64 locations/));
});
