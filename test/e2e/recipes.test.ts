import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { execa } from 'execa';
import { DateTime } from 'luxon';
import type { ParsedMail } from 'mailparser';

import { exampleWith } from '../../dev/demo/setup';
import { resultOf, runByHand } from '../../dev/n8n/execution';
import { ROOT } from '../../dev/n8n/home';
import { http } from '../../dev/n8n/http';
import { freePort, LOOPBACK } from '../../dev/n8n/port';
import { findPostgres, startPostgres } from '../../dev/n8n/stores';
import { AFTER_A_POLL, until } from '../../dev/n8n/until';
import type { Named } from '../../dev/n8n/workflow';
import type { Scope } from '../../dev/sandbox';
import { type Mailbox, startMailbox } from '../support/mailbox';
import { useN8n } from '../support/n8n';
import { SHEET_CASES, sheetOf as casesOf } from '../support/sheetCases';
import { type OtherServices, PICTURE, startOtherServices } from '../support/otherServices';

/*
 * The recipes as they ship, with the credentials, sheets and channels that a user chooses. All nodes are
 * n8n's own. What stands in is behind them: Google, Slack and QuickChart (test/support/otherServices.ts)
 * and the mail server (test/support/mailbox.ts). PostgreSQL is real where it is installed.
 */
jest.setTimeout(240_000);

const DOCS = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
const PROGRAMS = findPostgres();

const stops: Array<() => Promise<unknown>> = [];
let services: OtherServices;
let mailbox: Mailbox;
const n8n = useN8n(async () => {
	services = await startOtherServices();
	mailbox = await startMailbox();
	stops.push(services.close, mailbox.close);
	return services.settings;
});

