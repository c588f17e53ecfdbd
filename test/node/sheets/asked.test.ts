import type { INodeParameters } from 'n8n-workflow';

import { byId, byName, columns, incomingRow } from '../../support/fixture';
import { type Fields, type Service, useBackend } from '../ordinary/backend';

// What a sheet leaves open is asked, once, before anything is sent.

const backend = useBackend();
const zone = 'Europe/Berlin';
const TEXTS = ['Open on Sunday', 'Kuchen am Advent', 'New hours', 'Winter sale', 'Snow', 'Gifts'];
/** Rows with texts of their own. */
const rowsWith = (...cells: Fields[]) =>
	cells.map((more, index) => ({ title: TEXTS[index], content: `About ${TEXTS[index]}`, ...more }));
const dated = (publish_at: unknown) => ({ publish_at });

/** An account whose posts show these fields, and a time to come. */
function accountWith(more: Fields = {}): Service {
	const service = backend();
	const planned = { title: 'Planned', content: 'Later', publish_at: '2099-01-01T10:00:00Z' };
	service.add('posts', { location_id: service.location(), ...planned, ...more });
	return service;
}

/** An account whose only post shows no time. */
function accountWithout(): Service {
	const service = backend();
	service.add('posts', { location_id: service.location(), title: 'There', content: 'x' });
	return service;
}

/** Posts rows of the first location; errors go on, so that each row says what became of it. */
async function post(service: Service, rows: object[], more: INodeParameters = {}) {
	const parameters: INodeParameters = {
		...{ resource: 'post', operation: 'create', locationId: byId(service.location()) },
		...{ whenToPublish: 'scheduled', fields: incomingRow },
		...more,
	};
	const before = service.sent('POST').length;
	const settings = { onError: 'continueRegularOutput' as const };
	const { items, hints } = await service.run(parameters, rows, { settings, timezone: zone });
	const json = items.map((item) => item.json);
	const errors = json.map(
		({ error }) => error as { message: string; description: string } | undefined,
	);
	return { json, hints, errors, sent: service.sent('POST').slice(before) };
}

/** The same without going on: the error of the node. */
async function stopOf(service: Service, rows: object[], more: INodeParameters = {}) {
	const parameters: INodeParameters = {
		...{ resource: 'post', operation: 'create', locationId: byId(service.location()) },
		...{ whenToPublish: 'scheduled', fields: incomingRow },
		...more,
	};
	const { error } = await service.run(parameters, rows, { timezone: zone });
	expect(service.sent('POST')).toEqual([]);
	return error as { message: string; description?: string } | undefined;
}

const byHand = (publish_at: string, more: Record<string, string> = {}) =>
	columns({ title: '={{ $json.title }}', content: '={{ $json.content }}', publish_at, ...more });

