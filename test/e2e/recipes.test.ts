import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { execa } from 'execa';
import groupBy from 'lodash/groupBy';
import sumBy from 'lodash/sumBy';
import { DateTime } from 'luxon';

import { exampleWith } from '../../dev/demo/setup';
import { resultOf, runByHand } from '../../dev/n8n/execution';
import { ROOT } from '../../dev/n8n/home';
import { http } from '../../dev/n8n/http';
import { LOOPBACK } from '../../dev/n8n/port';
import { type Postgres, startPostgres } from '../../dev/n8n/stores';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';
import type { Named } from '../../dev/n8n/workflow';
import type { Scope } from '../../dev/sandbox';
import { type Mailbox, startMailbox } from '../support/mailbox';
import { pollingOften, useN8n } from '../support/n8n';
import { PICTURE } from '../support/otherServices';

/*
 * The recipes as they ship, with the credentials, sheets and channels that a user chooses. All nodes are
 * n8n's own. What stands in is behind them: Google, Slack and QuickChart (test/support/otherServices.ts)
 * and the mail server (test/support/mailbox.ts). PostgreSQL is real.
 */
const DOCS = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
/** The table of the insights, its new key, and what has to go then. */
const STATEMENTS = [...DOCS.matchAll(/```sql\n([^`]+)```/g)].map(([, statement]) => statement);

const n8n = useN8n();
const stops: Array<() => Promise<unknown>> = [];
let mailbox: Mailbox;
/** By the type of the node that uses them. */
const chosen: Record<string, Record<string, Named>> = {};
let postgres: Postgres;

beforeAll(async () => {
	mailbox = await startMailbox();
	stops.push(mailbox.close);
	postgres = await startPostgres({ atEnd: (stop) => void stops.push(stop) });
	const [makeTable] = STATEMENTS;
	await sql(makeTable);
	const { rest, services } = n8n;
	const credential = async (type: string, data: object) => ({
		[type]: await rest.post<Named>('/credentials', { name: type, type, data }),
	});
	chosen['n8n-nodes-base.googleSheets'] = { googleSheetsOAuth2Api: await services.signIn(rest) };
	chosen['n8n-nodes-base.slack'] = await credential('slackApi', { accessToken: 'xoxb' });
	chosen['n8n-nodes-base.emailSend'] = await credential('smtp', mailbox.smtp);
	chosen['n8n-nodes-base.postgres'] = await credential('postgres', {
		...{ host: LOOPBACK, database: 'postgres', ssl: 'disable', sshTunnel: false },
		...{ port: postgres.port, user: postgres.user, password: postgres.password },
	});
	await watchRankScores();
});
beforeEach(() => (mailbox.mails.length = 0));
afterAll(async () => {
	for (const stop of stops.reverse()) await stop();
});

/** The ID of the sheet of a recipe. */
const sheetOf = (file: string) => file.replace('.json', '');

/** A recipe after a user has chosen what is to be chosen. */
function recipe(file: string, localSeo: Named, parameters = {}) {
	const workflow = exampleWith(localSeo, `recipes/${file}`);
	for (const node of workflow.nodes as Array<
		(typeof workflow.nodes)[number] & { parameters: object }
	>) {
		Object.assign(node, node.type in chosen && { credentials: chosen[node.type] });
		if (node.type === 'n8n-nodes-local-seo.localSeo') {
			Object.assign(node.parameters, parameters);
		}
		if (node.type !== 'n8n-nodes-base.googleSheets') continue;
		Object.assign(node.parameters, {
			documentId: { __rl: true, mode: 'id', value: sheetOf(file) },
			sheetName: { __rl: true, mode: 'list', value: 'gid=0' },
		});
	}
	return workflow;
}

/** Saves a recipe; what it returns runs it by hand and resolves with the execution's ID. */
async function save(
	file: string,
	localSeo = n8n.credential,
	parameters = {},
	change: (workflow: ReturnType<typeof recipe>) => unknown = () => {},
) {
	const workflow = recipe(file, localSeo, parameters);
	change(workflow);
	const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
	return async () => await runByHand(n8n.rest, id);
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

describe('posts from a Google Sheet', () => {
	const FILE = 'posts-from-google-sheet.json';
	const HEADER = ['location_id', 'title', 'content', 'publish_at', 'status', 'post_id', 'message'];
	const AT = '2031-01-06T08:00:00Z';
	const LIVE = expect.stringMatching(/^Goes live .*2031/);
	/** What the columns of the recipe say, below their headings. */
	const written = (rows: string[][]) => rows.slice(1).map((row) => row.slice(4));

	test('each row gets its status, and its post or the reason; the next run takes what failed', async () => {
		// As after a look at what would be posted.
		const run = await save(FILE, n8n.credential, { dryRun: false });
		const [one, other] = locations();
		const [known] = postsOf(other.id);
		const rows = [
			[...HEADER],
			[one.id, 'Open on Monday', 'From 8 to 12.', AT],
			[other.id, 'Open on Tuesday', 'From 8 to 12.', AT],
			[other.id, known.title, known.content, known.publish_at],
			['loc_nowhere', 'Open on Friday', 'From 9 to 12.', AT, '', '', 'An old message'],
			[one.id, 'Open on Sunday', 'From 8 to 12.', AT, 'posted', 'post_of_last_week', ''],
		];
		n8n.services.sheets.set(sheetOf(FILE), rows);
		const cost = counting('write');
		await run();
		const [monday, tuesday] = [postsOf(one.id)[0], postsOf(other.id)[0]];
		expect([monday, tuesday]).toMatchObject([
			{ title: 'Open on Monday', content: 'From 8 to 12.' },
			{ title: 'Open on Tuesday', content: 'From 8 to 12.' },
		]);
		// Nothing but the columns of the post: a service may refuse any other.
		const sent = n8n.sandbox.requests.map(({ body }) => body);
		const body = { title: 'Open on Monday', content: 'From 8 to 12.', publish_at: AT };
		expect(sent).toContainEqual(body);
		expect(rows[0]).toEqual(HEADER);
		expect(written(rows)).toEqual([
			['posted', monday.id, LIVE],
			['posted', tuesday.id, LIVE],
			['already there', known.id, ''],
			['not posted', '', expect.stringContaining('There is no location with the ID "loc_nowhere"')],
			['posted', 'post_of_last_week', ''],
		]);
		expect(cost()).toBe(figureOf(FILE, /4 rows/));

		rows[4][0] = one.id;
		const costOfNext = counting('write');
		await run();
		const [friday] = postsOf(one.id);
		expect(friday.title).toBe('Open on Friday');
		expect(written(rows)[3]).toEqual(['posted', friday.id, LIVE]);
		expect(costOfNext()).toBe(figureOf(FILE, /1 row,/));
	});

	test('as imported, the sheet says what would happen; one without rows is left as it is', async () => {
		const run = await save(FILE);
		const [{ id }] = locations();
		const before = postsOf(id);
		const rows: string[][] = [HEADER];
		n8n.services.sheets.set(sheetOf(FILE), rows);
		await run();
		expect(rows).toEqual([HEADER]);
		const { title, content, publish_at } = before[0];
		rows.push([id, 'New', 'Text', AT], ['loc_nowhere', 'New', 'Text', AT]);
		rows.push([id, title, content, publish_at], [id, 'Without a time', 'Text', '']);
		await run();
		expect(written(rows)).toEqual([
			['checked: would be posted', '', LIVE],
			['invalid', '', expect.stringContaining('loc_nowhere')],
			['checked: already there', '', expect.stringMatching(/^It already exists/)],
			['invalid', '', expect.stringContaining('publish_at')],
		]);
		expect(postsOf(id)).toEqual(before);
	});
});

test('nightly dry run: one e-mail lists what is invalid, and none if nothing is', async () => {
	const FILE = 'nightly-dry-run.json';
	const run = await save(FILE, n8n.readOnly);
	const [one, other] = locations();
	const before = postsOf(one.id).length;
	const rows = [
		['location_id', 'title', 'content', 'publish_at', 'status'],
		[one.id, 'Open in January', 'From 8 to 12, and on.', '2031-01-06T08:00:00Z'],
		['loc_nowhere', 'Open on Tuesday', 'From 8 to 12.', '2031-01-07T08:00:00Z'],
		[other.id, 'Open on Friday', 'From 8 to 12.', '2020-01-03T08:00:00Z'],
		['loc_nowhere', 'Open on Sunday', 'From 8 to 12.', '', 'posted'],
	];
	n8n.services.sheets.set(sheetOf(FILE), rows);
	const cost = counting('read');
	await run();
	expect(mailbox.mails).toHaveLength(1);
	const { to, subject, text } = mailbox.mails[0];
	expect({ to, subject }).toMatchObject({
		to: { text: 'team@example.com' },
		subject: "2 of 3 posts can't be published",
	});
	expect(text).toMatch(/^Row 3 \(Open on Tuesday\):\n.*There is no location .*loc_nowhere/);
	expect(text).toMatch(/\n\nRow 4 \(Open on Friday\):\n.*publish_at is over/);
	expect(postsOf(one.id)).toHaveLength(before);
	expect(cost()).toBe(figureOf(FILE, /3 rows/));

	rows.splice(2, 2);
	await run();
	expect(mailbox.mails).toHaveLength(1);
});

describe('weekly insights', () => {
	const FILE = 'weekly-insights.json';
	type Row = Record<string, unknown>;
	const sheet = (): Row[] => {
		const [header, ...rows] = n8n.services.sheets.get(sheetOf(FILE))!;
		return rows.map((row) => Object.fromEntries(row.map((cell, at) => [header[at], cell])));
	};

	test('the sheet, the table, the file and the chart have what the account has; no data is a hint', async () => {
		const [, silent] = locations();
		// This location opened last week: a row without a date would stop the table for all of them.
		Object.assign(n8n.sandbox.account.insightOf(silent.id), { days: [] });
		n8n.services.sheets.set(sheetOf(FILE), []);
		const execute = await save(FILE, n8n.readOnly);
		const cost = counting('read');
		const execution = await execute();
		expect(cost()).toBe(figureOf(FILE, /64 locations/));

		const plain = (rows: Row[]) =>
			rows.map((row) => `${row.location_id} ${row.date} ${row.views} ${row.calls}`).sort();
		const days = locations().flatMap(({ id }) =>
			n8n.sandbox.account.insightOf(id).days.map((day) => ({ location_id: id, ...day })),
		);
		expect(plain(sheet())).toEqual(plain(days));
		const table = async () => JSON.parse(await sql('SELECT json_agg(insights) FROM insights'));
		expect(plain(await table())).toEqual(plain(days));

		const [mail] = mailbox.mails;
		const [chart, csv, weeks] = ['chart', 'csv', 'sums'].map(
			(cid) => mail.attachments.find((one) => one.cid === cid)!,
		);
		expect(mail.html).toContain('<img src="cid:chart"');
		expect(chart).toMatchObject({ contentType: 'image/png', content: PICTURE });
		expect(csv.filename).toMatch(/^insights-\d{4}-\d\d-\d\d\.csv$/);
		expect(plain(parse(csv.content, { columns: true, bom: true }))).toEqual(plain(days));

		// The sums are of each location and week, with the number of its days.
		const sumsOf = (rows: Row[]) =>
			rows
				.map((row) => `${row.location_id} ${row.week} ${row.days} ${row.views} ${row.calls}`)
				.sort();
		const byWeek = groupBy(days, ({ location_id, date }) => `${location_id} ${mondayOf(date)}`);
		const expectedSums = Object.values(byWeek).map((own) => ({
			...{ location_id: own[0].location_id, week: mondayOf(own[0].date), days: own.length },
			...{ views: sumBy(own, 'views'), calls: sumBy(own, 'calls') },
		}));
		const ofFile: Row[] = parse(weeks.content, { columns: true, bom: true });
		expect(sumsOf(ofFile)).toEqual(sumsOf(expectedSums));
		expect(Object.keys(ofFile[0]).slice(0, 3)).toEqual(['location_id', 'location_name', 'week']);

		// The chart adds up the locations, and its service learns nothing else.
		const { labels, datasets } = n8n.services.charts.at(-1)!.data;
		const sums = labels.map((date) =>
			days.filter((day) => day.date === date).reduce((sum, { views }) => sum + views, 0),
		);
		expect(labels).toHaveLength(30);
		expect(datasets).toMatchObject([{ label: 'views', data: sums }]);
		expect(mail.subject).toBe(`Insights of 63 locations until ${labels.at(-1)}`);
		expect(JSON.stringify(n8n.services.charts)).not.toContain('loc_');

		const [{ hints }] = (await resultOf(n8n.rest, execution)).runData['Insights as rows'];
		expect(hints).toContainEqual(
			expect.objectContaining({ message: expect.stringContaining(silent.name) }),
		);

		// In the next week, most days are there already: what they count replaces what they counted.
		days[0].views += 100;
		n8n.sandbox.account.insightOf(days[0].location_id).days[0].views += 100;
		await execute();
		for (const rows of [sheet(), await table()]) expect(plain(rows)).toEqual(plain(days));
	});

	test('a device that comes in week two stops the workflow until the key has it; then each row is there once', async () => {
		const [{ id }] = locations();
		await sql('TRUNCATE insights');
		n8n.services.sheets.set(sheetOf(FILE), []);
		const execute = await save(FILE, n8n.readOnly);
		await execute();
		const table = async (): Promise<Row[]> =>
			JSON.parse(await sql('SELECT json_agg(insights) FROM insights'));
		const before = [await table(), sheet()];

		let more = 0;
		n8n.sandbox.faults.add({
			when: { path: `/locations/${id}/insights` },
			transform: ({ data, ...beside }) => {
				const { days } = data as unknown as { days: Array<{ views: number }> };
				const devices = days.flatMap((day) =>
					['mobile', 'desktop'].map((device) => ({ ...day, device, views: day.views + more })),
				);
				return { ...beside, data: { ...data, days: devices } };
			},
		});
		await expect(execute()).rejects.toThrow(/Two rows have the same location_id and date.*device/);
		expect([await table(), sheet()]).toEqual(before);

		const [, newKey, splitDays] = STATEMENTS;
		await sql(newKey);
		const withDevice = await save(FILE, n8n.readOnly, {}, ({ nodes }) => {
			for (const { name, parameters } of nodes as Array<{ name: string; parameters: Row }>) {
				if (name === 'One row for each key' || name === 'Key of the row') {
					const text = JSON.stringify(parameters);
					const own = text.replace("['location_id', 'date']", "['location_id', 'date', 'device']");
					Object.assign(parameters, JSON.parse(own));
				}
				if (name !== 'Save to the table') continue;
				const { matchingColumns } = parameters.columns as { matchingColumns: string[] };
				matchingColumns.push('device');
			}
		});
		await withDevice();
		await sql(splitDays);
		for (more of [0, 100]) {
			await withDevice();
			const rows = await table();
			const { days } = n8n.sandbox.account.insightOf(id);
			const own = rows.filter(({ location_id }) => location_id === id);
			const keys = rows.map((row) => `${row.location_id} ${row.date} ${row.device}`);
			expect(new Set(keys).size).toBe(rows.length);
			expect(rows).toHaveLength(before[0].length + days.length);
			expect(sumBy(own, 'views')).toBe(2 * sumBy(days, ({ views }) => views + more));
			const inSheet = sheet().filter((row) => row.location_id === id && row.device === 'mobile');
			expect(inSheet.map(({ views }) => Number(views))).toEqual(
				days.map(({ views }) => views + more),
			);
		}
	});
});

const mondayOf = (date: string) => DateTime.fromISO(date).startOf('week').toISODate();

describe('keywords from a Google Sheet', () => {
	const FILE = 'keywords-from-google-sheet.json';

	async function click(label: string): Promise<void> {
		const { html } = mailbox.mails.at(-1)!;
		const [, address] = new RegExp(`<a href="([^"]+)"[^>]*>\\s*${label}`).exec(String(html))!;
		// n8n takes no approval from a program that looks at links.
		const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
		const { status } = await http.get(address.replaceAll('&amp;', '&'), { headers });
		expect(status).toBe(200);
	}

	test('what is missing is added; what is gone is deleted only if someone says so', async () => {
		const run = await save(FILE);
		const { id } = locations()[3];
		const [gone, other, ...kept] = keywordsOf(id);
		const rows = [
			['location_id', 'keyword'],
			[id, ` ${other.toUpperCase()} `],
			...kept.map((keyword) => [id, keyword]),
			[id, 'open on sunday'],
			[id, ''],
			['loc_nowhere', 'open on monday'],
		];
		n8n.services.sheets.set(sheetOf(FILE), rows);
		const cost = counting('write');
		await run();
		expect(keywordsOf(id)).toEqual([gone, other, ...kept, 'open on sunday']);
		const [{ subject, html }] = mailbox.mails;
		expect(subject).toBe('Keywords to delete: 1');
		expect(html).toContain(`${gone} (${id})`);
		expect(html).toMatch(
			/could not be added:[^]*Row 8 \("open on monday"\): There is no location with the ID/,
		);
		await click('Delete them');
		await until('the deletion', () => !keywordsOf(id).includes(gone));
		expect(keywordsOf(id)).toEqual([other, ...kept, 'open on sunday']);
		expect(cost()).toBe(figureOf(FILE, /1 new, 1 gone/));

		// Nobody is asked if nothing is gone.
		await expect(run()).rejects.toThrow('Row 8 ("open on monday"): There is no location');
		expect(mailbox.mails).toHaveLength(1);

		rows.splice(1, 1);
		const execution = await run();
		expect(mailbox.mails).toHaveLength(2);
		const before = counting('write');
		await click('Keep them');
		await until('the end', async () => {
			const { status } = await n8n.rest.get<{ status: string }>(`/executions/${execution}`);
			return status === 'success';
		});
		expect(before()).toBe(0);
		expect(keywordsOf(id)).toEqual([other, ...kept, 'open on sunday']);
	});
});

