import { byId, columns, incomingRow, useSandbox } from '../../support/fixture';
import { locationWithPosts } from '../../support/operations';

// n8n's default time zone is New York.
const service = useSandbox();
const home = () => locationWithPosts(service);
/** The existing posts of the location get these fields as well. */
const known = (fields: object) => {
	for (const post of service.sandbox.account.postsOf(home().id)) Object.assign(post, fields);
};

/** What an execution of these rows sends, and what becomes of each. */
async function post(rows: object[], fields: object = incomingRow, more: object = {}) {
	const before = service.sandbox.requests.length;
	const { error, json } = await service.run(
		{
			resource: 'post',
			operation: 'create',
			locationId: byId(home().id),
			fields: fields as never,
			...more,
		},
		{ rows: rows as never, settings: { onError: 'continueRegularOutput' } },
	);
	expect(error).toBeUndefined();
	const sent = service.sandbox.requests.slice(before).filter(({ method }) => method === 'POST');
	return {
		json,
		sent: sent.map(({ body }) => body as Record<string, unknown>),
		errors: json.map((item) => item.error as { message: string; description: string } | undefined),
	};
}
const titled = (publish_at: unknown, index = 0) => ({
	title: `A ${index}`,
	content: `B ${index}`,
	publish_at,
});

/** Mapped by hand, with the type that the panel offers for the field. */
const byHand = (expression: string, type?: string, id = 'publish_at') => ({
	...columns({ title: '={{ $json.title }}', content: '={{ $json.content }}', [id]: expression }),
	schema: [{ id, displayName: 'Publish At', type }],
});
const additional = (value: string, type = 'string') => ({
	options: { additionalFields: { fields: [{ name: 'publish_at', type, value }] } },
});
/** The ways in which a time can be given. */
const WAYS: Array<[object, object]> = [
	[incomingRow, {}],
	[byHand('={{ $json.publish_at }}'), {}],
	[byHand('={{ $json.publish_at }}', 'dateTime'), {}],
	[byHand('={{ $json.title }}', 'string', 'tags'), additional('={{ $json.publish_at }}')],
	[
		byHand('={{ $json.title }}', 'string', 'tags'),
		additional('={{ $json.publish_at }}', 'dateTime'),
	],
];

test.each([
	['2027-12-20', '2027-12-20T00:00:00-05:00'],
	['2027-07-20', '2027-07-20T00:00:00-04:00'],
	['2027-12-20T18:30', '2027-12-20T18:30:00-05:00'],
	['2027-12-20T18:30:00Z', '2027-12-20T18:30:00Z'],
	['2027-02-03 10:00 AM', '2027-02-03T10:00:00-05:00'],
	['2027-12-24 9:00', '2027-12-24T09:00:00-05:00'],
	[' 2027-12-24 09:00', '2027-12-24T09:00:00-05:00'],
	['2027-12-24T9:00', '2027-12-24T09:00:00-05:00'],
	[46_745.375, '2027-12-24T09:00:00-05:00'],
	['24.12.2027 10:00', '2027-12-24T10:00:00-05:00'],
	['03.12.2027', '2027-12-03T00:00:00-05:00'],
	['12/24/2027 9:00 AM', '2027-12-24T09:00:00-05:00'],
	['2027/12/24 09:00', '2027-12-24T09:00:00-05:00'],
	['Dec 24, 2027 9:00 AM', '2027-12-24T09:00:00-05:00'],
])('%p is sent as %p, however it is mapped', async (given, instant) => {
	for (const [index, [fields, more]] of WAYS.entries()) {
		const { sent } = await post([titled(given, index)], fields, more);
		expect(sent).toMatchObject([{ publish_at: instant }]);
	}
});

