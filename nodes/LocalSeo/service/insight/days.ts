import { type DateContext, datesNearby, isRecord, type JsonObject, readDates } from '../../client';
import { inSnakeCase } from '../sendableFields';
import { columnsOf, daysOf, type Entries, labelsOf } from './entries';
import {
	type Field,
	flattened,
	headerOf,
	type Headers,
	headersIn,
	isName,
	isNumeric,
	NAMES,
	unboxed,
} from './fields';

/** Where a value stands in a response: the names of members and of series, from the outside. */
export interface Place {
	path: string[];
	/** Those that say something: not "data", "series" or "values". */
	names: string[];
	/** What the only series of a list is called. */
	label?: string;
}

/** A list of days, and the value that it was read from. */
export type Dated = Place & Entries & { raw: unknown };

/** A list of plain values: of dates, or of numbers that may be theirs. */
type Plain = Place & { raw: unknown[]; dates?: Array<string | undefined> };

/** What a value holds. */
export interface Found {
	lists: Dated[];
	/** All that is no part of them, by its name. */
	around: Field[];
	/** The same of single series. */
	ofSeries: Field[];
	axes: Plain[];
	loose: Plain[];
}

type Around = Omit<DateContext, 'name'> & { headers: Headers };

/** Members that only hold what is counted. */
export const HOLDER =
	/(^|[_\s])(data|datasets?|series|values?|points?|rows?|items|list|results?|entries|records|elements|days|daily|dates|buckets?|intervals?|history|timeline|stats|statistics|metrics?|measurements|insights?|reports?|counts?|charts?|attributes|response)$/i;
const RANGE = /range|period|between|window/i;
const TIME = /dat|day|time|period|month|week|tag|jour|d[ií]a|hour/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;

/**
 * Finds the days in a response, whatever its shape: entries with a date, values by date, rows of cells,
 * lists side by side, and series of all these. Nothing of it is dropped.
 *
 * @param beside what else was sent, for names, years and time zones
 */
export function daysIn(response: unknown, beside: unknown): Found {
	const all = { response, beside };
	const around = { ...datesNearby(all), headers: headersIn(all) };
	const found = find(response, { path: [], names: [] }, around);
	const unused = [...found.axes, ...found.loose].flatMap((one) => asItIs(one.raw, one).around);
	return { ...found, around: [...found.around, ...unused] };
}

function find(value: unknown, place: Place, around: Around): Found {
	if (isRecord(value)) return inRecord(value, place, around);
	if (!Array.isArray(value)) return asItIs(value, place);
	if (value.every((one) => Object(one) !== one)) return inPlainList(value, place, around);
	if (value.every(isRecord)) return inEntries(value, place, around);
	const entries = value.every(Array.isArray) ? recordsOf(value, place, around) : undefined;
	const days = entries && daysOf(flattened(entries, around.headers), around);
	return days ? only({ lists: [{ ...place, ...days, raw: value }] }) : asItIs(value, place);
}

function inRecord(record: JsonObject, place: Place, around: Around): Found {
	const keys = Object.keys(record);
	const column = readDates(keys, { ...around, name: 'date' });
	const isDate = (key: string, at: number) => (column ? column.dates[at] : ISO_DAY.test(key));
	const dated = keys.filter(isDate);
	const entries = dated.map((date) => {
		const inner = record[date];
		return { ...(isRecord(inner) ? inner : { value: inner }), date };
	});
	const isCounted = dated.some(
		(key) => Object(record[key]) === record[key] || isNumeric(record[key]),
	);
	const days = isCounted ? daysOf(flattened(entries, around.headers), around) : undefined;
	const raw = Object.fromEntries(dated.map((key) => [key, record[key]]));
	const others = days ? keys.filter((key) => !Object.hasOwn(raw, key)) : keys;
	return sideBySide([
		...(days ? [only({ lists: [{ ...place, ...days, raw }] })] : []),
		...others.map((key) => find(record[key], into(place, key), around)),
	]);
}