const database = {
	host: LOOPBACK,
	port: 0,
	database: 'postgres',
	user: 'n8n',
	password: 'recipes',
	ssl: 'disable',
	allowUnauthorizedCerts: false,
	sshTunnel: false,
};
beforeAll(async () => {
	if (!PROGRAMS) {
		console.warn('PostgreSQL is not installed: the rows are checked before they reach it.');
		return;
	}
	database.port = await freePort();
	const program = { atEnd: (stop: () => Promise<void>) => void stops.push(stop) };
	const { port: postgresPort, password } = database;
	await startPostgres(program, PROGRAMS, { postgresPort, password });
	const [, makeTable] = /```sql\n([^`]+)```/.exec(DOCS)!;
	await sql(makeTable);
});

/** By the type of the node that uses them. */
const chosen: Record<string, Record<string, Named>> = {};
beforeAll(async () => {
	const { rest } = n8n;
	const credential = async (type: string, data: object) => ({
		[type]: await rest.post<Named>('/credentials', { name: type, type, data }),
	});
	chosen['n8n-nodes-base.googleSheets'] = { googleSheetsOAuth2Api: await services.signIn(rest) };
	chosen['n8n-nodes-base.slack'] = await credential('slackApi', { accessToken: 'xoxb' });
	chosen['n8n-nodes-base.emailSend'] = await credential('smtp', mailbox.smtp);
	chosen['n8n-nodes-base.postgres'] = await credential('postgres', database);
	await watchRankScores();
});
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
async function save(file: string, localSeo = n8n.credential, parameters = {}) {
	const workflow = recipe(file, localSeo, parameters);
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
	const HEADER = ['location_id', 'title', 'content', 'status', 'post_id', 'message'];
	let run: () => Promise<string>;
	beforeAll(async () => {
		run = await save(FILE);
	});

	test('each row gets its status, and its post or the reason why there is none', async () => {
		const [one, other] = locations();
		const [known] = postsOf(other.id);
		const rows = [
			[...HEADER],
			[one.id, 'Open on Monday', 'From 8 to 12.'],
			[other.id, 'Open on Tuesday', 'From 8 to 12.'],
			[other.id, known.title, known.content],
			['loc_nowhere', 'Open on Friday', 'From 8 to 12.', '', '', 'An old message'],
			[one.id, 'Open on Sunday', 'From 8 to 12.', 'posted', 'post_of_last_week', ''],
		];
		services.sheets.set(sheetOf(FILE), rows);
		const cost = counting('write');
		await run();
		const [monday, tuesday] = [postsOf(one.id)[0], postsOf(other.id)[0]];
		expect([monday, tuesday]).toMatchObject([
			{ title: 'Open on Monday', content: 'From 8 to 12.' },
			{ title: 'Open on Tuesday', content: 'From 8 to 12.' },
		]);
		// Nothing but the columns of the post: a service may refuse any other.
		const sent = n8n.sandbox.requests.map(({ body }) => body);
		expect(sent).toContainEqual({ title: 'Open on Monday', content: 'From 8 to 12.' });
		expect(rows.map((row) => row.slice(3))).toEqual([
			['status', 'post_id', 'message'],
			['posted', monday.id, 'Goes live at once.'],
			['posted', tuesday.id, 'Goes live at once.'],
			['already there', known.id, ''],
			['not posted', '', expect.stringContaining('There is no location with the ID "loc_nowhere"')],
			['posted', 'post_of_last_week', ''],
		]);
		expect(cost()).toBe(figureOf(FILE, /4 rows/));
	});

	test('the next run takes the row that failed, and no other', async () => {
		const rows = services.sheets.get(sheetOf(FILE))!;
		const [one] = locations();
		rows[4][0] = one.id;
		const cost = counting('write');
		await run();
		const [friday] = postsOf(one.id);
		expect(friday.title).toBe('Open on Friday');
		expect(rows[4].slice(3)).toEqual(['posted', friday.id, 'Goes live at once.']);
		expect(cost()).toBe(figureOf(FILE, /1 row,/));
	});
});

describe.each([false, true])('posts from a Google Sheet, Dry Run %s', (dryRun) => {
	const FILE = 'posts-from-google-sheet.json';
	let run: () => Promise<string>;
	beforeAll(async () => {
		run = await save(FILE, n8n.credential, { dryRun });
	});

	test.each(SHEET_CASES)('with $name, the sheet says what happened', async (one) => {
		const [location] = locations();
		const before = postsOf(location.id).length;
		const { cells, statuses, posts } = casesOf(one, dryRun, location, postsOf(location.id)[0]);
		const rows = [['location_id', 'title', 'content', 'status', 'post_id', 'message'], ...cells];
		services.sheets.set(sheetOf(FILE), rows);
		await run();
		const written = rows.slice(1);
		expect(written.map((row) => row[3])).toEqual(statuses);
		expect(postsOf(location.id)).toHaveLength(before + posts);
		for (const [, title, , status, postId, message] of written) {
			const post = postsOf(location.id).find((there) => there.title === title);
			expect([title, postId]).toEqual([title, dryRun ? '' : (post?.id ?? '')]);
			// What can't be posted has a reason; the others say when they go live.
			const said: Record<string, RegExp> = {
				posted: /^Goes live at once\.$/,
				'already there': /^$/,
				'checked: would be posted': /^Goes live at once\.$/,
				'checked: already there': /^It already exists/,
			};
			expect([title, message]).toEqual([title, expect.stringMatching(said[status] ?? /./)]);
		}
	});
});

test('nightly dry run: one e-mail lists what is invalid, and none if nothing is', async () => {
	const FILE = 'nightly-dry-run.json';
	const run = await save(FILE, n8n.readOnly);
	const [one, other] = locations();
	const before = postsOf(one.id).length;
	const rows = [
		['location_id', 'title', 'content', 'publish_at', 'status'],
		[one.id, 'Open on Monday', 'From 8 to 12, and on.', '2031-01-06T08:00:00Z'],
		['loc_nowhere', 'Open on Tuesday', 'From 8 to 12.'],
		[other.id, 'Open on Friday', 'From 8 to 12.', '2020-01-03T08:00:00Z'],
		['loc_nowhere', 'Open on Sunday', 'From 8 to 12.', '', 'posted'],
	];
	services.sheets.set(sheetOf(FILE), rows);
	mailbox.mails.length = 0;
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
	const TABLE = PROGRAMS
		? 'the table of PostgreSQL'
		: 'the place of PostgreSQL, which is not installed here';
	let cost: number;
	let execution: string;
	let mail: ParsedMail;

	/** What the account has, as rows. */
	const days = () =>
		locations().flatMap(({ id }) =>
			n8n.sandbox.account.insightOf(id).days.map((day) => ({ location_id: id, ...day })),
		);
	const plain = (rows: object[]) =>
		(rows as Array<Record<string, unknown>>)
			.map((row) => `${row.location_id} ${row.date} ${row.views} ${row.calls}`)
			.sort();

	beforeAll(async () => {
		// One location opened last week: a row without a date would stop the table for all of them.
		Object.assign(n8n.sandbox.account.insightOf(locations()[1].id), { days: [] });
		services.sheets.set(sheetOf(FILE), []);
		const workflow = recipe(FILE, n8n.readOnly);
		const table = workflow.nodes.find(({ type }) => type.endsWith('.postgres'))!;
		// Takes and gives the same rows.
		if (!PROGRAMS)
			Object.assign(table, { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} });
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		await runByHand(n8n.rest, id);
		const counted = counting('read');
		mailbox.mails.length = 0;
		execution = await runByHand(n8n.rest, id);
		cost = counted();
		[mail] = mailbox.mails;
	});

	test('the second run costs what the first one did', () => {
		expect(cost).toBe(figureOf(FILE, /64 locations/));
	});

	test('the sheet has each location and day once', () => {
		const [header, ...rows] = services.sheets.get(sheetOf(FILE))!;
		const records = rows.map((row) =>
			Object.fromEntries(row.map((cell, index) => [header[index], cell])),
		);
		expect(plain(records)).toEqual(plain(days()));
	});

	test(`so has ${TABLE}`, async () => {
		const rows = PROGRAMS
			? JSON.parse(await sql('SELECT json_agg(insights) FROM insights'))
			: (await resultOf(n8n.rest, execution)).runData['Save to the table'].flatMap(({ data }) =>
					data!.main[0]!.map(({ json }) => json),
				);
		expect(plain(rows)).toEqual(plain(days()));
	});

	test('the location without data has no row, and the node says which one it is', async () => {
		const [, silent] = locations();
		const { runData } = await resultOf(n8n.rest, execution);
		const [{ data, hints }] = runData['Insights as rows'];
		const rows = data!.main[0]!.map(({ json }) => json);
		expect(new Set(rows.map((row) => row.location_id)).size).toBe(63);
		expect(hints).toContainEqual(
			expect.objectContaining({ message: expect.stringContaining(silent.name) }),
		);
	});

	test('the e-mail has the chart as a picture and the rows as a file', () => {
		const [chart, csv] = ['chart', 'csv'].map(
			(cid) => mail.attachments.find((one) => one.cid === cid)!,
		);
		expect(mail.html).toContain('<img src="cid:chart"');
		expect(chart).toMatchObject({ contentType: 'image/png', content: PICTURE });
		expect(csv.filename).toMatch(/^insights-\d{4}-\d\d-\d\d\.csv$/);
		expect(plain(parse(csv.content, { columns: true, bom: true }))).toEqual(plain(days()));
	});

	test('the chart adds up the locations, and its service learns nothing else', () => {
		const { labels, datasets } = services.charts.at(-1)!.data;
		const sums = labels.map((date) =>
			days()
				.filter((day) => day.date === date)
				.reduce((sum, { views }) => sum + views, 0),
		);
		expect(labels).toHaveLength(30);
		expect(datasets).toMatchObject([{ label: 'views', data: sums }]);
		expect(mail.subject).toBe(`Insights of 63 locations until ${labels.at(-1)}`);
		expect(JSON.stringify(services.charts)).not.toContain('loc_');
	});
});

/** The next weeks, in which a device, a list and a shop come and go. */
describe('three weeks in the table', () => {
	const FILE = 'weekly-insights.json';
	const SHOWN =
		'location_id, date, views, reviews_count, devices_mobile_views, devices_desktop_views';
	let run: () => Promise<void>;
	/** The rows that came to the table, where PostgreSQL is not installed. */
	const written = new Map<string, Record<string, unknown>>();

	/** Days of a week, and what each counts. */
	const week = (start: string, name: string, count: number) =>
		Array.from({ length: 10 }, (_, day) => ({
			date: DateTime.fromISO(start).plus({ days: day }).toISODate()!,
			[name]: count + day,
		}));
	const serve = (start: string, more: object) => {
		const counts = { searches: 1, calls: 1, direction_requests: 1, website_clicks: 1 };
		const days = week(start, 'views', 100).map((day) => ({ ...counts, ...day }));
		for (const { id } of locations()) {
			Object.assign(n8n.sandbox.account.insightOf(id), { days, ...more });
		}
	};
	const devices = (start: string, ...names: string[]) =>
		names.map((device, at) => ({ device, days: week(start, 'views', 10 * (at + 1)) }));
	const rows = async (): Promise<Array<Record<string, unknown>>> => {
		if (PROGRAMS) {
			return JSON.parse(
				await sql(`SELECT json_agg(w) FROM (SELECT ${SHOWN} FROM insights ORDER BY 1, 2) w`),
			);
		}
		const names = SHOWN.split(', ');
		return [...written.values()].map((row) =>
			Object.fromEntries(names.map((name) => [name, row[name] ?? null])),
		);
	};

	beforeAll(async () => {
		const workflow = recipe(FILE, n8n.readOnly);
		const table = workflow.nodes.find(({ type }) => type.endsWith('.postgres'))!;
		if (PROGRAMS) {
			await sql('TRUNCATE insights');
			await sql(
				'ALTER TABLE insights ADD devices_mobile_views integer, ADD devices_desktop_views integer, ADD reviews_count integer',
			);
		} else Object.assign(table, { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} });
		const { id } = await n8n.rest.post<{ id: string }>('/workflows', workflow);
		run = async () => {
			const execution = await runByHand(n8n.rest, id);
			if (PROGRAMS) return;
			const { runData } = await resultOf(n8n.rest, execution);
			for (const { json } of runData['Save to the table'].flatMap(({ data }) => data!.main[0]!)) {
				const key = `${String(json.location_id)} ${String(json.date)}`;
				written.set(key, { ...written.get(key), ...json });
			}
		};
	});

	test('no column is renamed, and each day is there once', async () => {
		serve('2026-10-05', { devices: devices('2026-10-05', 'mobile'), reviews: undefined });
		await run();
		const first = await rows();
		expect(first).toHaveLength(10 * locations().length);
		expect(first[0]).toMatchObject({ date: '2026-10-05', views: 100, devices_mobile_views: 10 });

		const { account } = n8n.sandbox;
		const shop = account.addLocation({ name: 'Pop-up' });
		const reviews = week('2026-10-12', 'count', 1);
		serve('2026-10-12', { devices: devices('2026-10-12', 'mobile', 'desktop'), reviews });
		await run();
		const second = await rows();
		expect(second).toHaveLength(17 * (locations().length - 1) + 10);
		const of = (all: typeof first, id: string, date: string) =>
			all.filter((row) => row.location_id === id && row.date === date);
		const [{ id }] = locations();
		expect(of(second, id, '2026-10-12')).toMatchObject([
			{ views: 100, devices_mobile_views: 10, devices_desktop_views: 20, reviews_count: 1 },
		]);
		expect(of(second, shop.id, '2026-10-21')).toMatchObject([
			{ views: 109, devices_desktop_views: 29 },
		]);

		account.removeLocation(shop.id);
		serve('2026-10-19', { devices: devices('2026-10-19', 'desktop'), reviews: undefined });
		await run();
		const third = await rows();
		expect(of(third, id, '2026-10-28')).toMatchObject([
			{ views: 109, devices_desktop_views: 19, devices_mobile_views: null, reviews_count: null },
		]);
		expect(of(third, shop.id, '2026-10-12')).toHaveLength(1);
		const days = third.map((row) => `${String(row.location_id)} ${String(row.date)}`);
		expect(new Set(days).size).toBe(days.length);
	});
});

describe('keywords from a Google Sheet', () => {
	const FILE = 'keywords-from-google-sheet.json';
	let run: () => Promise<string>;
	/** The keywords of the first location; the first one is not in the sheet. */
	let kept: string[];
	let gone: string;
	let id: string;

	beforeAll(async () => {
		run = await save(FILE);
		id = locations()[3].id;
		[gone, ...kept] = keywordsOf(id);
		services.sheets.set(sheetOf(FILE), [
			['location_id', 'keyword'],
			...kept.map((keyword, index) => [id, index === 0 ? ` ${keyword.toUpperCase()} ` : keyword]),
			[id, 'open on sunday'],
			[id, ''],
			['loc_nowhere', 'open on monday'],
		]);
	});

	/** Clicks a button in the latest e-mail. */
	async function click(label: string): Promise<void> {
		const { html } = mailbox.mails.at(-1)!;
		const [, address] = new RegExp(`<a href="([^"]+)"[^>]*>\\s*${label}`).exec(String(html))!;
		// n8n takes no approval from a program that looks at links.
		const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
		const { status } = await http.get(address.replaceAll('&amp;', '&'), { headers });
		expect(status).toBe(200);
	}

	test('what is missing is added; what is gone stays until someone says so', async () => {
		mailbox.mails.length = 0;
		const cost = counting('write');
		await run();
		expect(keywordsOf(id)).toEqual([gone, ...kept, 'open on sunday']);
		const [{ subject, html }] = mailbox.mails;
		expect(subject).toBe('Keywords to delete: 1');
		expect(html).toContain(`${gone} (${id})`);
		expect(html).toMatch(/could not be added:[^]*Row 8: There is no location with the ID/);

		await click('Delete them');
		await until('the deletion', () => !keywordsOf(id).includes(gone));
		expect(keywordsOf(id)).toEqual([...kept, 'open on sunday']);
		expect(cost()).toBe(figureOf(FILE, /1 new, 1 gone/));
	});

	test('nothing is deleted if the answer is no, and nobody is asked if nothing is gone', async () => {
		await expect(run()).rejects.toThrow('Row 8: There is no location with the ID "loc_nowhere"');
		expect(mailbox.mails).toHaveLength(1);

		services.sheets.get(sheetOf(FILE))!.splice(1, 1);
		const execution = await run();
		expect(mailbox.mails).toHaveLength(2);
		const before = counting('write');
		await click('Keep them');
		await until('the end', async () => {
			const { status } = await n8n.rest.get<{ status: string }>(`/executions/${execution}`);
			return status === 'success';
		});
		expect(before()).toBe(0);
		expect(keywordsOf(id)).toEqual([...kept, 'open on sunday']);
	});
});

