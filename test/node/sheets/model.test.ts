import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';

import { byId, incomingRow } from '../../support/fixture';
import { type Fields, type Service, useBackend } from '../ordinary/backend';
import { fill, nodeFor, type Sheet as CorpusSheet } from './judge';
import { fc } from '../../support/random';

// Sheets drawn at random beside a model: a careful person who reads row after row and does by hand what
// it says. The account has records already, some of them in the sheet, in the spellings of people.
// `SHEETS=3000 SEED=7` draws more, and others.

const backend = useBackend();

const RUNS = Number(process.env.SHEETS ?? 25);
const SEED = Number(process.env.SEED ?? 20_261_126);
/** A column of times takes less than a sheet. */
const TIMES_DRAWN = 10 * RUNS;

/** Spellings that a person takes for the same text. */
const SPELLINGS: Array<(text: string) => string> = [
	(text) => text,
	(text) => text.normalize('NFD'),
	(text) => ` ${text}`,
	(text) => text.replace(' ', '  '),
	(text) => text.replace(' ', '\u00a0'),
	(text) => `${text} \n`,
];
const spelled = (...texts: string[]) =>
	fc
		.tuple(fc.constantFrom(...texts), fc.constantFrom(...SPELLINGS))
		.map(([text, spelling]) => spelling(text));
const orBlank = <T>(value: fc.Arbitrary<T>) =>
	fc.oneof(
		{ arbitrary: value, weight: 3 },
		{ arbitrary: fc.constantFrom('', '  ', null), weight: 1 },
	);
const sheetOf = <T>(row: fc.Arbitrary<T>) => fc.array(row, { minLength: 1, maxLength: 6 });

const read = (value: unknown) =>
	String(value ?? '')
		.normalize()
		.replace(/\s+/g, ' ')
		.trim();
/** Create or Update sends whatever is not equal as text: "01060" can be corrected to "1060". */
const isSame = (one: unknown, other: unknown) => String(one ?? '') === String(other ?? '');

interface Sheet {
	service: Service;
	parameters: INodeParameters;
	options?: INodeParameters;
	rows: Fields[];
}