test.each([
	['2027-04-31', /is a day that does not exist/, /^Its value is "2027-04-31"/],
	['2027-11-31 18:00', /is a day that does not exist/, /Write it as 2026-12-31 18:00/],
	['TBD', /is not a certain date/, /^Its value is "TBD"\. Nothing was sent\./],
	['next Friday', /is not a certain date/, /or clear the cell\.$/],
	['2027-12-24 09:00 CET', /is not a certain date/, /"2027-12-24 09:00 CET"/],
	['weekly', /is not a certain date/, /"weekly"/],
	['24.12.', /has no year/, /"24\.12\."/],
	[
		'24.12.2025 10:00',
		/is in the past: "2025-12-24T10:00:00-05:00"$/,
		/^Nothing was sent\. Enter a later/,
	],
	['Di, 07.12.2026', /names another weekday than its date has/, /"Di, 07\.12\.2026"/],
	[2027, /is not a certain date/, /Its value is 2027\./],
	[true, /is not a certain date/, /Its value is true\./],
	[{ year: 2027 }, /is not a certain date/, /Its value is \{"year":2027\}/],
	[
		'03/04/2027 17:00',
		/can be read as two days/,
		/In an execution with one item, no other value .* Write 2027-04-03 17:00 or 2027-03-04 17:00\.$/,
	],
])('%p is refused, however it is mapped', async (given, message, description) => {
	for (const [index, [fields, more]] of WAYS.entries()) {
		// By hand, true is the text "true" only where the panel says that it is text.
		const { sent, errors } = await post([titled(given, index)], fields, more);
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toMatch(message);
		expect(errors[0]?.description).toMatch(description);
	}
});

test('a time that has just passed is sent, as is an old one of a post that exists already', async () => {
	const [now, old] = [new Date(Date.now() - 3_600_000).toISOString(), '2020-01-01T09:00:00.000Z'];
	expect((await post([titled(now, 0)])).sent).toMatchObject([{ publish_at: now }]);
	const there = titled(old, 1);
	const [{ id }] = service.sandbox.account.locations;
	service.sandbox.account.addPost(service.sandbox.account.location(id)!, there);
	expect((await post([there])).json).toMatchObject([{ outcome: 'skipped' }]);
});

test('where one value leaves the order open, its column decides, and says so where it does not', async () => {
	const rows = ['03/04/2027', '05/05/2027', '12/24/2027'].map(titled);
	expect((await post(rows)).sent).toMatchObject([
		{ publish_at: '2027-03-04T00:00:00-05:00' },
		{ publish_at: '2027-05-05T00:00:00-04:00' },
		{ publish_at: '2027-12-24T00:00:00-05:00' },
	]);
	const open = ['03/04/2028', '05/05/2028'].map((day, at) => titled(day, 10 + at));
	const { sent, errors } = await post(open);
	expect(sent).toMatchObject([{ publish_at: '2028-05-05T00:00:00-04:00' }]);
	expect(errors[0]?.description).toContain('No other value of its column shows');
});

test('the evidence may stand in a column that the expression puts together with others', async () => {
	const rows = [
		{ title: 'A', content: 'B', day: '05/01/2027', time: '17:00' },
		{ title: 'C', content: 'D', day: '18/01/2027', time: '7:05' },
	];
	const fields = byHand('={{ $json.day }} {{ $json.time }}', 'dateTime');
	expect((await post(rows, fields)).sent).toMatchObject([
		{ publish_at: '2027-01-05T17:00:00-05:00' },
		{ publish_at: '2027-01-18T07:05:00-05:00' },
	]);
});

test.each([
	['12/03/2027 17:00', '12/10/2027 17:00', ['12/24/2027']],
	['03.12.2027', '10.12.2027', []],
	['Dec 3, 2027', 'Dec 10, 2027', []],
	[46_724.7, 46_731.7, []],
])('the same text on two days is two posts, as is each once: %p', async (one, other, more) => {
	const same = { title: 'Tip of the week', content: 'Store bread in cotton' };
	const rows = [one, other, one].map((publish_at) => ({ ...same, publish_at }));
	const others = more.map((publish_at) => ({ title: 'Else', content: 'Else', publish_at }));
	const { sent, json } = await post([...rows, ...others]);
	expect(sent).toHaveLength(2 + others.length);
	expect(json[2].skipped).toBe(true);
});

test('a post of another day, in any spelling, is asked about', async () => {
	const content = 'Store bread in cotton';
	known({ title: 'Tip', content, publish_at: '2027-12-03T17:00:00-05:00' });
	const row = { title: 'Tip', content };
	for (const publish_at of ['2027-12-10 17:00', '10.12.2027 17:00', 'Dec 10, 2027 5 PM']) {
		const { sent, errors } = await post([{ ...row, publish_at }]);
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toMatch(
			/^A content post with the same title and content already exists/,
		);
	}
	const { json } = await post([{ ...row, publish_at: '03.12.2027 17:00' }]);
	expect(json).toMatchObject([{ skipped: true }]);
});