/** The location whose score drops. */
const DROPPED = 5;

/** The requests of the trigger, which has a key of its own. */
const polls = () => n8n.sandbox.requests.filter(({ scope }) => scope === 'admin');

/** Publishes the recipe of the trigger and lets a score drop: n8n polls while the other recipes run. */
async function watchRankScores(): Promise<void> {
	const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: n8n.sandbox.keys.admin };
	const body = { name: 'For the trigger', type: 'localSeoApi', data };
	const own = await n8n.rest.post<Named>('/credentials', body);
	await n8n.activate(pollingOften(recipe('rank-drop-to-slack.json', own)));
	await until('the first poll', () => polls().some(({ query }) => query.page === '5'));
	locations()[DROPPED].rank_score -= 7;
}

test('a Slack message says by how much a rank score fell, for what the documentation says', async () => {
	await until('the message', () => n8n.services.messages.length > 0, AFTER_A_POLL);
	const { name, city, rank_score: score } = locations()[DROPPED];
	expect(n8n.services.messages).toEqual([
		expect.objectContaining({
			channel: '#local-seo',
			text: `${name}, ${city}: the rank score fell by 7, from ${score + 7} to ${score}.`,
		}),
	]);
	const isFirstPage = polls().map(({ query }) => query.page === undefined);
	const secondPoll = isFirstPage.indexOf(true, 1);
	expect(secondPoll).toBe(figureOf('rank-drop-to-slack.json', /64 locations/));
});

/** Runs SQL as a person does, with PostgreSQL's own client. */
async function sql(text: string): Promise<string> {
	const { port, user, password, psql } = postgres;
	const server = ['--host', LOOPBACK, '--port', `${port}`];
	const where = [...server, '--username', user, '--dbname', 'postgres'];
	const how = ['--tuples-only', '--no-align', '--command', text];
	return (await execa({ env: { PGPASSWORD: password } })(psql, [...where, ...how])).stdout;
}