/** What became of each row, or would; and what was sent. Each item belongs to its row. */
async function play({ service, parameters, options, rows }: Sheet, dryRun = false) {
	const before = service.calls.length;
	const settings = { onError: 'continueRegularOutput' } as const;
	const { items } = await service.run({ ...parameters, options: { ...options }, dryRun }, rows, {
		timezone: 'America/New_York',
		settings,
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	const sent = service.calls.slice(before).filter(({ method }) => method !== 'GET');
	const outcomes = items.map(({ json }) => String(json.outcome ?? json.action ?? 'failed'));
	const said = items.map(({ json }) => JSON.stringify(json.error ?? json.problem ?? ''));
	return { outcomes, sent, said };
}

const DONE: Record<string, string> = { create: 'created', update: 'updated', invalid: 'failed' };

/** Checked first, which sends nothing and foretells each row; then run. */
async function run(sheet: Sheet, skipped: 'skipped' | 'unchanged') {
	const dry = await play(sheet, true);
	expect(dry.sent).toEqual([]);
	const real = await play(sheet);
	const foretold = dry.outcomes.map((action) => DONE[action] ?? skipped);
	expect([real.said, foretold]).toEqual([real.said, real.outcomes]);
	const count = (outcome: string) => real.outcomes.filter((one) => one === outcome).length;
	const sent = (method: string) => real.sent.filter((call) => call.method === method).length;
	expect([sent('POST'), sent('PATCH')]).toEqual([count('created'), count('updated')]);
	return real;
}

describe('posts of a sheet', () => {
	/** Times as people write them, and what they mean in the zone of the workflow. */
	const TIMES: Record<string, string> = {
		'2027-05-01 10:00': '2027-05-01T14:00:00.000Z',
		'2027-05-01T10:00:00-04:00': '2027-05-01T14:00:00.000Z',
		'2027-06-01': '2027-06-01T04:00:00.000Z',
		'01.06.2027': '2027-06-01T04:00:00.000Z',
		'': '',
	};
	const TITLES = ['Summer sale', 'Größe zählt', 'Open 24/7', 'Neu: 1.50 € 🎉', '10 % off', '2027'];
	const CONTENTS = [
		...['Come by on Sunday from 8 to 12', '<b>Fat</b> & more', 'Line one\nline two', '007'],
		...['Grüße 🎄 https://a.example/x', 'Grüße 🎄 https://a.example/y', '-5 Grad', '5 Grad'],
	];
	const location = fc.nat({ max: 1 });
	const row = fc.record({
		location,
		title: spelled(...TITLES.slice(0, 3)),
		content: spelled(...CONTENTS.slice(0, 4)),
		publish_at: fc.constantFrom(...Object.keys(TIMES)),
		type: orBlank(fc.constantFrom('update', 'offer')),
	});
	const other = fc.record({
		location,
		title: spelled(...TITLES),
		content: spelled(...CONTENTS),
		publish_at: fc.constantFrom(...Object.keys(TIMES)),
		type: orBlank(fc.constantFrom('update', 'offer')),
	});
	const there = fc.record({
		location,
		title: fc.constantFrom(...TITLES.slice(0, 3)),
		content: fc.constantFrom(...CONTENTS.slice(0, 4)),
		publish_at: fc.constantFrom('2027-05-01T14:00:00.000Z', '2026-01-01T10:00:00.000Z', null),
		type: fc.constantFrom('update', null),
	});
	const drawn = fc.record({
		rows: fc.oneof(sheetOf(row), sheetOf(other)),
		there: fc.uniqueArray(there, { maxLength: 4, selector: (post) => JSON.stringify(post) }),
		ifExists: fc.constantFrom('skip', 'create'),
	});

	const PLANNED = {
		...{ title: 'Planned', content: 'Later', type: 'update' },
		publish_at: '2027-01-01T10:00:00Z',
	};
	type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

	const timeOf = ({ publish_at: time }: Fields) =>
		TIMES[String(time)] ?? (time ? new Date(String(time)).toISOString() : '');
	const textsOf = ({ location_id, title, content }: Fields) =>
		JSON.stringify([location_id, read(title), read(content)]);
	const asSent = (post: Fields) => [textsOf(post), timeOf(post), read(post.type)].join(' at ');

	test(`${RUNS} drawn sheets: what a row says is posted once, at its time, and skipped if it is there`, async () => {
		const check = async ({ rows: of, there: posts, ifExists }: Drawn) => {
			const service = backend();
			const at = ({ location: index, ...fields }: { location: number } & Fields): Fields => ({
				location_id: service.location(index),
				...fields,
			});
			// The account shows a time to come, and every field of the sheet.
			for (const index of [0, 1]) service.add('posts', at({ ...PLANNED, location: index }));
			const known: Fields[] = posts.map((post) => service.add('posts', at(post)));
			const rows = of.map(at);
			const parameters = {
				...{ resource: 'post', operation: 'create', ifExists, fields: incomingRow },
				locationId: byId('={{ $json.location_id }}'),
			};
			const sheet = { service, parameters, rows };
			const { outcomes, sent, said } = await run(sheet, 'skipped');

			for (const [index, one] of rows.entries()) {
				const alike = known.filter((post) => textsOf(post) === textsOf(one));
				const isThere = alike.some((post) => timeOf(post) === timeOf(one));
				const what = `${JSON.stringify(one)}: ${said[index]}`;
				const allowed = [
					...(ifExists === 'skip' && isThere ? ['skipped'] : ['created']),
					// Nothing tells a row without a time from the same text that has one.
					...(ifExists === 'skip' && alike.length > 0 && timeOf(one) === '' ? ['skipped'] : []),
				];
				const mayBeAsked =
					ifExists === 'skip' && /is there for .+(; the row says|, with another)/.test(said[index]);
				if (!mayBeAsked)
					expect([what, allowed]).toEqual([what, expect.arrayContaining([outcomes[index]])]);
				if (outcomes[index] === 'created') known.push(one);
			}
			const posted = rows.filter((_, index) => outcomes[index] === 'created').map(asSent);
			const bodies = sent.map(({ id, fields }) => asSent({ location_id: id, ...fields }));
			expect(bodies.sort()).toEqual(posted.sort());

			if (ifExists === 'create') return;
			const again = await play(sheet);
			expect(again.sent).toEqual([]);
			expect(again.outcomes).toEqual(outcomes.map((one) => (one === 'failed' ? one : 'skipped')));
		};
		await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS, seed: SEED });
	}, 3_600_000);
});