test.each(['scheduled_for', 'scheduled_time', 'publish_date', 'starts_at'])(
	'%s is a time where the records have times there, and a day where they have days',
	async (name) => {
		known({ [name]: '2027-01-05T09:00:00Z' });
		const row = { title: name, content: 'B' };
		const byDay = { ...row, title: 'By day', [name]: '24.12.2027' };
		const { sent } = await post([{ ...row, [name]: '2027-12-24 18:00' }, byDay]);
		expect(sent).toMatchObject([
			{ [name]: '2027-12-24T18:00:00-05:00' },
			{ [name]: '2027-12-24T00:00:00-05:00' },
		]);
		known({ [name]: '2027-01-05' });
		const days = await post([{ ...byDay, title: 'Day' }]);
		const isForSure = name.endsWith('_at');
		expect(days.sent).toMatchObject([
			{ [name]: isForSure ? '2027-12-24T00:00:00-05:00' : '2027-12-24' },
		]);
	},
);

test('texts that look like dates stay texts where the records have texts', async () => {
	const rows = [{ title: '24/12/2027', content: '2027-12-24', publish_at: '24/12/2027' }];
	expect((await post(rows)).sent).toEqual([
		{ ...rows[0], publish_at: '2027-12-24T00:00:00-05:00' },
	]);
});

test.each(['Date', 'scheduled_time', 'Publish on'])(
	'a time under the heading %p, which the service would ignore, is refused by name',
	async (heading) => {
		const rows = [
			{ title: 'A', content: 'B', [heading]: '24.12.2027 10:00' },
			{ title: 'C', content: 'D', [heading]: '' },
		];
		const { sent, errors } = await post(rows);
		expect(sent).toEqual([{ title: 'C', content: 'D' }]);
		expect(errors[0]).toMatchObject({
			message: expect.stringContaining(`has a field "${heading}": this one could go live at once`),
			description: expect.stringContaining('rename the column to publish_at'),
		});
		const more = { options: { excludeColumns: heading } };
		expect((await post(rows, incomingRow, more)).sent).toEqual([{ title: 'A', content: 'B' }]);
	},
);

test.each<[string, unknown[]]>([
	['Publish Date', [46_745.375, 46_746.375]],
	['Datum', [46_745.375, 46_746.375]],
	['Date', [46_745, 46_746]],
	['Scheduled Time', ['2027-12-24 09:00', 'TBD']],
	['Publish on', ['soon', 'TBD']],
	['Datum', ['2027-12-24 09:00', 'TBD']],
	['Datum', ['24.12.2027', '31.12.2027']],
	['Termin', ['24.12.27', '31.12.27']],
	['date', ['12.24.2027', '12.31.2027']],
	['Datum', ['46745.375', '46746,375']],
	['Slot', [46_380.395868, 46_381.5, 46_982.125]],
])('a column %p with %p may be when to publish: refused by name', async (heading, cells) => {
	const rows = cells.map((cell, nth) => ({ title: `A ${nth}`, content: 'B', [heading]: cell }));
	const { sent, errors } = await post(rows);
	expect(sent).toEqual([]);
	expect(errors.map((error) => error?.message)).toEqual(
		rows.map(() => expect.stringContaining('this one could go live at once') as never),
	);
});