describe('when posts go live', () => {
	test('a row without a time is refused, as in the dry run, unless at once is chosen', async () => {
		const service = accountWith();
		const rows = rowsWith(
			dated('2027-12-24 10:00'),
			{ content: 'NOT TO BE PUBLISHED YET' },
			dated(''),
		);
		for (const dryRun of [true, false]) {
			const { json, errors, sent } = await post(service, rows, { dryRun });
			expect(sent.map(({ publish_at }) => publish_at)).toEqual(
				dryRun ? [] : ['2027-12-24T10:00:00+01:00'],
			);
			const said = json.map(({ problem, advice }, index) => [
				problem ?? errors[index]?.message,
				advice ?? errors[index]?.description,
			]);
			for (const [message, advice] of said.slice(1)) {
				expect(message).toContain(
					'publish_at is empty, and a post without a time would go live at once',
				);
				expect(advice).toContain("set 'When to Publish' to At Its Time, or at Once Without One");
			}
		}
		const { json, hints } = await post(service, rows, { whenToPublish: 'either' });
		expect(json.map(({ goes_live, skipped }) => goes_live ?? skipped)).toEqual([
			true,
			'at once',
			'at once',
		]);
		expect(hints).toContain('2 content posts go live at once.');
	});

	test('at once: a row with a time is refused', async () => {
		const { errors, sent } = await post(accountWith(), rowsWith(dated('2027-12-24'), {}), {
			whenToPublish: 'now',
		});
		expect(sent).toMatchObject([{ title: TEXTS[1] }]);
		expect(errors[0]?.message).toMatch(
			/publish_at is Fri, Dec 24, 2027, 00:00 \(Europe\/Berlin\), and/,
		);
	});

	test('each row says when it goes live, with the zone, and one hint sums it up', async () => {
		const times = ['2027-12-03T09:00:00Z', '24.12.2027 10:00', '', '2027-12-10'].map(dated);
		for (const dryRun of [true, false]) {
			const { json, hints } = await post(accountWith(), rowsWith(...times), {
				...{ dryRun, whenToPublish: 'either' },
			});
			expect(json.map(({ goes_live }) => goes_live)).toEqual([
				'Fri, Dec 3, 2027, 10:00 (Europe/Berlin)',
				'Fri, Dec 24, 2027, 10:00 (Europe/Berlin)',
				'at once',
				'Fri, Dec 10, 2027, 00:00 (Europe/Berlin)',
			]);
			expect(hints).toContain(
				'4 content posts: 3 go live between Dec 3 and Dec 24, 2027 (Europe/Berlin), 1 at once (item 3).',
			);
		}
	});

	test.each(['folgt', '24. Dezember 2027', 'n/a', '10:00', '2027-06'])(
		'%p in the time is refused by name and value, and no message advises to clear it',
		async (value) => {
			const { errors, sent } = await post(accountWith(), rowsWith(dated(value)), {
				whenToPublish: 'either',
			});
			expect(sent).toEqual([]);
			expect(errors[0]?.message).toContain(`publish_at: "${value}"`);
			expect(errors[0]?.description).toMatch(/^This row was not sent\. /);
			expect(errors[0]?.description).not.toMatch(/clear|blank|leave .* empty/i);
		},
	);

	test('a time that is refused is not also called empty', async () => {
		const { errors } = await post(accountWith(), rowsWith(dated('TBD'), dated('#REF!')));
		expect(errors[0]?.message).toMatch(/publish_at: "TBD" can't be read as a time$/);
		expect(errors[1]?.message).toMatch(/publish_at: #REF! is the error of a formula$/);
		for (const error of errors) expect(error?.description).not.toContain('at once');
	});

	test('a day is told as that day, in the zone of the workflow', async () => {
		const { json, sent } = await post(
			accountWith(dated('2099-01-01')),
			rowsWith(dated('24.12.2027')),
		);
		expect(sent).toMatchObject([{ publish_at: '2027-12-24' }]);
		expect(json[0].goes_live).toBe('Fri, Dec 24, 2027, 00:00 (Europe/Berlin)');
	});

	test('without an order, only what makes one day is read; Date Order settles the rest', async () => {
		const rows = rowsWith(dated('03/04/2027'), dated('12/24/2027'), dated('05/05/2027'));
		const asked = await post(accountWith(), rows);
		expect(asked.sent.map(({ publish_at }) => publish_at)).toEqual([
			'2027-12-24T00:00:00+01:00',
			'2027-05-05T00:00:00+02:00',
		]);
		expect(asked.errors[0]?.message).toContain('publish_at: "03/04/2027" makes two days');
		expect(asked.errors[0]?.description).toContain(
			"Set 'Date Order' to Month First (4 March) or Day First (3 April).",
		);
		const options = { dateOrder: 'month' };
		const { sent } = await post(accountWith(), rows, { options });
		expect(sent.map(({ publish_at }) => String(publish_at).slice(0, 10)).sort()).toEqual([
			'2027-03-04',
			'2027-05-05',
			'2027-12-24',
		]);
		const day = await stopOf(accountWith(), rows, { options: { dateOrder: 'day' } });
		expect(day?.message).toBe('"12/24/2027" has the month first, and "03/04/2027" may have it');
		const dots = await stopOf(accountWith(), rowsWith(dated('12.24.2027'), dated('03.04.2027')));
		expect(dots?.description).toContain("Set 'Date Order' to Month First.");
	});

	test('dates of both orders are one question, whatever stands between the numbers', async () => {
		for (const [one, other] of [
			['12.24.2027', '25/12/2027'],
			['12-24-2027', '25/12/2027'],
		]) {
			const stop = await stopOf(accountWith(), rowsWith(dated(one), dated(other)));
			expect(stop?.description).toContain('Write all of them the same way.');
		}
	});

	test('a time that is refused is not called empty, nor told as at once', async () => {
		const { json } = await post(accountWith(), rowsWith(dated('#REF!'), dated('soon')), {
			...{ whenToPublish: 'either', dryRun: true },
			fields: byHand('={{ $json.publish_at }}'),
		});
		for (const { problem, goes_live } of json) {
			expect(problem).not.toContain('is empty');
			expect(goes_live ?? '').toBe('');
		}
	});

	test('an hour that the clocks skip, or show twice, is asked about', async () => {
		const { errors, sent } = await post(
			accountWith(),
			rowsWith(dated('2027-03-28 02:30'), dated('2027-10-31 02:30')),
		);
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toContain('does not exist in Europe/Berlin');
		expect(errors[1]?.message).toContain('comes twice in Europe/Berlin');
	});

	test('a time zone that does not exist is named', async () => {
		const { error } = await accountWith().run(
			{ resource: 'post', operation: 'create', locationId: byId('loc_1'), fields: incomingRow },
			rowsWith({}),
			{ timezone: 'Pacific' },
		);
		expect(error?.message).toBe('There is no time zone "Pacific"');
	});
});

describe('a service that calls the time otherwise', () => {
	/** It keeps what it knows, and publishes at once without a time. */
	const forgetful = () =>
		backend({
			instead: ({ method, fields }) => {
				delete fields.publish_at;
				return method === 'NONE' ? { status: 500 } : undefined;
			},
		});

	test('on a new account, one post goes out, and the run stops', async () => {
		const service = forgetful();
		const rows = rowsWith(...Array.from({ length: 6 }, (_, day) => dated(`2027-12-1${day} 10:00`)));
		const { errors, json, sent } = await post(service, rows);
		expect(sent).toHaveLength(1);
		expect(json[0].outcome ?? json[0].id).toBeDefined();
		expect(errors.slice(1).map((error) => error?.message.replace(/^Item \d: /, ''))).toEqual(
			Array(5).fill(
				'1 content post went out, and its time, Fri, Dec 10, 2027, 10:00 (Europe/Berlin), is not to be seen in the answer',
			),
		);
		expect(errors[1]?.description).toContain("in the option 'Publish Time Field'");
	});

	test('a field that the user names takes the column of the usual one, also on a new account', async () => {
		const named = backend();
		const planned = { title: 'Planned', content: 'Later', scheduled_for: '2099-01-01T10:00:00Z' };
		named.add('posts', { location_id: named.location(), ...planned });
		for (const service of [named, backend()]) {
			const { sent, json } = await post(service, rowsWith(dated('2027-12-10')), {
				...{ whenToPublish: 'either', options: { publishTimeField: 'scheduled_for' } },
			});
			expect(sent).toMatchObject([{ scheduled_for: '2027-12-10T00:00:00+01:00' }]);
			expect(json[0].goes_live).toContain('Dec 10, 2027');
		}
		const stop = await stopOf(backend(), rowsWith(dated('2027-12-10')), {
			...{ whenToPublish: 'either', options: { publishTimeField: 'scheduled_for' } },
			fields: byHand('={{ $json.publish_at }}'),
		});
		expect(stop?.message).toBe(
			"The time stands in publish_at, and 'Publish Time Field' is scheduled_for",
		);
	});

	test('a time that is over proves nothing', async () => {
		const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
		const rows = rowsWith(dated(hourAgo), dated('2027-12-10'), dated('2027-12-11'));
		const service = backend({
			instead: ({ fields }) => {
				if (String(fields.publish_at) > '2027-01-02') delete fields.publish_at;
				return undefined;
			},
		});
		const { sent, errors } = await post(service, rows);
		expect(sent).toHaveLength(2);
		expect(errors[2]?.message).toContain('is not to be seen in the answer');
	});

	test('at once, on an account whose posts show no publish_at: other dates are fields like others', async () => {
		const service = backend();
		const there = { title: 'There', content: 'x', event_date: '2027-01-01' };
		service.add('posts', { location_id: service.location(), ...there });
		const { sent } = await post(service, rowsWith({ event_date: '2027-12-10' }), {
			whenToPublish: 'now',
		});
		expect(sent).toMatchObject([{ event_date: '2027-12-10' }]);
		const rows = rowsWith({ 'Publish At': '2027-12-10' });
		const own = accountWithout();
		const stop = await stopOf(own, rows, { whenToPublish: 'now' });
		expect(stop?.description).toContain("name publish_at in 'Exclude Columns'");
		const options = { excludeColumns: 'publish_at' };
		expect((await post(own, rows, { whenToPublish: 'now', options })).sent).toHaveLength(1);
	});

	test('what its message says to set is all that has to be set', async () => {
		const service = forgetful();
		const rows = rowsWith(...Array.from({ length: 4 }, (_, day) => dated(`2027-12-1${day} 10:00`)));
		const { errors } = await post(service, rows);
		expect(errors[1]?.description).toContain(
			"If your service takes publish_at without showing it, send it in the option 'Additional Fields', and set 'Match Fields' to title, content.",
		);
		const publishAt = { name: 'publish_at', type: 'dateTime', value: '={{ $json.publish_at }}' };
		const { sent, json } = await post(service, rows, {
			options: { additionalFields: { fields: [publishAt] }, matchFields: 'title, content' },
		});
		expect(json.map(({ outcome, error }) => error ?? outcome)).toEqual([
			'skipped',
			...Array<string>(3).fill('created'),
		]);
		expect(sent).toHaveLength(3);
	});

	test('a repeat of the run (Retry On Fail) sends no second one', async () => {
		const service = forgetful();
		const rows = rowsWith(...Array.from({ length: 4 }, (_, day) => dated(`2027-12-1${day} 10:00`)));
		const settings = { retryOnFail: true, maxTries: 3, waitBetweenTries: 10 };
		const parameters: INodeParameters = {
			...{ resource: 'post', operation: 'create', locationId: byId(service.location()) },
			...{ whenToPublish: 'scheduled', fields: byHand('={{ $json.publish_at }}') },
		};
		for (const ifExists of ['create', 'skip']) {
			const before = service.sent('POST').length;
			const { error } = await service.run({ ...parameters, ifExists }, rows, { settings });
			expect([ifExists, service.sent('POST').length - before, error?.message]).toEqual([
				ifExists,
				ifExists === 'create' ? 1 : 0,
				expect.stringMatching(/^(1 content post went out|The only content post read)/),
			]);
		}
	});

	test('the row that went out is not told as planned', async () => {
		const { json, hints } = await post(forgetful(), rowsWith(dated('2027-12-10')));
		expect(json[0]).toMatchObject({
			goes_live: 'not certain',
			warning: expect.stringContaining('is not to be seen in the answer') as string,
		});
		expect(hints.join()).toContain("in the option 'Publish Time Field'");
		expect(hints.join()).not.toMatch(/go(es)? live on/);
	});

	test('a list that cannot be read afterwards shows nothing: the run stops', async () => {
		let isPosted = false;
		const service = backend({
			created: ({ id }) => {
				isPosted = true;
				return { status: 201, body: { data: { id } } };
			},
			instead: ({ method }) => (method === 'GET' && isPosted ? { status: 403 } : undefined),
		});
		const rows = rowsWith(...Array.from({ length: 4 }, (_, day) => dated(`2027-12-1${day} 10:00`)));
		const { sent, errors } = await post(service, rows, { ifExists: 'create' });
		expect(sent).toHaveLength(1);
		expect(errors[3]?.message).toContain('is not to be seen in the answer');
	});

	test('a column that may be the time is asked about, also where extra columns are ignored', async () => {
		const service = backend();
		const planned = { title: 'Planned', content: 'Later', scheduled_for: '2099-01-01T10:00:00Z' };
		service.add('posts', { location_id: service.location(), ...planned });
		const rows = rowsWith(dated('2027-12-10'), dated('2027-12-11'));
		const options = { ignoreExtraColumns: true };
		for (const whenToPublish of ['either', 'now']) {
			const stop = await stopOf(service, rows, { options, whenToPublish });
			expect(stop?.message).toBe('The only content post read does not show a field publish_at');
		}
		const stop = await stopOf(service, rows, { whenToPublish: 'either' });
		expect(stop?.description).not.toMatch(/'Exclude Columns': [^.]*publish_at/);
	});

	test('whoever names the field vouches for it', async () => {
		const rows = rowsWith(dated('2027-12-10'), dated('2027-12-11'));
		const { sent } = await post(forgetful(), rows, { options: { publishTimeField: 'publish_at' } });
		expect(sent).toHaveLength(2);
	});

	test('where posts show another field, the name is asked for', async () => {
		const service = backend();
		const planned = { title: 'Planned', content: 'Later', scheduled_for: '2099-01-01T10:00:00Z' };
		service.add('posts', { location_id: service.location(), ...planned });
		const mapped = await stopOf(service, rowsWith(dated('2027-12-10')), {
			fields: byHand('={{ $json.publish_at }}'),
		});
		expect(mapped?.message).toBe('The only content post read does not show a field publish_at');
		expect(mapped?.description).toContain("in the option 'Publish Time Field'");
		const options = { publishTimeField: 'scheduled_for' };
		const { sent, json } = await post(service, rowsWith({ 'Scheduled For': '2027-12-10' }), {
			options,
		});
		expect(sent).toMatchObject([{ scheduled_for: '2027-12-10T00:00:00+01:00' }]);
		expect(json[0].goes_live).toContain('Dec 10, 2027');
	});
});

describe('columns', () => {
	test('a filled column that is no field stops the run, with all names, ready to be pasted', async () => {
		const rows = rowsWith(
			{ ...dated('2027-12-24'), Notiz: 'ask Ann', Leer: '' },
			{ ...dated('2027-12-25'), 'Live ab': '1.12.' },
		);
		for (const dryRun of [true, false]) {
			const stop = await stopOf(accountWith(), rows, { dryRun });
			expect(stop?.message).toBe(
				'The only content post read does not show these columns: Notiz, Live ab',
			);
			expect(stop?.description).toContain("name them in 'Exclude Columns': Notiz, Live ab.");
			expect(stop?.description).toContain("'Ignore Extra Columns'");
			expect(stop?.description).toContain("'Additional Fields'");
		}
		for (const options of [{ excludeColumns: 'Notiz, Live ab' }, { ignoreExtraColumns: true }]) {
			const { sent } = await post(accountWith(), rows, { options });
			expect(sent.map((fields) => Object.keys(fields))).toEqual(
				Array(2).fill(['title', 'content', 'publish_at']),
			);
		}
	});

	test('a misspelled name in Exclude Columns is asked about with the column, and a hint alone', async () => {
		const rows = rowsWith({ ...dated('2027-12-24'), Notizen: 'ask Ann' });
		const stop = await stopOf(accountWith(), rows, { options: { excludeColumns: 'Notitzen' } });
		expect(stop?.description).toContain("'Exclude Columns' names Notitzen, which no row has.");
		const options = { excludeColumns: 'Notizen, Preis' };
		const { sent, hints } = await post(accountWith(), rows, { options });
		expect(sent).toHaveLength(1);
		expect(hints).toContain("'Exclude Columns' names columns that no row has: Preis.");
	});

	test('status and the location are asked about; what the service and n8n set goes without a word', async () => {
		const service = accountWith({ status: 'published' });
		const own = {
			...{
				id: '1',
				created_at: 'x',
				row_number: 2,
				submittedAt: 'x',
				formMode: 'test',
				createdTime: 'x',
			},
			...{ __EMPTY: 3, ' ': 'x', ...dated('2027-12-24') },
		};
		expect((await post(service, rowsWith(own))).sent).toEqual([
			{ title: TEXTS[0], content: `About ${TEXTS[0]}`, publish_at: '2027-12-24T00:00:00+01:00' },
		]);
		const stop = await stopOf(
			accountWith({ status: 'published' }),
			rowsWith({ ...own, Status: 'Draft' }),
		);
		expect(stop?.message).toBe('Automatic mapping does not send these columns: Status');
		expect(stop?.description).toContain("Rows are sent whatever 'Status' says");
		const located = rowsWith({ ...own, location_id: service.location() });
		expect((await stopOf(accountWith(), located))?.message).toContain('location_id');
		const { errors } = await post(
			accountWith(),
			rowsWith({ ...own, shop: accountWith().location() }),
			{
				locationId: byId('={{ $json.shop }}'),
			},
		);
		expect(errors[0]?.message ?? '').not.toContain('shop');
	});

	test('what Additional Fields read or replace goes without a word', async () => {
		const rows = rowsWith({ publish_at: '2027-12-24', Notes: 'ask Ann', When: '2027-12-25' });
		const fields = [
			{ name: 'publish_at', type: 'dateTime', value: '={{ $json.When }}' },
			{ name: 'notes', type: 'string', value: '={{ $json.Notes }}' },
		];
		const { sent, errors } = await post(accountWith(), rows, {
			options: { additionalFields: { fields } },
		});
		expect(errors).toEqual([undefined]);
		expect(sent).toMatchObject([{ publish_at: '2027-12-25T00:00:00+01:00', notes: 'ask Ann' }]);
	});

	test('a column that an additional field reads is found as others are', async () => {
		const publishAt = { name: 'publish_at', type: 'dateTime', value: '={{ $json.When }}' };
		const more = {
			...{ whenToPublish: 'either', options: { additionalFields: { fields: [publishAt] } } },
		};
		const stop = await stopOf(accountWithout(), rowsWith({ when: '2027-12-24' }), more);
		expect(stop?.message).toContain('publish_at: there is no column "When"');
		// One that is blank leaves the row its own column.
		const rows = rowsWith({ publish_at: '2027-12-24', When: '' }, { When: '2027-12-25' });
		const { sent } = await post(accountWithout(), rows, {
			...more,
			options: { ...more.options, matchFields: 'title, content' },
		});
		expect(sent.map(({ publish_at }) => String(publish_at).slice(0, 10)).sort()).toEqual([
			'2027-12-24',
			'2027-12-25',
		]);
	});

	test('a heading with a comma, and columns without a heading of Google Sheets', async () => {
		const rows = rowsWith({ ...dated('2027-12-24'), 'Notes, internal': 'x', col_5: 'y' });
		const stop = await stopOf(accountWith(), rows);
		expect(stop?.message).toMatch(/these columns: Notes, internal$/);
		const options = { excludeColumns: 'Notes, internal' };
		expect((await post(accountWith(), rows, { options })).errors).toEqual([undefined]);
	});

	test('an option about columns that differs between rows is asked about', async () => {
		const rows = rowsWith(
			{ ...dated('2027-12-24'), Leave: 'Leave, Notes', Notes: 'a' },
			{ ...dated('2027-12-25'), Leave: 'Leave', Notes: 'b' },
		);
		const options = { excludeColumns: '={{ $json.Leave }}' };
		const stop = await stopOf(accountWith(), rows, { options });
		expect(stop?.message).toContain("The option 'Exclude Columns' differs between rows");
	});

	test('the advice for a list names the column, as it is written', async () => {
		const service = accountWith({ tags: ['a'] });
		const rows = rowsWith({ ...dated('2027-12-24'), Tags: 'a,b' });
		const { errors } = await post(service, rows);
		expect(errors[0]?.description).toContain('Map it to {{ $json["Tags"].split(\',\') }}.');
	});

	test('two columns for one field are refused, both named', async () => {
		const rows = rowsWith({ ...dated('2027-12-24'), 'Publish At': '2027-12-25' });
		expect((await stopOf(accountWith(), rows))?.message).toBe(
			'Two columns are meant for publish_at: publish_at, Publish At',
		);
	});

	test('a byte order mark is named with the option that removes it', async () => {
		const { errors } = await post(
			accountWith(),
			[{ '\ufeffFiliale': 'Corner Bakery', title: 'A' }],
			{
				locationId: byName('={{ $json.Filiale }}'),
			},
		);
		expect(errors[0]?.description).toContain("'Exclude Byte Order Mark (BOM)'");
	});

	test('which fields are known depends on the run, not on whose list answers first', async () => {
		const service = backend();
		const [one, other] = [service.location(0), service.location(1)];
		const planned = { title: 'Planned', content: 'Later', publish_at: '2099-01-01T10:00:00Z' };
		service.add('posts', { location_id: one, ...planned, image_url: 'https://a.example/1.png' });
		service.add('posts', { location_id: other, ...planned });
		for (const ids of [
			[one, other],
			[other, one],
		]) {
			const rows = rowsWith(dated('2027-12-24'), dated('2027-12-25')).map((row, index) => ({
				...row,
				...{
					title: `${ids[0]} ${index}`,
					shop: ids[index],
					'Image URL': 'https://a.example/2.png',
				},
			}));
			const { sent } = await post(service, rows, { locationId: byId('={{ $json.shop }}') });
			expect(sent.map(({ image_url }) => image_url)).toEqual(
				Array(2).fill('https://a.example/2.png'),
			);
		}
	});
});

describe('each column mapped', () => {
	test('in whatever case Match Fields are written, their columns must not be lacking', async () => {
		const stop = await stopOf(accountWith(), rowsWith(dated('2027-12-24')), {
			fields: columns({ title: '={{ $json.Titel }}', content: 'x', publish_at: '2027-12-24' }),
			options: { matchFields: 'Title, Content' },
		});
		expect(stop?.message).toBe('title: there is no column "Titel"');
	});

	test('a column that no row has is asked about once, for the time and the match fields', async () => {
		const rows = rowsWith({ 'Scheduled date': '2027-12-24' });
		const stop = await stopOf(accountWith(), rows, {
			...{ whenToPublish: 'either', fields: byHand("={{ $json['Scheduled Date'] }}") },
		});
		expect(stop?.message).toBe('publish_at: there is no column "Scheduled Date"');
		expect(stop?.description).toContain('There is "Scheduled date".');
		expect(stop?.description).not.toContain('??');
	});

	test('a conversion that fails does not publish at once; an expression that says what empty means does', async () => {
		const rows = rowsWith({ When: '24.12.2027', Status: 'Draft' });
		const either = { whenToPublish: 'either' };
		const lost = await post(accountWith(), rows, {
			...{ ...either, fields: byHand("={{ $json.When.startsWith('2') ? '' : '' }}") },
		});
		expect(lost.sent).toHaveLength(1);
		const failed = await post(accountWith(), rows, {
			...{ ...either, fields: byHand("={{ $json.When.replace(/.*/s, '') }}") },
		});
		expect(failed.sent).toEqual([]);
		expect(failed.errors[0]?.message).toContain(
			'the expression came out empty, and its column "When"',
		);
		for (const expression of [
			"={{ $json.Status === 'Scheduled' ? $json.When : '' }}",
			"={{ $json.fields['Publish At'] ?? '' }}",
			"={{ $if($json.Status === 'Scheduled', $json.When, '') }}",
		]) {
			const nested = rows.map((row) => ({ ...row, fields: {} }));
			const { sent } = await post(accountWith(), nested, { ...either, fields: byHand(expression) });
			expect([expression, sent.length]).toEqual([expression, 1]);
		}
	});

	test('a member of a column counts as one: it may be misspelled, or its conversion may fail', async () => {
		const rows = rowsWith({ fields: { When: '24. Dezember 2027' } }, { fields: {} });
		const mapped = (expression: string) => ({
			whenToPublish: 'either',
			fields: byHand(expression),
		});
		const missing = await stopOf(accountWith(), rows, mapped('={{ $json.fields.Wann }}'));
		expect(missing?.message).toContain('publish_at: there is no column "fields.Wann"');
		expect(missing?.description).toBe('Nothing was sent. There are: When. Correct the expression.');
		const converted = mapped('={{ DateTime.fromISO($json.fields.When).toISO() }}');
		const { errors } = await post(accountWith(), rows, converted);
		expect(errors[0]?.message).toContain('came out empty, and its column "fields.When" has');
		expect(errors[0]?.description).toContain('{{ $json["fields"]["When"] }}');
	});

	test('a time that an additional field makes a number is refused: nobody could say when it is', async () => {
		const fields = [{ name: 'go_live', type: 'number', value: '2027' }];
		const options = { additionalFields: { fields }, publishTimeField: 'go_live' };
		const { errors, sent } = await post(backend(), rowsWith({}), { options });
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toContain("go_live: 2027 can't be read as a time");
		expect(errors[0]?.description).toContain('Give the field the type Date & Time.');
	});

	test('an additional field in the words of the panel is asked about: the service calls it otherwise', async () => {
		const additionalFields = { fields: [{ name: 'Publish At', type: 'any', value: '2027-12-24' }] };
		const error = await stopOf(accountWith(), rowsWith({}), {
			whenToPublish: 'either',
			options: { additionalFields },
		});
		expect(error?.message).toContain("'Additional Fields' has Publish At");
		expect(error?.description).toContain('Write publish_at.');
	});
});

describe('cells', () => {
	test.each([
		['#REF!', 'is the error of a formula'],
		['#BEZUG!', 'is the error of a formula'],
		['#N/A', 'is the error of a formula'],
		['#####', 'is the error of a formula'],
		['undefined', 'undefined stands in place of a value'],
		['null', 'null stands in place of a value'],
		['NaN', 'NaN stands in place of a value'],
		['Offer: [object Object]', '[object Object] stands in place of a value'],
		['F\ufffdr alle', 'has letters that could not be read'],
		['\u0000W\u0000i', '"\ufffdW\ufffdi" has letters that could not be read'],
		['Bread \ud83e', 'the text was cut in the middle of an emoji'],
	])('%j is refused by name, however it is mapped', async (title, message) => {
		for (const fields of [incomingRow, byHand('={{ $json.publish_at }}')]) {
			const rows = rowsWith({ ...dated('2027-12-24'), title });
			const { errors, sent } = await post(accountWith(), rows, { fields });
			expect(sent).toEqual([]);
			expect(errors[0]?.message).toContain(`title: `);
			expect(errors[0]?.message).toContain(message);
		}
	});

	test.each(['Null', 'NAN', 'nan', 'KOM OG SE PÅ FREDAG', 'AMANHÃ', '#SALE', 'N/A', 'one\r\ntwo'])(
		'%j is a text like any other',
		async (title) => {
			const { sent } = await post(accountWith(), rowsWith({ ...dated('2027-12-24'), title }));
			expect(sent).toMatchObject([{ title }]);
		},
	);

	test('a value of another type is refused, in the dry run as in the run, with or without posts', async () => {
		const values: Array<[Fields, Fields, RegExp]> = [
			[{}, { title: { rendered: 'Open' } }, /title: .* is an object, and a content post has text/],
			[{ tags: ['a'] }, { tags: '#a, #b' }, /tags: .* is text, and .* have a list there/],
			[
				{ image_url: 'https://a' },
				{ image_url: [{ url: 'x' }] },
				/image_url: .* is a list, and .* have text/,
			],
			[{ zip: 1067 }, { zip: '01067' }, /zip: "01067" is text, and .* have a number/],
		];
		for (const [known, cell, message] of values) {
			const service = accountWith(known);
			const rows = rowsWith({ ...dated('2027-12-24'), ...cell });
			const dry = await post(service, rows, { dryRun: true });
			const run = await post(service, rows);
			expect(run.sent).toEqual([]);
			expect(run.errors[0]?.message).toMatch(message);
			expect(dry.json[0]).toMatchObject({ action: 'invalid' });
			expect(run.errors[0]?.message).toContain(dry.json[0].problem);
		}
		const { errors, sent } = await post(backend(), rowsWith({ title: { rendered: 'Open' } }));
		expect([sent, errors[0]?.message]).toEqual([
			[],
			expect.stringContaining('a content post has text'),
		]);
		const list = await post(
			accountWith({ tags: ['a'] }),
			rowsWith({ ...dated('2027-12-24'), tags: 'a, b' }),
		);
		expect(list.errors[0]?.description).toContain('{{ $json["tags"].split(\',\') }}');
	});

	test('a number becomes a text where texts are kept', async () => {
		const { sent } = await post(accountWith(), rowsWith({ ...dated('2027-12-24'), title: 2027 }));
		expect(sent).toMatchObject([{ title: '2027' }]);
	});

	test('all that is wrong with a row is said at once', async () => {
		const rows = rowsWith({ title: '#REF!', publish_at: 'soon' });
		const { errors } = await post(accountWith(), rows, { locationId: byId('={{ $json.shop }}') });
		const { message = '' } = errors[0] ?? {};
		expect(message).toContain('The location ID is empty');
		expect(message).toContain('title: #REF!');
		expect(message).toContain('publish_at: "soon"');
	});

	test('a list in place of one location is refused, as a list', async () => {
		const rows = rowsWith({ ...dated('2027-12-24'), shop: ['loc_1', 'loc_2'] });
		const { errors } = await post(accountWith(), rows, { locationId: byId('={{ $json.shop }}') });
		expect(errors[0]?.message).toContain('The location ID has several values: ["loc_1","loc_2"]');
	});
});

describe('what exists already', () => {
	const there = { title: 'Winter sale', content: 'Half price', publish_at: '2027-12-24T09:00:00Z' };
	const accountWithPost = (more: Fields = {}) => {
		const service = accountWith();
		service.add('posts', { location_id: service.location(), ...there, ...more });
		return service;
	};

	test('the same texts at another time, or the same time with one word corrected, are asked about', async () => {
		const rows = [
			{ ...there, publish_at: '2027-12-31T09:00:00Z' },
			{ ...there, content: 'Half price!' },
			{ ...there, title: 'Spring sale', content: 'Other' },
			there,
		];
		const { json, errors, sent } = await post(accountWithPost(), rows);
		expect(errors[0]?.message).toContain(
			'A content post with this title and content is there for Fri, Dec 24, 2027, 10:00 (Europe/Berlin); the row says Fri, Dec 31',
		);
		expect(errors[0]?.description).toContain(
			"set the option 'Match Fields' to title, content, publish_at",
		);
		expect(errors[1]?.message).toContain('A content post with this title is there for');
		expect(sent).toMatchObject([{ title: 'Spring sale' }]);
		expect(json[3]).toMatchObject({ skipped: true });
		const options = { matchFields: 'title, content, publish_at' };
		expect((await post(accountWithPost(), rows, { options })).sent).toHaveLength(3);
	});

	test('another link, another emoji or a longer text is another post', async () => {
		const texts = [
			'https://a.example/x',
			'https://a.example/y',
			'🎄',
			'🎁',
			'Half price',
			'Half price now',
		];
		const service = accountWith();
		const rows = texts.map((content, index) => ({
			...{ title: 'Sale', content, publish_at: `2027-12-1${index}` },
		}));
		for (const half of [rows.slice(0, 3), rows.slice(3)]) {
			expect((await post(service, half)).sent).toHaveLength(3);
		}
	});

	test('Match Fields, added and left as it is, changes nothing', async () => {
		const { errors, sent } = await post(
			accountWithPost(),
			[{ ...there, publish_at: '2028-01-07' }],
			{
				options: { matchFields: '' },
			},
		);
		expect([sent, errors[0]?.message]).toEqual([[], expect.stringContaining('is there for')]);
	});

	test('what comes back otherwise is a warning: a repeat would not recognize it', async () => {
		const service = accountWith();
		const spoil = backend({
			instead: ({ method, fields }) => {
				if (method === 'POST') fields.content = `${String(fields.content)} [ad]`;
				return undefined;
			},
		});
		const { json, hints } = await post(spoil, rowsWith({}), { whenToPublish: 'now' });
		expect(json[0].warning).toContain('The service keeps another content than was sent');
		expect(hints).toContainEqual(
			expect.stringContaining('The service keeps another content than was sent (item 1)'),
		);
		const { json: usual } = await post(service, rowsWith({}), { whenToPublish: 'now' });
		expect(usual[0].warning).toBeUndefined();
	});

	test('keywords: only case and white space fold', async () => {
		const service = backend();
		for (const keyword of ['e-bike shop', 'c tutor']) {
			service.add('keywords', { location_id: service.location(), keyword });
		}
		const rows = ['ebike shop', 'e bike shop', 'c++ tutor', 'nan', 'E-Bike  Shop'];
		const { json } = await post(
			service,
			rows.map((keyword) => ({ keyword })),
			{ resource: 'keyword' },
		);
		expect(json.map(({ skipped }) => skipped)).toEqual([...Array(4).fill(undefined), true]);
		expect(service.sent('POST').map(({ keyword }) => keyword)).toEqual(rows.slice(0, 4));
	});
});

describe('locations', () => {
	const upsert = { resource: 'location', operation: 'upsert', fields: incomingRow };
	const settings = { onError: 'continueRegularOutput' as const };

	test('a code that differs in leading zeros is asked about: nobody can delete a second shop', async () => {
		const service = backend();
		service.add('locations', { name: 'Salon', address: '1 Mill Lane', store_code: '0042' });
		const { json } = await service.run(
			{ ...upsert, options: { matchFields: 'store_code' } },
			[{ name: 'Salon', address: '1 Mill Lane', store_code: '42' }],
			{ settings },
		);
		expect(service.sent('POST')).toEqual([]);
		expect((json[0].error as Fields).message).toContain('A similar location already exists');
	});

	test('only what is equal as text is unchanged', async () => {
		const service = backend();
		const known = { name: 'Salon', address: '1 Mill Lane', zip: '01060', note: 'A &amp; B' };
		service.add('locations', known);
		const rows = [{ ...known, zip: '1060', note: 'A & B' }];
		await service.run(upsert, rows, { settings });
		expect(service.sent('PATCH')).toEqual([{ zip: '1060', note: 'A & B' }]);
		const { json } = await service.run(upsert, rows, { settings });
		expect(json[0]).toMatchObject({ unchanged: true });
	});
});

test('six items that read the same location are read once, and told for each if that fails', async () => {
	const service = backend({
		instead: ({ path }) => (path.endsWith('insights') ? { status: 403 } : undefined),
	});
	const parameters = {
		resource: 'insight',
		operation: 'get',
		locationId: byId(service.location()),
	};
	const settings = { onError: 'continueRegularOutput' as const };
	const { items, json } = await service.run(parameters, rowsWith({}, {}, {}, {}, {}, {}), {
		settings,
	});
	expect(service.requests).toHaveLength(1);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		Array.from({ length: 6 }, (_, item) => ({ item })),
	);
	expect(json.every(({ error }) => error !== undefined)).toBe(true);
});