describe('times of a sheet', () => {
	/** A moment as clocks in the author's zone show it. */
	type Local = DateTime;
	type Precision = 'day' | 'minute' | 'second';
	/** Whether a spelling tells which day is meant; `order`: where one of its numbers is above 12. */
	type Certainty = 'always' | 'order' | 'never' | 'maybe';

	interface Spelling {
		write(at: Local): unknown;
		precision: Precision;
		certainty: Certainty;
	}

	const spelling = (
		format: string,
		precision: Precision,
		certainty: Certainty = 'always',
		locale = 'en-US',
	): Spelling => ({
		write: (at) => at.setLocale(locale).toFormat(format),
		precision,
		certainty,
	});

	/** The days since 1899-12-30, as which spreadsheets keep days. */
	const serial = (at: Local) =>
		at.setZone('utc', { keepLocalTime: true }).toMillis() / 86_400_000 + 25_569;

	const SPELLINGS: Record<string, Spelling> = {
		iso: { ...spelling('', 'minute'), write: (at) => at.toISO() },
		utc: { ...spelling('', 'minute'), write: (at) => at.toUTC().toISO() },
		'iso, no zone': spelling("yyyy-MM-dd'T'HH:mm", 'minute'),
		'iso with a space': spelling('yyyy-MM-dd HH:mm', 'minute'),
		'iso, short hour': spelling('yyyy-MM-dd H:mm', 'minute'),
		'iso with seconds': spelling('yyyy-MM-dd HH:mm:ss', 'second'),
		'iso with spaces around': spelling("' 'yyyy-MM-dd HH:mm' '", 'minute'),
		'iso, 12 hours': spelling('yyyy-MM-dd h:mm a', 'minute'),
		'iso, 12 hours, tight': spelling('yyyy-MM-dd h:mma', 'minute'),
		'a day': spelling('yyyy-MM-dd', 'day'),
		'year/month/day': spelling('yyyy/MM/dd HH:mm', 'minute'),
		digits: spelling('yyyyMMdd', 'day'),
		dots: spelling('dd.MM.yyyy HH:mm', 'minute'),
		'short dots': spelling('d.M.yyyy H:mm', 'minute'),
		'dots, a day': spelling('dd.MM.yyyy', 'day'),
		'dots, two digits': spelling('d.M.yy', 'day'),
		'dots with a comma': spelling('dd.MM.yyyy, HH:mm', 'minute'),
		'dots, Uhr': spelling("dd.MM.yyyy H:mm 'Uhr'", 'minute', 'never'),
		'dots with seconds': spelling('dd.MM.yyyy HH:mm:ss', 'second'),
		'day/month': spelling('dd/MM/yyyy HH:mm', 'minute', 'order'),
		'day/month, a day': spelling('d/M/yyyy', 'day', 'order'),
		'day-month': spelling('dd-MM-yyyy HH:mm', 'minute', 'order'),
		'month/day': spelling('MM/dd/yyyy h:mm a', 'minute', 'order'),
		'month/day, short': spelling('M/d/yyyy H:mm', 'minute', 'order'),
		'month/day, two digits': spelling('M/d/yy', 'day', 'never'),
		'English month': spelling('MMM d, yyyy h:mm a', 'minute'),
		'English month, long': spelling('d MMMM yyyy HH:mm', 'minute'),
		'English weekday': spelling('ccc, MMM d yyyy h:mm a', 'minute'),
		'German month': spelling('d. MMMM yyyy', 'day', 'maybe', 'de'),
		'German weekday': spelling('ccc, dd.MM.yyyy HH:mm', 'minute', 'maybe', 'de'),
		'French month': spelling('d MMMM yyyy', 'day', 'maybe', 'fr'),
		'Spanish month': spelling("d 'de' MMMM 'de' yyyy", 'day', 'maybe', 'es'),
		'Polish month': spelling('d MMMM yyyy', 'day', 'maybe', 'pl'),
		'serial number': { ...spelling('', 'minute'), write: serial },
		'serial number of a day': { ...spelling('', 'day'), write: (at) => serial(at.startOf('day')) },
		'serial number as text': { ...spelling('', 'minute'), write: (at) => String(serial(at)) },
		HTTP: { ...spelling('', 'second', 'maybe'), write: (at) => at.toHTTP() },
		'a zone in words': spelling('yyyy-MM-dd HH:mm ZZZZ', 'minute', 'maybe'),
		'no year': spelling('d.M.', 'day', 'never'),
		'a month': spelling('MMM yyyy', 'day', 'never'),
		'a week': spelling("'KW' W", 'day', 'never'),
		'a time': spelling('HH:mm', 'minute', 'never'),
		'a range': spelling("dd.MM.yyyy '-' dd.MM.yyyy", 'day', 'never'),
		'no such day': spelling("yyyy-'02-30'", 'day', 'never'),
		'no such day, dots': spelling("'31.04.'yyyy", 'day', 'never'),
		'no such time': spelling("yyyy-MM-dd '24:30'", 'minute', 'never'),
		'not fixed yet': spelling("'TBD'", 'day', 'never'),
		'a day of the week': spelling("'next' cccc", 'day', 'never'),
		'wrong weekday': {
			...spelling('', 'day', 'never'),
			write: (at) => `${at.plus({ day: 1 }).toFormat('ccc')}, ${at.toFormat('MMM d, yyyy')}`,
		},
		'a formula': spelling("'#N/A'", 'day', 'never'),
		empty: { ...spelling('', 'day'), write: () => '' },
		blank: { ...spelling('', 'day'), write: () => ' ' },
	};
	const EMPTY = ['empty', 'blank'];

	const ZONES = [
		...[
			'America/New_York',
			'Europe/Berlin',
			'Europe/London',
			'Asia/Kolkata',
			'Australia/Lord_Howe',
		],
		...['America/Santiago', 'Pacific/Apia', 'UTC'],
	];
	const AUTO = ['publish_at', 'Publish At', 'publishAt', 'Publish-At', ' publish_at'];
	const BY_HAND = ['publish_at', 'Datum', 'When?', 'Post Date (EST)', 'début'];

	const row = fc.record({
		day: fc.integer({ min: 0, max: 2_000 }),
		// Clocks are changed at night.
		minute: fc.integer({ min: 6 * 60, max: 23 * 60 }),
		/** In most sheets all rows are written alike. */
		own: fc.option(fc.constantFrom(...Object.keys(SPELLINGS)), { freq: 5 }),
	});
	const drawn = fc.record({
		zone: fc.constantFrom(...ZONES),
		isAuto: fc.boolean(),
		heading: fc.nat({ max: 4 }),
		spelled: fc.constantFrom(...Object.keys(SPELLINGS)),
		rows: fc.array(row, { minLength: 1, maxLength: 5 }),
		isDryRun: fc.boolean(),
	});
	type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

	async function check({ zone, isAuto, heading, spelled, rows, isDryRun }: Drawn) {
		const column = isAuto ? AUTO[heading] : BY_HAND[heading];
		const cells = rows.map(({ day, minute, own }) => {
			const name = own ?? spelled;
			const at = DateTime.fromObject({ year: 2027 }, { zone })
				.plus({ day })
				.set({ hour: Math.floor(minute / 60), minute: minute % 60 });
			return { name, ...SPELLINGS[name], at, value: SPELLINGS[name].write(at) };
		});
		const items = cells.map(({ value }, index) => ({
			title: `Text number ${index}`,
			content: 'What it says',
			[column]: value,
		}));
		const sheet: CorpusSheet = {
			...{ id: 'drawn', items, zone, expect: [] },
			locationFrom: { mode: 'fixed', value: 'loc_1' },
			mapping: isAuto
				? 'auto'
				: {
						title: '={{ $json.title }}',
						content: '={{ $json.content }}',
						publish_at: `={{ $json[${JSON.stringify(column)}] }}`,
					},
		};
		const service = backend();
		fill(service);
		const parameters = await nodeFor(sheet, service);
		const result = await service.run({ ...parameters, dryRun: isDryRun }, items, {
			timezone: zone,
			settings: { onError: 'continueRegularOutput' },
		});
		const json = result.items.map((item) => item.json);
		const posts = service.calls.filter(({ method }) => method === 'POST');
		const isDone = ({ action, id, error }: Fields) =>
			!error && (isDryRun ? action === 'create' : id !== undefined);
		expect(posts.length).toBe(isDryRun ? 0 : json.filter(isDone).length);
		const said = json.map((item) => {
			const { error = {}, problem, advice } = item as Record<string, Fields>;
			return `${String(error.message ?? problem)} ${String(error.description ?? advice)}`;
		});
		// Dates of both orders in one run are a question about all of its rows.
		const isAsked = json.every(({ error }) => error) && /has the (month|day) first/.test(said[0]);

		for (const [index, cell] of cells.entries()) {
			const { title } = items[index];
			const sent = isDryRun
				? json[index].action === 'create' && json[index]
				: posts.find(({ fields }) => fields.title === title)?.fields;
			const what = `${cell.name}: ${JSON.stringify(cell.value)}: ${JSON.stringify(sent)} ${said[index]}`;
			if (isAsked) {
				expect([what, sent ?? false, cells.some(({ certainty }) => certainty === 'order')]).toEqual(
					[what, false, true],
				);
				continue;
			}
			if (EMPTY.includes(cell.name)) {
				expect([what, sent && (sent.publish_at ?? '')]).toEqual([what, '']);
				continue;
			}
			if (!sent) {
				const isNamed = said[index].includes('publish_at: ');
				expect([what, isNamed, isCertain(cell)]).toEqual([what, true, false]);
				continue;
			}
			const meant = cell.precision === 'day' ? cell.at.startOf('day') : cell.at;
			const isMeant =
				cell.certainty !== 'never' &&
				/T.*(Z|[+-]\d\d:\d\d)$/.test(String(sent.publish_at)) &&
				Date.parse(String(sent.publish_at)) === meant.toMillis();
			expect([what, isMeant]).toEqual([what, true]);
			const goesLive = (isDryRun ? sent : json[index]).goes_live;
			expect(goesLive).toBe(`${meant.toFormat('ccc, MMM d, yyyy, HH:mm')} (${zone})`);
		}
	}

	/** Whether the time of a row can be known from its own value; some days have no midnight. */
	const isCertain = ({
		certainty,
		at,
		precision,
	}: Pick<Spelling, 'certainty' | 'precision'> & { at: Local }) =>
		(precision !== 'day' || at.startOf('day').hour === 0) &&
		(certainty === 'order' ? at.day > 12 || at.day === at.month : certainty === 'always');

	test(`${TIMES_DRAWN} drawn columns of times: each is the one that is meant, or is refused by name`, async () => {
		await fc.assert(fc.asyncProperty(drawn, check), { numRuns: TIMES_DRAWN, seed: SEED });
	}, 3_600_000);
});