const today = new Date().toISOString();
test.each<[string, unknown]>([
	['createdTime', '2026-11-20T10:33:00.000Z'],
	['Created at', '2026-11-20T10:33:00.000Z'],
	['Date created', '2026-11-01'],
	['Last edited time', '2026-11-20T10:33:00.000Z'],
	['Timestamp', '11/20/2026 10:33:01'],
	['timestamp', today],
	['Zeitstempel', '20.11.2026 10:33:01'],
	['Erstellt am', '20.11.2026'],
	['Date de création', '20/11/2026'],
	['pubDate', 'Fri, 20 Nov 2026 09:00:00 GMT'],
	['Approved on', '2026-11-20'],
	['Offer ends', '2099-12-24'],
	['publishedAt', '2026-01-02T09:00:00Z'],
	['Date of birth', '1980-05-01'],
	['Data ID', 40_002],
	['Created', 'by Ann'],
	['Valid until', '31.12.2099'],
	['Founded', '1985-01-01'],
	['Author', 'April 3, 2020'],
	['Budget', 45_000.5],
	['Price', 49_999.99],
	['Umsatz', '45123,50'],
	['Lifetime value', 45_000],
	['Candidate no', 45_001],
	['Publisher ID', 45_009],
	['Update', 45_001],
	['Version', '1.2.24'],
	['Size', '10/12/14'],
	['data', '<p>Hello, it is 9 o’clock</p><p>We open at 10, and on Sundays at 11.</p>'],
	['data', { foo: [1] }],
	['Order Date', '2026-01-05'],
	['Date Added', '01/05/2026'],
	['Bestelldatum', '05.01.2026'],
	['date_gmt', '2026-01-05T09:00:00'],
	['Scheduled by', 'Ann'],
	['Publishing channel', 'Facebook'],
	['scheduledActions', []],
	['Publish', true],
	['offer', { valid_until: '2099-05-01' }],
	['publish_date', []],
	['Posted on', 'Dec 3'],
	['Geburtstag', '24. Dezember'],
	['Offer', 'until 24.12.2099'],
	['Headline', 'Sale starts on 24.12.2099'],
	['Ratio', '4/5'],
	['Event', 'May sale, 20 % off'],
	['Publishing channels', 'Facebook'],
	['Planned Budget', 500],
	['Tipo de publicación', 'Foto'],
	['Imagen de la publicación', 'https://example.com/a.jpg'],
	['N° de publicación', 7],
	['Erscheinungsbild', 'modern'],
	['Data usage', '1.5 GB'],
	['Training data', '12-24 months'],
	['Publish until', '2099-05-01'],
	['Post on Facebook', 'yes'],
	['special_hours', [{ date: '2099-12-24', open: false }]],
	['offer', { from: '2026-05-01', to: '2099-05-01' }],
])('a column %p with %p says nothing of when to publish: posted', async (heading, cell) => {
	const { sent, errors } = await post([{ title: `A ${heading}`, content: 'B', [heading]: cell }]);
	expect(errors).toEqual([undefined]);
	expect(sent).toHaveLength(1);
});

test('Additional Fields may say when, of a column of any name', async () => {
	const rows = [{ title: 'By field', content: 'B', Date: '24.12.2099 10:00' }];
	const { sent, errors } = await post(rows, incomingRow, additional('={{ $json.Date }}'));
	expect(errors).toEqual([undefined]);
	expect(sent).toMatchObject([{ publish_at: '2099-12-24T10:00:00-05:00' }]);
});

test.each(['Datum, Uhrzeit', 'note, datum, uhrzeit', 'Datum, Uhrzeit,Note'])(
	'Exclude Columns %j leaves out a heading with a comma',
	async (excludeColumns) => {
		const row = {
			title: excludeColumns,
			content: 'B',
			'Datum, Uhrzeit': '24.12. 10:00',
			Note: 'x',
		};
		const { sent } = await post([row], incomingRow, { options: { excludeColumns } });
		expect(sent).toMatchObject([{ title: excludeColumns, content: 'B' }]);
		expect(sent[0]).not.toHaveProperty('Datum, Uhrzeit');
	},
);

test('all columns that may say when are named at once', async () => {
	const at = '24.12.2099 10:00';
	const { errors } = await post([{ title: 'A', content: 'B', Date: at, 'Week of': at, Slot: at }]);
	expect(errors[0]?.message).toContain('"Date"');
	expect(errors[0]?.description).toContain('The same is true of "Week of" and "Slot".');
});