function inEntries(entries: JsonObject[], place: Place, around: Around): Found {
	const flat = flattened(entries, around.headers);
	const days = daysOf(flat, around);
	const isSingle = entries.length === 1;
	const isResponse = isSingle && place.path.length === 0;
	const own = days && only({ lists: [{ ...place, ...days, raw: entries }] });
	if (days?.isSure) return own!;
	const [, label] = flat[0]?.find(([name, value]) => NAMES.test(name) && isName(value)) ?? [];
	const told = isSingle
		? undefined
		: labelsOf(
				columnsOf(flat),
				entries.map(() => ''),
			);
	const inner = merged(
		entries.map((entry, at) => {
			const series = into(place, told?.labels[at] ?? String(at + 1), true);
			return find(entry, isSingle ? { label: label as string, ...place } : series, around);
		}),
	);
	if (inner.lists.length === 0 && own && !isResponse) return own;
	if (inner.lists.length === 0 && inner.loose.length === 0 && !isSingle)
		return asItIs(entries, place);
	return isSingle
		? inner
		: { ...inner, around: [], ofSeries: [...inner.ofSeries, ...inner.around] };
}

function inPlainList(raw: unknown[], place: Place, around: Around): Found {
	const name = place.path[place.path.length - 1] ?? '';
	const dates = RANGE.test(name) ? undefined : readDates(raw, { ...around, name })?.dates;
	const known = new Set(dates?.filter((date) => date !== undefined));
	if (dates && known.size === raw.length) return only({ axes: [{ ...place, raw, dates }] });
	const isCounted = raw.some(isNumeric) && raw.every((one) => one === null || isNumeric(one));
	return isCounted ? only({ loose: [{ ...place, raw }] }) : asItIs(raw, place);
}

/** Lists as long as a list of dates, within the same record, are about these. */
function sideBySide(parts: Found[]): Found {
	const found = merged(parts);
	const axes = new Map<number, Plain>();
	for (const axis of found.axes) {
		const known = axes.get(axis.raw.length);
		if (!known || !ISO_DAY.test(String(known.raw[0]))) axes.set(axis.raw.length, axis);
	}
	const ofAxis = (one: Plain) => axes.get(one.raw.length)?.dates;
	const matched = found.loose.filter(ofAxis);
	const lengths = new Set(matched.map(({ raw }) => raw.length));
	const lists = matched.flatMap((one): Dated[] => {
		const flat = ofAxis(one)!.map((date, at): Field[] => [
			['date', date],
			['', one.raw[at]],
		]);
		const days = daysOf(flat, {});
		return days ? [{ ...one, ...days }] : [];
	});
	return {
		...found,
		lists: [...found.lists, ...lists],
		axes: found.axes.filter(({ raw }) => !lengths.has(raw.length)),
		loose: found.loose.filter((one) => !ofAxis(one)),
	};
}

/** Rows of cells as records, with the names of a header: one elsewhere, or the first row. */
function recordsOf(rows: unknown[][], { path }: Place, around: Around): JsonObject[] | undefined {
	const [{ length }] = rows;
	if (length < 2 || rows.some((row) => row.length !== length)) return undefined;
	const cells = rows.map((row) => row.map(unboxed));
	const known = headerOf(around.headers, path[path.length - 1] ?? '', length, true);
	const isKnown = known && (length > 2 || known.some((name) => TIME.test(name)));
	const isFirst = cells[0].every((cell) => isName(cell) && !isNumeric(cell));
	const dateAt = cells[0].findIndex((_, at) =>
		readDates(
			cells.map((row) => row[at]),
			{ ...around, name: 'x' },
		),
	);
	const own = cells[0].map((name, at) => {
		if (isFirst && at !== dateAt) return String(name);
		return at === dateAt ? 'date' : length === 2 ? 'value' : `value_${at}`;
	});
	const names = isKnown ? known : own;
	return cells.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])));
}

function into({ path, names, label }: Place, key: string, isLabel = false): Place {
	const says = isLabel || !HOLDER.test(inSnakeCase(key));
	return { path: [...path, key], names: says ? [...names, key] : names, label };
}

function asItIs(value: unknown, { path }: Place): Found {
	const isList = Array.isArray(value) && value.length > 0;
	return only({ around: [[path.join('_'), isList ? JSON.stringify(value) : value]] });
}

function only(found: Partial<Found>): Found {
	return { lists: [], around: [], ofSeries: [], axes: [], loose: [], ...found };
}

function merged(parts: Found[]): Found {
	const all = <Key extends keyof Found>(key: Key) => parts.flatMap((part) => part[key] as never[]);
	return {
		lists: all('lists'),
		around: all('around'),
		ofSeries: all('ofSeries'),
		axes: all('axes'),
		loose: all('loose'),
	};
}