describe('locations of a sheet: Create or Update', () => {
	const NAMES = [
		'Bäckerei Süd',
		"Joe's Shop",
		'Zahnarzt Berlin-Mitte',
		'日本 寿司',
		'Shop 10',
		'Shop 1',
	];
	const ADDRESSES = ['Hauptstr. 1', 'Hauptstr. 11', 'Unit 1, 12 Mill Lane'];
	const CODES = ['A-100', 'A-1000', 'B 7', '42'];
	const more = {
		city: orBlank(spelled('Berlin', 'München', 'Köln am Rhein')),
		phone: orBlank(fc.constantFrom('+49 30 1234', '0113 496 0000')),
		postal_code: orBlank(fc.constantFrom('01067', 1067, '80331', 80331)),
		website: orBlank(fc.constantFrom('https://a.example/x', 'https://a.example/y?b=1&c=2')),
		open_sunday: orBlank(fc.boolean()),
	};
	const key = {
		name: spelled(...NAMES),
		address: spelled(...ADDRESSES),
		external_ref: fc.constantFrom(...CODES),
	};
	const location = fc.record({
		name: fc.constantFrom(...NAMES),
		address: fc.constantFrom(...ADDRESSES),
		external_ref: fc.constantFrom(...CODES),
		city: fc.constantFrom('Berlin', null),
		phone: fc.constantFrom('0113 496 0000', null),
		postal_code: fc.constantFrom('01067', '80331', null),
		website: fc.constant(null),
		open_sunday: fc.constantFrom(true, null),
	});

	test.each([['name', 'address'], ['name'], ['external_ref']])(
		`${RUNS} drawn sheets, matched by %s %s: each row ends as one location with its values`,
		async (...match) => {
			const keyOf = (of: Fields) => JSON.stringify(match.map((field) => read(of[field])));
			const drawn = fc.record({
				rows: sheetOf(fc.record({ ...key, ...more })),
				// One at least, so that the account has the field.
				there: fc.uniqueArray(location, { minLength: 1, maxLength: 4, selector: keyOf }),
			});
			const check = async ({ rows, there }: { rows: Fields[]; there: Fields[] }) => {
				const service = backend();
				for (const one of there) service.add('locations', one);
				const model = service.records.locations.map((one) => ({ ...one }));
				const expected = rows.map((row) => {
					const filled = Object.entries(row).filter(([, value]) => read(value) !== '');
					const known = model.find((one) => keyOf(one) === keyOf(row));
					if (!known) model.push(Object.fromEntries(filled));
					if (!known) return 'created';
					const changed = filled.filter(([name, value]) => !isSame(known[name], value));
					Object.assign(known, Object.fromEntries(changed));
					return changed.length > 0 ? 'updated' : 'unchanged';
				});
				const sheet = {
					service,
					rows,
					parameters: { resource: 'location', operation: 'upsert', fields: incomingRow },
					options: { matchFields: match.join(', ') },
				};
				const { outcomes, said } = await run(sheet, 'unchanged');
				expect([said, outcomes]).toEqual([said, expected]);
				const asModel = () => {
					const { locations } = service.records;
					expect(locations).toHaveLength(model.length);
					// Rows are sent side by side: they may arrive in any order.
					for (const one of model) {
						const made = locations.find(({ id, ...location }) =>
							one.id === undefined ? keyOf(location) === keyOf(one) : id === one.id,
						);
						for (const [name, value] of Object.entries(one)) {
							const shown = made?.[name];
							expect([name, value, shown, isSame(shown, value)]).toEqual([
								name,
								value,
								shown,
								true,
							]);
						}
					}
				};
				asModel();

				// Rows that disagree are written again, and come to the same.
				const again = await play(sheet);
				asModel();
				expect(again.sent.filter(({ method }) => method === 'POST')).toEqual([]);
				const disagree = rows.some((row, at) =>
					rows
						.slice(at + 1)
						.some(
							(other) =>
								keyOf(row) === keyOf(other) &&
								Object.keys(row).some(
									(name) =>
										read(row[name]) !== '' &&
										read(other[name]) !== '' &&
										!isSame(row[name], other[name]),
								),
						),
				);
				if (!disagree) expect(again.sent).toEqual([]);
			};
			await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS, seed: SEED });
		},
		3_600_000,
	);
});