const AHEAD = '24.12.2099 10:00';
test.each<[string, unknown]>([
	['published_at', '2099-12-21 09:00'],
	['publishedAt', '2099-12-21 09:00'],
	['send_at', '2099-12-21 09:00'],
	['Due', AHEAD],
	['Fällig am', AHEAD],
	['Valid From', AHEAD],
	['Deadline', AHEAD],
	['Update Date', AHEAD],
	['Timestamp', AHEAD],
	['Slot', [AHEAD]],
	['property_date', { start: '2099-12-24', end: null, time_zone: null }],
	['Date', '24.12.'],
	['Datum', '24 Dec'],
	['When', 'tomorrow'],
	['Termin', 'KW 52'],
	['Datum', '24.12.2099 - 31.12.2099'],
	['Date', '2099-12-24 09:00 CET'],
	['Date', ['2099-12-24']],
	['Date', 4_099_000_000],
	['Fecha', 'mañana'],
	['Publish Date - Approved', 'Dec 24'],
	['Date to be published', '24.12. 10:00'],
	['Veröffentlichungsdatum (geändert)', '24.12.'],
	['Scheduled / Posted', 'tomorrow'],
	['Data di pubblicazione', 'domani'],
	['Data e ora', '24/12 10:00'],
	['Start/End', AHEAD],
	['Publish Date (until Friday)', AHEAD],
	['publishdate', 'tomorrow'],
	['Publish by', 'tomorrow'],
	['Publication at', 'tomorrow'],
	['Next publication', '9:00'],
	['Publikationszeit', '9:00'],
	['meta', { publish_at: AHEAD }],
	['Post on', '24.12.'],
	['Fecha de publicación', 'mañana'],
	['Date:', '2026-01-05'],
	['📅 Date', '2026-01-05'],
	['Date & Time', '2026-01-05 10:00'],
	['start', { dateTime: '2099-01-05T10:00:00+01:00', timeZone: 'Europe/Berlin' }],
	['property_range', { start: '2099-01-05', end: '2099-01-09' }],
	['Slots', [AHEAD, '31.12.2099 10:00']],
	['Uscita', '7 dicembre 2099 ore 10'],
	['Agenda', '7 de dezembro de 2099 às 9h'],
	['Online ab', 'ab 24.12.2099'],
	['Online ab', 'Mo 24.12.2099'],
	['Online ab', '7. Jänner 2099'],
	['Launch', 'Week of Dec 7, 2099'],
	['Launch', '2099-12-07 - 2099-12-09'],
	['Launch', '12/24'],
	['Launch', 'Thu 24 Dec, 9am'],
	['Online', '24.12.'],
	['Online', '24/12 10:00'],
	['Mise en ligne', '24/12'],
	['Programado para', 'mañana 10h'],
	['Agendamento', '24/12'],
	['Programmato per', 'lunedì 9:00'],
	['Ingepland', 'maandag'],
	['Eingeplant', 'Montag'],
	['Quand', 'demain'],
	['Send at', '9am'],
	['Дата', '24.12 10:00'],
	['Erscheinung', 'KW 52'],
	['Erscheinung Web', 'nächsten Montag'],
	['Erscheinungs-Woche', 'KW 50'],
	['Outlet', '12. joulukuuta 2099'],
	['Date validée', '24/12'],
	['Publicar por', 'mañana'],
	['Tag', 'Do, 24.12. 10:00'],
	['Slot', 'Thu 12/24 9am'],
	['Day', '24-Dec'],
	['Sortie', 'le 24 décembre à 9h00 (jeudi)'],
	['Embargo until', '2099-12-24 09:00'],
	['Sperrfrist bis', 'Montag'],
	['Do not publish until', '2099-12-24'],
	["Don't post before", 'Monday'],
	['Publish', 'FALSE'],
	['Go Live', false],
	['Scheduled', 'no'],
	['Publish', 'later'],
])(
	'what %p says with %p would be lost: refused by name, whatever stands below it',
	async (heading, cell) => {
		const rows = [
			{ title: 'A', content: 'B', [heading]: cell },
			{ title: 'C', content: 'D', Note: 'at once' },
			{ title: 'E', content: 'F', [heading]: 'Xmas' },
		];
		const { errors } = await post(rows);
		expect(errors[0]?.message).toContain(`"${heading}": this one could go live at once`);
		expect(errors[1]).toBeUndefined();
	},
);

