import type { INodeParameters } from 'n8n-workflow';

import { byId, columns, incomingRow, useSandbox } from '../../support/fixture';
import { locationWithPosts } from '../../support/operations';

const service = useSandbox();
const home = () => locationWithPosts(service);
const stored = () => service.sandbox.account.postsOf(home().id);

async function post(
	rows: object[],
	fields: object = incomingRow,
	{ locationId = byId(home().id), ...more }: INodeParameters = {},
) {
	const parameters = {
		resource: 'post',
		operation: 'create',
		locationId,
		fields: fields as never,
		...more,
	};
	const settings = { onError: 'continueRegularOutput' as const };
	const { error, json } = await service.run(parameters, { rows: rows as never, settings });
	expect(error).toBeUndefined();
	const sent = service.sandbox.requests.filter(({ method }) => method === 'POST');
	return {
		json,
		sent: sent.map(({ body }) => body as Record<string, unknown>),
		errors: json.map((item) => item.error as { message: string; description: string } | undefined),
	};
}

const row = (more: object = {}) => ({ title: 'Open', content: 'From 8', ...more });
const byHand = (value: Record<string, string>) => columns(value);

test.each([
	['#REF!', /^The field "title" has no value: a formula gives "#REF!"$/],
	['#N/A', /a formula gives/],
	['#NV', /a formula gives/],
	['#¡VALOR!', /a formula gives/],
	['#####', /a formula gives/],
	['undefined', /^The field "title" has no value, but the text "undefined"$/],
	['NULL', /but the text "NULL"/],
	['NaN', /but the text/],
	['[object Object]', /but the text/],
	['Our offer: [object Object]', /but the text/],
	['F\ufffdr alle', /^The field "title" has unreadable letters: "\ufffd"$/],
	['FÃ¼r alle', /^The field "title" has unreadable letters: "FÃ¼r alle"$/],
	['Itâ€™s open', /unreadable letters/],
	['Ð¡ÐºÐ¸Ð´ÐºÐ°', /unreadable letters/],
	['ðŸŽ„ heute', /unreadable letters/],
	['F\u00fcr 49 \u0080 \u2013 jetzt', /has unreadable letters: "Für 49 \ufffd – jetzt"$/],
	['Bread \ud83e', /^The field "title" has half an emoji/],
])('the cell %j is refused by name, however it is mapped', async (title, message) => {
	for (const fields of [
		incomingRow,
		byHand({ title: '={{ $json.title }}', content: '={{ $json.content }}' }),
	]) {
		const { sent, errors } = await post([row({ title })], fields);
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toMatch(message);
		expect(errors[0]?.description).toMatch(/^Nothing was sent\. /);
	}
});

test.each([
	'#SALE!',
	'#bread #rolls',
	'N/A is our new roll',
	'Undefined? Ask us',
	'Null Uhr',
	'“MAÇÔ',
	'“MAÇÃ” – ab heute',
	'Ça coûte 3 €',
	'Strauß’ Walzer im Park',
	'Sommer, Sonne, Spaß…',
	'NESCAFÉ® tasting',
	'CAFÉ’S NEW MENU',
	'MENÜ…',
	'👩🏽‍🍳 heute',
	'  two spaces  ',
	'one\r\ntwo',
])('the text %j is sent as it is', async (title) => {
	expect((await post([row({ title })])).sent).toEqual([row({ title })]);
});

test('a cell that only looks filled is empty', async () => {
	const cells = { a: ' ', b: '\u00a0', c: '\u200b\u00ad', d: '', e: null, f: '\t\n' };
	expect((await post([row(cells)])).sent).toEqual([row()]);
	const mapped = Object.fromEntries(
		Object.keys(cells).map((name) => [name, `={{ $json.${name} }}`]),
	);
	const fields = byHand({ title: '={{ $json.title + " two" }}', content: 'B', ...mapped });
	expect((await post([row(cells)], fields)).sent.at(-1)).toEqual({
		title: 'Open two',
		content: 'B',
	});
});

test('a number is sent as text where the records have texts, and a word of a list without its spaces', async () => {
	for (const post of stored()) Object.assign(post, { type: 'offer', price: 5 });
	const given = row({ title: 2027, content: true, type: 'offer ', price: 7, other: 'x ' });
	expect((await post([given])).sent).toEqual([
		{ title: '2027', content: 'true', type: 'offer', price: 7, other: 'x ' },
	]);
});

