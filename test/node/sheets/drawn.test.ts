import fc from 'fast-check';
import { DateTime } from 'luxon';

import { useBackend } from '../ordinary/backend';
import { fill, nodeFor, type Sheet } from './judge';

/** `SHEETS=20000` draws as many; a few hundred show what each change breaks. */
const RUNS = Number(process.env.SHEETS ?? 250);
const SEED = Number(process.env.SEED ?? 20_271_224);
const backend = useBackend();

/** A moment as clocks in the author's zone show it. */
type Local = DateTime;
type Precision = 'day' | 'minute' | 'second';
/** Whether a spelling tells which day is meant; `column`: where its column does. */
type Certainty = 'always' | 'column' | 'never' | 'maybe';

interface Spelling {
	write(at: Local): unknown;
	precision: Precision;
	certainty: Certainty;
	/** Of those that the column decides: which comes first. */
	isDayFirst?: boolean;
}

const spelling = (
	format: string,
	precision: Precision,
	certainty: Certainty = 'always',
	more: { locale?: string; isDayFirst?: boolean } = {},
): Spelling => ({
	write: (at) => at.setLocale(more.locale ?? 'en-US').toFormat(format),
	precision,
	certainty,
	...more,
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
	'dots, Uhr': spelling("dd.MM.yyyy H:mm 'Uhr'", 'minute'),
	'dots with seconds': spelling('dd.MM.yyyy HH:mm:ss', 'second'),
	'day/month': spelling('dd/MM/yyyy HH:mm', 'minute', 'column', { isDayFirst: true }),
	'day/month, a day': spelling('d/M/yyyy', 'day', 'column', { isDayFirst: true }),
	'day-month': spelling('dd-MM-yyyy HH:mm', 'minute', 'column', { isDayFirst: true }),
	'month/day': spelling('MM/dd/yyyy h:mm a', 'minute', 'column'),
	'month/day, short': spelling('M/d/yyyy H:mm', 'minute', 'column'),
	'month/day, two digits': spelling('M/d/yy', 'day', 'column'),
	'English month': spelling('MMM d, yyyy h:mm a', 'minute'),
	'English month, long': spelling('d MMMM yyyy HH:mm', 'minute'),
	'English weekday': spelling('ccc, MMM d yyyy h:mm a', 'minute'),
	'German month': spelling('d. MMMM yyyy', 'day', 'maybe', { locale: 'de' }),
	'German weekday': spelling('ccc, dd.MM.yyyy HH:mm', 'minute', 'maybe', { locale: 'de' }),
	'French month': spelling('d MMMM yyyy', 'day', 'maybe', { locale: 'fr' }),
	'Spanish month': spelling("d 'de' MMMM 'de' yyyy", 'day', 'maybe', { locale: 'es' }),
	'Polish month': spelling('d MMMM yyyy', 'day', 'maybe', { locale: 'pl' }),
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
	...['America/New_York', 'Europe/Berlin', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe'],
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
	// Nobody knows what is meant where one column has both orders, and shows one alone.
	for (const cell of cells.filter(({ certainty }) => certainty === 'column')) {
		fc.pre(alikeIn(cells, cell).every(({ isDayFirst }) => isDayFirst === cell.isDayFirst));
	}
	const items = cells.map(({ value }, index) => ({
		title: `Text number ${index}`,
		content: 'What it says',
		[column]: value,
	}));
	const sheet: Sheet = {
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
	const { json } = await service.run({ ...parameters, dryRun: isDryRun }, items, {
		timezone: zone,
		settings: { onError: 'continueRegularOutput' },
	});
	const posts = service.calls.filter(({ method }) => method === 'POST');
	expect(posts.length).toBe(isDryRun ? 0 : json.filter(({ outcome, id }) => outcome ?? id).length);

	for (const [index, cell] of cells.entries()) {
		const item = json[index];
		const { title } = items[index];
		const sent = isDryRun
			? item.action === 'create' && item
			: posts.find(({ fields }) => fields.title === title)?.fields;
		const said = JSON.stringify([item.error ?? item.problem]);
		const what = `${cell.name}: ${JSON.stringify(cell.value)}: ${JSON.stringify(sent)} ${said}`;
		if (EMPTY.includes(cell.name)) {
			expect([what, sent && (sent.publish_at ?? '')]).toEqual([what, '']);
			continue;
		}
		if (!sent) {
			const isNamed = /publish_at|Publish At/.test(said);
			expect([what, isNamed, isCertain(cell, cells)]).toEqual([what, true, false]);
			continue;
		}
		const meant = cell.precision === 'day' ? cell.at.startOf('day') : cell.at;
		const isMeant =
			cell.certainty !== 'never' &&
			/T.*(Z|[+-]\d\d:\d\d)$/.test(String(sent.publish_at)) &&
			Date.parse(String(sent.publish_at)) === meant.toMillis();
		expect([what, isMeant]).toEqual([what, true]);
	}
}

type Cell = Spelling & { at: Local; name: string };

/** Whether the time of a row can be known, from its own value or from those of its column. */
function isCertain(cell: Cell, cells: Cell[]): boolean {
	if (cell.certainty !== 'column') return cell.certainty === 'always';
	const tells = ({ at }: Cell) => at.day > 12;
	return tells(cell) || cell.at.day === cell.at.month || alikeIn(cells, cell).some(tells);
}

/** The cells of a column that are written with the same sign between day and month. */
function alikeIn(cells: Cell[], { name }: Cell): Cell[] {
	const isSame = (one: Cell) => one.name.includes('-') === name.includes('-');
	return cells.filter((one) => one.certainty === 'column' && isSame(one));
}

test(`${RUNS} drawn sheets: each row's time is the one that is meant, or is refused by name`, async () => {
	await fc.assert(fc.asyncProperty(drawn, check), { numRuns: RUNS, seed: SEED });
}, 3_600_000);