test.each<[string, string[]]>([
	['Price', ['9.90', '12.50', '19.90', '24.90', '4.50', '7.12']],
	['Rating', ['4/5', '3/5', '9/10', '7/10', '10/12', '11/12']],
	['Size', ['36-38', '1-2', '9-12', '2-4', '3-5', '11-12']],
	['Öffnungszeiten', ['8.30 - 12 Uhr', '9.30 bis 11.00', '9.00 - 12.00 Uhr', '9.30 - 12h']],
	['Address', ['Via 25 aprile', 'Straße des 17. Juni 135', '12 March Street', 'Calle 2 de mayo']],
	['Image', ['2099-01-12.jpg', 'img_2099-01-12.jpg', 'INV-2099-01-12', '2099-12-24 xmas']],
	['Validity', ['till May 31', 'tot 31 mei', 'até 31 de maio', 'fino al 31 maggio']],
	['Headline', ['May 4 sale', 'Top 10 May deals', 'Book by May 5', 'OK 12 Mar']],
	['Rating', ['5 out of 5', 'avg 4']],
	['Asset', ['Reel 5 2099', 'IMG 12 2099', 'Foto 3, 2099', 'Post 12 2099']],
	['Campaign', ['Top 10 2099', 'Phase 2 2099', '50 Jahre 2099', 'Mazda 3 2099']],
	['Address', ['Seestrasse 10, 6300', 'Kerkstraat 12, 3000']],
	['Send on WhatsApp', ['yes']],
	['Embargo', ['no', 'n/a', '-']],
	['Sperrfrist', ['keine']],
	['Launch', ['v1.2']],
	['Data', ['73% of customers read online reviews first (2099)']],
	['Hashtag Set', ['Set 3']],
	['Address', ['25 de Mayo 450', '16 de Septiembre 12']],
	['Season', ['1 Apr - 31 Oct', '24.12. - 26.12.']],
	['Release', ['v2.1']],
	['Release notes', ['1.2 adds 3 features', '24/12']],
	['Status da postagem', ['ok']],
	['Programado por', ['Ana']],
	['Tipo de postagem', ['Foto']],
	['Notes (not before lunch)', ['yes']],
	['Scheduled', ['FALSE']],
])('a column %p of %j says nothing of when to publish', async (heading, cells) => {
	const rows = cells.map((cell, nth) => ({ title: `A ${nth}`, content: 'B', [heading]: cell }));
	const { sent, errors } = await post(rows);
	expect(errors).toEqual(rows.map(() => undefined));
	expect(sent).toHaveLength(rows.length);
});

test('a long text under a heading that is not known takes no time', async () => {
	const { sent } = await post([{ title: 'A', content: 'B', Picture: 'A'.repeat(200_000) }]);
	expect(sent).toHaveLength(1);
});

test('beside times of other rows, a day that is over, or "now", is sent', async () => {
	const cells = { When: 'now', Date: '2026-01-02', Datum: 'sofort' };
	const rows = Object.entries(cells).map(([heading, cell]) => ({
		...{ title: heading, content: 'B', [heading]: cell },
	}));
	const { sent } = await post([{ title: 'A', content: 'B', publish_at: AHEAD }, ...rows]);
	expect(sent).toHaveLength(4);
});

test('a field of the service that says when is sent, however it is called', async () => {
	for (const name of ['published_at', 'go_live_at', 'release_at', 'post_at']) {
		known({ [name]: '2027-01-05T09:00:00Z' });
		const { sent } = await post([{ title: name, content: 'B', [name]: '2099-12-21 09:00' }]);
		expect(sent).toMatchObject([{ [name]: '2099-12-21T09:00:00-05:00' }]);
	}
});

test('a switch that is called publish says nothing of when', async () => {
	known({ publish: true, publish_at: '2027-01-05T09:00:00Z' });
	const { errors } = await post([{ title: 'A', content: 'B', publish: true, Date: AHEAD }]);
	expect(errors[0]?.message).toContain('this one could go live at once');
});

test('one date among cells that say nothing is refused, and so are these, where their column is called so', async () => {
	for (const heading of ['Datum', 'Termin']) {
		const cells = ['24.12.2027 10:00', 'offen', 'offen'];
		const rows = cells.map((cell, nth) => ({
			title: `${heading} ${nth}`,
			content: 'B',
			[heading]: cell,
		}));
		const { sent, errors } = await post(rows);
		expect(sent).toEqual([]);
		for (const error of errors) expect(error?.message).toContain('could go live at once');
	}
});

test.each(['publish_at_1', 'Publish At', 'publish_at ', 'Termin'])(
	'a time in the column %j is refused beside an empty column publish_at',
	async (heading) => {
		const row = { title: 'A', content: 'B', publish_at: '', [heading]: '24.12.2027 10:00' };
		const { sent, errors } = await post([row]);
		expect(sent).toEqual([]);
		expect(errors[0]?.message).toContain('this one could go live at once');
	},
);

test('of two sheets in one, each column that is called so says when', async () => {
	const joined = [
		{ title: 'A', content: 'B', publish_at: '24.12.2099 10:00' },
		{ title: 'C', content: 'D', 'Publish Date': '31.12.2099 10:00' },
		{ title: 'E', content: 'F', 'Event Date': '31.12.2099 10:00' },
		{ title: 'G', content: 'H', Datum: '31.12.2099 10:00' },
	];
	const { sent, errors } = await post(joined);
	expect(sent.map(({ title }) => title)).toEqual(['A', 'E']);
	expect(errors[3]?.message).toContain('"Datum": this one could go live at once');
	expect(errors[1]).toMatchObject({
		message: expect.stringContaining('"Publish Date": this one could go live at once'),
		description: expect.stringContaining('move it to the column publish_at'),
	});
});