describe('a Slack message when a rank score drops', () => {
	test('says by how much', async () => {
		await until('the message', () => services.messages.length > 0, AFTER_A_POLL);
		const { name, city, rank_score: score } = locations()[DROPPED];
		expect(services.messages).toEqual([
			expect.objectContaining({
				channel: '#local-seo',
				text: `${name}, ${city}: the rank score fell by 7, from ${score + 7} to ${score}.`,
			}),
		]);
	});

	test('a poll costs what the documentation says', () => {
		const isFirstPage = polls().map(({ query }) => query.page === undefined);
		const secondPoll = isFirstPage.indexOf(true, 1);
		expect(secondPoll).toBe(figureOf('rank-drop-to-slack.json', /64 locations/));
	});
});

/** The location whose score drops. */
const DROPPED = 5;

/** The requests of the trigger, which has a key of its own. */
const polls = () => n8n.sandbox.requests.filter(({ scope }) => scope === 'admin');

/** Publishes the recipe of the trigger and lets a score drop: n8n polls while the other recipes run. */
async function watchRankScores(): Promise<void> {
	const data = { baseUrl: n8n.sandbox.baseUrl, apiKey: n8n.sandbox.keys.admin };
	const own = await n8n.rest.post<Named>('/credentials', {
		name: 'For the trigger',
		type: 'localSeoApi',
		data,
	});
	const workflow = recipe('rank-drop-to-slack.json', own);
	const trigger = workflow.nodes.find(({ type }) => type.endsWith('localSeoTrigger'));
	Object.assign((trigger as unknown as { parameters: object }).parameters, {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
	});
	await n8n.activate(workflow);
	await until(
		'the first poll',
		() => polls().some(({ query }) => query.page === '5'),
		AFTER_A_POLL,
	);
	locations()[DROPPED].rank_score -= 7;
}

/** Runs SQL as a person does, with PostgreSQL's own client. */
async function sql(text: string): Promise<string> {
	const { host, port, user, password } = database;
	const where = [
		'--host',
		host,
		'--port',
		String(port),
		'--username',
		user,
		'--dbname',
		'postgres',
	];
	const how = ['--tuples-only', '--no-align', '--command', text];
	const psql = execa({ env: { PGPASSWORD: password } });
	return (await psql(join(PROGRAMS!, 'psql'), [...where, ...how])).stdout;
}
