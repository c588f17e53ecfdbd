import { DateTime } from 'luxon';
import type { INodeParameters } from 'n8n-workflow';

import { byId, byName, columns, incomingRow } from '../../support/fixture';
import { type DrawnBy, fc } from '../../support/random';
import type { Fields, Service, Switches } from '../backend';

// Sheets of content posts, drawn: what each row means, how its author spelled it, and what the account has.

/** The day of the sheets: the clock of a test that runs them has to show it. */
export const TODAY = Date.UTC(2026, 10, 25, 9);

/** Spellings that count as the same text. */
const SPELLINGS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	decomposed: (text) => text.normalize('NFD'),
	spaces: (text) => `  ${text.replace(' ', '   ')} `,
	nbsp: (text) => text.replace(' ', '\u00a0'),
	'line end': (text) => `${text}\n`,
	break: (text) => text.replace(' ', '<br>'),
	paragraph: (text) => `<p>${text}</p>`,
	entity: (text) => text.replace('&', '&amp;'),
	invisible: (text) => text.replace(' ', ' \u200b'),
};
const TEXTS = {
	title: ['Brot & Brötchen', 'Advent im Café'],
	content: ['Frisch geöffnet & warm', 'Von 8 bis 12 Uhr', 'Alles für Gäste'],
};
const BLANKS = ['', '  ', null];
const SHOPS = ['Corner Bakery', 'Hill Street Dental', 'Café Süd'];
/** How people write the name of a shop. */
const NAMES: Array<(name: string) => string> = [
	(name) => name,
	(name) => name.toUpperCase(),
	(name) => name.replace('é', 'e').replace('ü', 'u'),
	(name) => `${name}, Leeds`,
];

/** Times, as the wall clock of the workflow's zone; the last ones count from today. */
const TIMES: Record<string, (zone: string) => DateTime> = {
	nine: (zone) => DateTime.fromISO('2027-12-24T09:00', { zone }),
	ten: (zone) => DateTime.fromISO('2027-12-24T10:00', { zone }),
	'ten and 30 s': (zone) => DateTime.fromISO('2027-12-24T10:00:30', { zone }),
	midnight: (zone) => DateTime.fromISO('2027-12-25T00:00', { zone }),
	'an hour ago': (zone) => DateTime.fromMillis(TODAY - 3_600_000, { zone }),
	'two days ago': (zone) => DateTime.fromMillis(TODAY - 2 * 86_400_000, { zone }),
};
const BROKEN = ['TBD', '#REF!', '2027-04-31', '10:00'];

const clockOf = (time: DateTime) => time.toFormat(time.second === 0 ? 'HH:mm' : 'HH:mm:ss');
const serialOf = (time: DateTime) =>
	(time.setZone('utc', { keepLocalTime: true }).toMillis() - Date.UTC(1899, 11, 30)) / 86_400_000;
const iso = (time: DateTime) => time.toISO({ suppressMilliseconds: true })!;

/** How people and spreadsheets write a time. */
const CELLS: Record<string, (time: DateTime) => unknown> = {
	iso,
	'iso of UTC': (time) => iso(time.toUTC()),
	'iso without offset': (time) => iso(time).slice(0, 19),
	'day and clock': (time) => `${time.toISODate()} ${clockOf(time)}`,
	day: (time) => `${time.toISODate()}${time.hour === 0 ? '' : ` ${clockOf(time)}`}`,
	serial: serialOf,
	'serial as text': (time) => String(serialOf(time)),
	dots: (time) => `${time.toFormat('dd.MM.yyyy')} ${clockOf(time)}`,
	english: (time) => `${time.setLocale('en').toFormat('LLL d, yyyy')} ${clockOf(time)}`,
};

/** How much later than planned a service published a post. */
const LATE = { minutes: 20 };

/** How services show a time. */
const SHOWN: Record<string, (time: DateTime) => string> = {
	iso,
	'iso of UTC': (time) => time.toUTC().toISO()!,
	'clock of UTC': (time) => iso(time.toUTC()).slice(0, 19).replace('T', ' '),
	'clock of the zone': (time) => iso(time).slice(0, 19),
	'minute of UTC': (time) => time.toUTC().toFormat("yyyy-MM-dd'T'HH:mm'Z'"),
	'minute of the zone': (time) => time.toFormat('yyyy-MM-dd HH:mm'),
};

const among = <T extends object>(table: T) =>
	fc.constantFrom(...(Object.keys(table) as Array<Extract<keyof T, string>>));