test.each(['Publish', 'Scheduled', 'Go Live'])(
	'a switch %p beside a column publish_at says nothing of when',
	async (heading) => {
		const rows = [
			{ title: `${heading} 1`, content: 'B', publish_at: '24.12.2099 10:00', [heading]: 'yes' },
			{ title: `${heading} 2`, content: 'D', [heading]: 'yes' },
			{ title: `${heading} 3`, content: 'F', [heading]: '31.12.2099' },
			{ title: `${heading} 4`, content: 'F', [heading]: 'tomorrow' },
			{ title: `${heading} 5`, content: 'F', [heading]: 46_380.4375 },
		];
		const { sent } = await post(rows);
		expect(sent.map(({ title }) => title)).toEqual([`${heading} 1`, `${heading} 2`]);
	},
);

test.each(['no', 'later', 'draft', 'FALSE', false, 0])(
	'a row that is held back by Publish = %p is refused beside times of other rows',
	async (Publish) => {
		const rows = [
			{ title: 'A', content: 'B', publish_at: AHEAD, Publish: 'yes' },
			{ title: 'C', content: 'D', Publish },
		];
		expect((await post(rows)).sent).toHaveLength(1);
	},
);

test('a column publish_at of empty lookups does not say when', async () => {
	for (const more of [{ Date: AHEAD }, { Slot: AHEAD }, { Publish: 'tomorrow' }]) {
		const { sent } = await post([{ title: 'A', content: 'B', publish_at: [null], ...more }]);
		expect(sent).toEqual([]);
	}
});

test('lists of one show for each other which comes first, the day or the month', async () => {
	const { sent, errors } = await post([
		titled(['03/04/2099'], 1),
		titled(['24/04/2099'], 2),
		titled([], 3),
		titled([null], 4),
	]);
	expect(errors).toEqual([undefined, undefined, undefined, undefined]);
	expect(Object.fromEntries(sent.map(({ title, publish_at }) => [title, publish_at]))).toEqual({
		'A 1': '2099-04-03T00:00:00-04:00',
		'A 2': '2099-04-24T00:00:00-04:00',
		...{ 'A 3': undefined, 'A 4': undefined },
	});
});

test('an additional field is sent as it is, whatever dates it holds', async () => {
	const fields = [
		{ name: 'event_date', type: 'string', value: '2099-05-01' },
		{ name: 'offer', type: 'object', value: '{"start":"2099-05-01"}' },
		{ name: 'schedule_type', type: 'string', value: 'auto' },
		{ name: 'publish', type: 'boolean', value: 'false' },
	];
	const publish_day = { name: 'publish_day', type: 'string', value: 'Monday' };
	const row = { title: 'A', content: 'B' };
	const more = (...all: object[]) => ({ options: { additionalFields: { fields: all } } });
	const { sent } = await post([row], incomingRow, more(...fields));
	const offer = { start: '2099-05-01' };
	expect(sent).toEqual([
		{ ...row, event_date: '2099-05-01', offer, schedule_type: 'auto', publish: false },
	]);
	const { errors: ofDay } = await post([{ ...row, title: 'D' }], incomingRow, more(publish_day));
	expect(ofDay[0]?.message).toContain('could go live at once');
	for (const name of ['scheduled_for', 'Publish Date', 'publish_paid']) {
		const lost = { name, type: 'string', value: '2099-05-01' };
		const { errors } = await post([{ ...row, title: 'C' }], incomingRow, more(lost));
		expect(errors[0]?.description).toContain(
			'name the additional field publish_at; else remove it',
		);
	}
});

test.each<[string, unknown[]]>([
	['Price', [45_000, 46_000]],
	['Price', [45_999.99, 46_120, 46_410.25]],
	['Visitors', [46_745, 12]],
	['Version', ['1.2.3', '1.10.0']],
	['Price', ['45.000', '46,50']],
])('a column %p with %p is none', async (heading, cells) => {
	const rows = cells.map((cell, nth) => ({ title: `A ${nth}`, content: 'B', [heading]: cell }));
	expect((await post(rows)).sent).toHaveLength(rows.length);
});