test('headings are compared without case, spaces, _ and -, and a status is only one to the letter', async () => {
	const given = { Title: 'Open', CONTENT: 'From 8', 'Image URL': 'https://a.example/b.jpg' };
	const rows = [{ ...given, 'Image-Url ': 'x', Status: 'ask Ann', 'Posted by': 'Ann' }];
	const { sent } = await post(rows);
	// Of two that mean one field, the first.
	expect(sent).toEqual([
		{
			...{ title: 'Open', content: 'From 8', image_url: 'https://a.example/b.jpg' },
			...{ 'Image-Url': 'x', 'Posted by': 'Ann' },
		},
	]);
	await post([row({ title: 'Draft', status: 'draft' })]);
	const { sent: all } = await post([row({ title: 'Done', status: 'posted' })]);
	expect(all.slice(1).map(({ status }) => status)).toEqual(['draft', undefined]);
});

test('a column of its own keeps its name, beside one that is written otherwise', async () => {
	const { sent } = await post([row({ 'Publish At': 'Friday', publish_at: '2027-12-24' })]);
	expect(sent).toEqual([row({ 'Publish At': 'Friday', publish_at: '2027-12-24T00:00:00-05:00' })]);
});

test('columns without a heading, and the numbers that a source gives its rows, are not sent', async () => {
	const given = {
		'': '0',
		__EMPTY: 'x',
		__EMPTY_1: 'y',
		id: '7',
		row_number: 2,
		'Location ID': 'L',
	};
	expect((await post([row(given)])).sent).toEqual([row()]);
});

test('headings are judged by the columns of all rows, in one message', async () => {
	const rows = [{ headline: 'A' }, { text: 'B' }, { headline: 'C', text: 'D' }];
	const { sent, errors } = await post(rows);
	expect(sent).toEqual([]);
	const messages = errors.map((error) => error?.message.replace(/^Item \d: /, ''));
	expect(new Set(messages).size).toBe(1);
	expect(messages[0]).toMatch(
		/^Your columns: headline, text\. The service expects: title, content/,
	);
});

test('a row with notes alone, beside good ones, lacks what posts have', async () => {
	const rows = [row({ notes: 'by Ann' }), { title: '', content: ' ', notes: 'ask Ann' }];
	const { sent, errors } = await post(rows);
	expect(sent).toEqual([row({ notes: 'by Ann' })]);
	expect(errors[1]?.message).toBe('Item 2: title and content are empty');
});

test.each([
	[';', 'semicolons'],
	['\t', 'tabs'],
	['|', 'vertical bars'],
])('columns that n8n has read as one, since they are separated by %j', async (sign, name) => {
	const heading = ['location_id', 'title', 'content'].join(sign);
	const rows = [{ [heading]: ['loc_1', 'A', 'B'].join(sign) }];
	for (const fields of [incomingRow, byHand({ title: '={{ $json.title }}', content: 'B' })]) {
		const { sent, errors } = await post(rows, fields);
		expect(sent).toEqual([]);
		expect(errors[0]).toMatchObject({
			message: `The columns of the file are separated by ${name}`,
			description: expect.stringContaining('add the option Delimiter'),
		});
	}
	// Nor where the account has no posts, whose fields would show it.
	const more = { locationId: byId(service.sandbox.account.addLocation({ name: 'New' }).id) };
	for (const { id } of service.sandbox.account.locations) {
		service.sandbox.account.postsOf(id).length = 0;
	}
	expect((await post(rows, incomingRow, more)).sent).toEqual([]);
});

test.each([
	['of lookups, as Airtable has them', ['2099-12-24 09:00']],
	['of a range without an end, as Notion has it', { start: '2099-12-24 09:00', end: null }],
])('a time may come in a list of one or the like: %s', async (_, publish_at) => {
	const { sent } = await post([{ ...row(), publish_at }], incomingRow);
	expect(sent).toMatchObject([{ publish_at: '2099-12-24T09:00:00-05:00' }]);
});