/** One of `odd` in about so many of a hundred. */
const seldom = <T>(percent: number, usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
	fc.oneof({ arbitrary: usual, weight: 100 - percent }, { arbitrary: odd, weight: percent });

const time = seldom(
	25,
	fc.constantFrom<string[]>('nine', 'ten', 'ten', 'ten and 30 s', 'midnight'),
	fc.constantFrom('an hour ago', 'two days ago', 'blank', 'blank', 'broken'),
);
const text = (texts: string[]) => seldom(5, fc.constantFrom(...texts), fc.constant(''));
const spelling = seldom(50, fc.constant('plain'), among(SPELLINGS));

const row = fc.record({
	shop: fc.nat(2),
	title: text(TEXTS.title),
	content: text(TEXTS.content),
	time,
	/** How it is spelled. */
	spelled: fc.record({ title: spelling, content: spelling, time: among(CELLS), as: fc.nat(3) }),
	/** Says At Once with a time, or has no place. */
	isOdd: seldom(12, fc.constant(false), fc.constant(true)),
});
type DrawnRow = DrawnBy<typeof row>;

const PARTS = ['shop', 'title', 'content', 'time'] as const;
type Part = (typeof PARTS)[number];

/** That one row, or post, says what another row says, but for one part of it. */
const copy = fc.record({
	of: fc.nat(7),
	to: fc.nat(7),
	but: fc.constantFrom<Array<Part | 'nothing'>>('nothing', 'nothing', ...PARTS),
});
const post = fc.record({
	like: fc.nat(7),
	but: fc.constantFrom<Array<Part | 'nothing'>>('nothing', 'nothing', ...PARTS),
	other: row,
	shown: among(SHOWN),
	/** A service may show when it published a post. */
	isLate: fc.boolean(),
	spelled: fc.record({ title: spelling, content: spelling }),
});

export const drawnSheet = fc.record({
	rows: fc.array(row, { minLength: 1, maxLength: 8 }),
	copies: fc.array(copy, { maxLength: 3 }),
	posts: fc.array(post, { maxLength: 5 }),
	/** An account whose posts show no time at all is asked about. */
	showsTimes: seldom(4, fc.constant(true), fc.constant(false)),
	shops: fc.integer({ min: 1, max: 3 }),
	zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'UTC'),
	location: fc.constantFrom('id', 'name', 'fixed'),
	mapping: fc.constantFrom('auto', 'hand'),
	when: fc.constantFrom('scheduled', 'scheduled', 'now', 'row'),
	ifExists: fc.constantFrom('skip', 'skip', 'create'),
	matchFields: fc.constantFrom('', '', '', 'title', 'title, publish_at'),
});
export type DrawnSheet = DrawnBy<typeof drawnSheet>;

/** A row of the sheet: what it means, and its cells. */
export interface Row {
	/** Undefined: it names none. */
	shop?: number;
	/** Empty: blank. */
	title: string;
	content: string;
	/** In milliseconds; undefined: blank; NaN: broken. */
	at?: number;
	when: string;
	cells: Fields;
}

export interface Post {
	shop: number;
	title: string;
	content: string;
	fields: Fields;
}

export interface Sheet extends Omit<DrawnSheet, 'rows' | 'posts'> {
	rows: Row[];
	posts: Post[];
	/** True if some row fills the column with the time. */
	hasTimes: boolean;
}

/** What is drawn, put together. */
export function sheetFrom(drawn: DrawnSheet): Sheet {
	const { zone, when, shops, location } = drawn;
	const all = drawn.rows.map((one) => ({
		...one,
		shop: location === 'fixed' ? 0 : one.shop % shops,
		...(when === 'now' && !one.isOdd && { time: 'blank' }),
	}));
	for (const { of, to, but } of drawn.copies) {
		const [from, into] = [all[of % all.length], all[to % all.length]];
		Object.assign(into, partsOf(from, but));
	}
	const rows = all.map((one, index) => rowFrom(one, index, drawn));
	const posts = drawn.posts.map(({ like, but, other, shown, isLate, spelled }): Post => {
		const {
			shop,
			title,
			content,
			time: at,
		} = { ...other, ...partsOf(all[like % all.length], but) };
		const planned = TIMES[at]?.(zone);
		const isOver = planned !== undefined && planned.toMillis() <= TODAY;
		const own = isOver && isLate ? planned.plus(LATE) : planned;
		const fields = {
			title: SPELLINGS[spelled.title](title),
			content: SPELLINGS[spelled.content](content),
			...(drawn.showsTimes && { publish_at: own ? SHOWN[shown](own) : null }),
		};
		return { shop: shop % shops, title, content, fields };
	});
	return { ...drawn, rows, posts, hasTimes: rows.some(({ at }) => at !== undefined) };
}