test('beside the time itself, or set by the source of the rows, a date is no time to publish', async () => {
	const rows = [
		{ title: 'A', content: 'B', approved: '2027-01-02', publish_at: '2027-12-24 9:00' },
		{ title: 'C', content: 'D', createdAt: '2026-01-02T09:00:00Z' },
	];
	expect((await post([rows[0]])).sent).toHaveLength(1);
	expect((await post([rows[1]])).sent).toHaveLength(1);
});

test.each(['Publish At', 'publishAt', 'PUBLISH-AT ', '\ufeffpublish_at', 'publish\u200b_at'])(
	'the heading %j is the field publish_at',
	async (heading) => {
		const rows = [{ title: 'A', content: 'B', [heading]: '24.12.2027' }];
		const publish_at = '2027-12-24T00:00:00-05:00';
		expect((await post(rows)).sent).toEqual([{ title: 'A', content: 'B', publish_at }]);
	},
);

test('a mapped time that comes out empty although its column has a value is refused', async () => {
	const row = { title: 'A', content: 'B', when: '9:00' };
	const expression = "={{ DateTime.fromFormat($json.when, 'd.M.yyyy').toISO() }}";
	const { sent, errors } = await post([row], byHand(expression, 'dateTime'));
	expect(sent).toEqual([]);
	expect(errors[0]).toMatchObject({
		message: 'The field "Publish At" came out empty: this content post would go live at once',
		description: expect.stringContaining('Its column "when" has the value "9:00"'),
	});
	const other = await post([row], byHand(expression, 'dateTime', 'expires_at'));
	expect(other.errors[0]).toMatchObject({ message: 'The field "Publish At" came out empty' });
	const { sent: atOnce } = await post([{ ...row, when: ' ' }], byHand('={{ $json.when }}'));
	expect(atOnce).toEqual([{ title: 'A', content: 'B' }]);
});

test('a mapped time whose column no row has is refused, with the one that is meant', async () => {
	const row = { title: 'A', content: 'B' };
	const expression = '={{ $json["Scheduled Date"] }}';
	for (const [heading, meant] of [
		['Scheduled date', 'There is "Scheduled date".'],
		['Scheduled\u00a0Date', 'There is "Scheduled\u00a0Date".'],
		['Scheduled Date\u200b', 'There is "Scheduled Date", with an invisible character'],
		['Termin', 'There are: title, content, Termin.'],
	]) {
		const rows = [{ ...row, [heading]: '2027-12-24 9:00' }];
		const { sent, errors } = await post(rows, byHand(expression, 'dateTime'));
		expect(sent).toEqual([]);
		expect(errors[0]).toMatchObject({
			message: 'No item has a column "Scheduled Date"',
			description: expect.stringContaining(meant),
		});
	}
});

test('the advice for a column that no row has leads out', async () => {
	const rows = [{ title: 'A', content: 'B' }];
	const { errors } = await post(rows, byHand('={{ $json["Publish at"] }}', 'dateTime'));
	const [advised] = /\{\{.*\}\}/.exec(errors[0]!.description)!;
	for (const [nth, expression] of [
		advised,
		'{{ $if($json.publish_at, $json.publish_at, "") }}',
		'{{ $json.publish_at?.toDateTime() }}',
		'{{ $json.fields?.publish_at }}',
	].entries()) {
		const row = { title: `A ${nth}`, content: 'B' };
		const { sent } = await post([row], byHand(`=${expression}`, 'dateTime'));
		expect(sent).toEqual([row]);
	}
});

test('a day in a field of the panel that is none to publish stays a day', async () => {
	const rows = [{ title: 'A', content: 'B', event: '24.12.2027', publish_at: '' }];
	const fields = byHand('={{ $json.event }}', 'dateTime', 'event_day');
	expect((await post(rows, fields)).sent).toMatchObject([{ event_day: '2027-12-24' }]);
});

test('in Custom JSON a value is sent as it is, and a dry run warns', async () => {
	const more = { dataToSend: 'json', jsonBody: '{ "title": "A", "publish_at": "24.12.2027" }' };
	const dry = await post([{}], incomingRow, { ...more, dryRun: true });
	expect(dry.json).toMatchObject([
		{ warning: expect.stringContaining('is not a date that every service reads: "24.12.2027"') },
	]);
	const { sent } = await post([{}], incomingRow, { ...more, ifExists: 'create' });
	expect(sent).toMatchObject([{ publish_at: '24.12.2027' }]);
});