test('a text under a heading that is not known, where all posts have one, is refused by name', async () => {
	const rows = [{ title: 'A', Text: 'Come by on Sunday', Nr: 7 }];
	const { sent, errors } = await post(rows, incomingRow);
	expect(sent).toEqual([]);
	expect(errors[0]).toMatchObject({
		message: 'No column is called "content", and every content post that was checked has it',
		description: expect.stringContaining('The service does not know "Text": rename'),
	});
	// Empty in this row alone is the author's own decision.
	const empty = [{ title: 'A', content: '', Notes: 'ask Anna' }];
	expect((await post(empty, incomingRow)).sent).toEqual([{ title: 'A', Notes: 'ask Anna' }]);
});

test('columns that are called like those of a dry run may hold anything', async () => {
	const odd = { action: { toString: 1 }, request: { toString: 1 } };
	const { sent, errors } = await post([{ ...row(), ...odd }], incomingRow);
	expect(errors).toEqual([undefined]);
	expect(sent).toEqual([{ ...row(), ...odd }]);
});

test('the rows of a dry run are sent without what it has said of them', async () => {
	const rows = [{ ...row(), publish_at: '24.12.2099 9:00' }];
	const { json } = await post(rows, incomingRow, { dryRun: true });
	const { sent } = await post(json, incomingRow);
	expect(sent).toEqual([{ ...row(), publish_at: '2099-12-24T09:00:00-05:00' }]);
});

test('an expression that reads a column which no row has is refused where it matters', async () => {
	const fields = (more: Record<string, string>) =>
		byHand({ title: '={{ $json.title }}', content: '={{ $json.content }}', ...more });
	const message = async (more: Record<string, string>, rows: object[] = [row()]) =>
		(await post(rows, fields(more))).errors[0];
	expect(await message({ title: '={{ $json.Titel }}' })).toMatchObject({
		message: 'No item has a column "Titel"',
		description: expect.stringContaining('There are: title, content.'),
	});
	expect(await message({ image_url: '={{ $json.Title }}' })).toMatchObject({
		message: 'No item has a column "Title"',
		description: expect.stringContaining('There is "title".'),
	});
	expect(await message({ title: '={{ $json.title + " " + $json.Sub }}' })).toMatchObject({
		message: 'No item has a column "Sub"',
	});
	expect(service.requests().filter((one) => one.startsWith('POST'))).toEqual([]);
	// Files are read without their empty cells, so an optional column may be missing everywhere.
	expect(await message({ image_url: '={{ $json.Picture }}' })).toBeUndefined();
	expect(await message({ title: '={{ $json.Titel ?? $json.title + " 2" }}' })).toBeUndefined();
	const rows = [{ title: 'C', Sub: 'x' }, { title: 'D' }];
	expect(await message({ content: '={{ $json.Sub ?? "-" }}' }, rows)).toBeUndefined();
});

test('an ID with a character that nobody sees is refused, and says where', async () => {
	const more = { locationId: byId(`${home().id.slice(0, 5)}\u200b${home().id.slice(5)}`) };
	const { sent, errors } = await post([row()], incomingRow, more);
	expect(sent).toEqual([]);
	expect(errors[0]).toMatchObject({
		message: `The location ID has an invisible character after "${home().id.slice(0, 5)}"`,
		description: 'Nothing was sent. It is U+200B: retype the cell.',
	});
});

describe('Custom JSON', () => {
	const json = async (jsonBody: string, rows: object[]) =>
		await post(rows, incomingRow, { dataToSend: 'json', jsonBody, ifExists: 'create' });

	test('with an expression between quotes says how to write it', async () => {
		const body = '={ "title": "A", "content": "{{ $json.content }}" }';
		for (const content of ['one\ntwo', 'say "hi"']) {
			const { sent, errors } = await json(body, [{ content }]);
			expect(sent).toEqual([]);
			expect(errors[0]?.description).toContain(
				'write {{ JSON.stringify($json.content) }} without quotes around it',
			);
		}
		const { errors } = await json('{ "title": }', [{}]);
		expect(errors[0]?.description).toContain('Use double quotes around names and text');
	});

	test('from a model may be fenced', async () => {
		const { sent } = await json('```json\n{ "title": "A", "content": "B" }\n```\n', [{}]);
		expect(sent).toEqual([{ title: 'A', content: 'B' }]);
	});
});