const partsOf = (from: Pick<DrawnRow, Part>, but: string) =>
	Object.fromEntries(PARTS.filter((part) => part !== but).map((part) => [part, from[part]]));

function rowFrom(
	one: DrawnRow,
	index: number,
	{ zone, when: chosen, location, mapping }: DrawnSheet,
) {
	const { title, content, spelled, isOdd } = one;
	const blank = BLANKS[index % BLANKS.length];
	const time = TIMES[one.time]?.(zone);
	const isBroken = one.time === 'broken';
	const at = time?.toMillis() ?? (isBroken ? NaN : undefined);
	const fitting = at === undefined ? 'now' : 'scheduled';
	const when = chosen !== 'row' ? chosen : isOdd ? ['now', 'later', ''][index % 3] : fitting;
	// A location that no row can be sent to.
	const isLost = isOdd && location === 'name' && index === 0;
	const name = isLost ? 'Nowhere' : NAMES[spelled.as](SHOPS[one.shop]);
	const broken = isBroken ? BROKEN[spelled.as] : blank;
	const values: Fields = {
		title: title === '' ? blank : SPELLINGS[spelled.title](title),
		content: content === '' ? blank : SPELLINGS[spelled.content](content),
		publish_at: time ? CELLS[spelled.time](time) : broken,
	};
	const isAuto = mapping === 'auto';
	const cells = Object.entries(values).map(([field, value]) => [
		isAuto ? field : HEADINGS[field],
		value,
	]);
	return {
		...{ shop: isLost ? undefined : one.shop, title, content, at, when },
		cells: {
			...Object.fromEntries(cells),
			...(location === 'name' && { Shop: name }),
			...(chosen === 'row' && { How: when }),
		} as Fields,
	};
}

/** Headings of a sheet that is mapped by hand. */
const HEADINGS: Record<string, string> = { title: 'Headline', content: 'Text', publish_at: 'Live' };

/** The service shows each field of a post, filled or not. */
export const SHOWING_ALL: Partial<Switches> = {
	stores: (fields) => ({ title: null, content: null, publish_at: null, ...fields }),
};

/** Fills an account with the locations and the posts. */
export function fill(service: Service, { posts }: Sheet): void {
	const [name] = SHOPS.slice(2);
	service.add('locations', { name, address: '3 High Street', city: 'Leeds', country: 'GB' });
	for (const { shop, fields } of posts) {
		service.add('posts', { location_id: service.location(shop), ...fields });
	}
}

/** What n8n hands to the node, and how the node is set. */
export function nodeFor(service: Service, sheet: Sheet) {
	const { rows, location, mapping, when, ifExists, matchFields, hasTimes } = sheet;
	const mapped = ['title', 'content', ...(hasTimes ? ['publish_at'] : [])];
	const read = mapped.map((field) => [field, `={{ $json['${HEADINGS[field]}'] }}`]);
	const locations = {
		id: byId('={{ $json.location_id }}'),
		name: byName('={{ $json.Shop }}'),
		fixed: byId(service.location()),
	};
	const parameters: INodeParameters = {
		...{ resource: 'post', operation: 'create', ifExists, locationId: locations[location] },
		whenToPublish: when === 'row' ? '={{ $json.How }}' : when,
		fields: mapping === 'auto' ? incomingRow : columns(Object.fromEntries(read)),
		options: {
			...(matchFields !== '' && { matchFields }),
			...(when === 'row' && mapping === 'auto' && { excludeColumns: 'How' }),
		},
	};
	const cells = rows.map((one) => ({
		...one.cells,
		...(location === 'id' && { location_id: service.location(one.shop) }),
	}));
	return { parameters, cells };
}

/** True if a text is a spelling of another one. */
export const isSpelling = (shown: unknown, text: string): boolean =>
	text === ''
		? String(shown ?? '').trim() === ''
		: Object.values(SPELLINGS).some((spell) => spell(text).trim() === String(shown).trim());

/** True if a service may show an instant so: cut to the minute, without an offset, or as when it published. */
export function mayBe(shown: unknown, at: number, zone: string): boolean {
	const iso = String(shown).replace(' ', 'T');
	const instants = ['utc', zone].map((one) => DateTime.fromISO(iso, { zone: one }).toMillis());
	const isLate = (one: number) => at <= TODAY && one > at && one <= at + 3_600_000;
	return instants.some((one) => one === at || one === at - (at % 60_000) || isLate(one));
}
