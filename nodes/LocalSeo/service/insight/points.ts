import {
	type DateContext,
	dateOfParts,
	datesNearby,
	type DateUnit,
	isRecord,
	type JsonObject,
	readDates,
} from '../../client';
import {
	areSure,
	columnsOf,
	dated,
	datesIn,
	into,
	isNumeric,
	labelsOf,
	lastOf,
	NAMES,
	ONLY,
	type Point,
	SERIES,
	takenApart,
	within,
} from './entries';
import { type Headers, headersIn, isName, recordsOf, unboxed } from './headers';

type Around = Omit<DateContext, 'name'> & { headers: Headers };

const PARTS = /^(year|month|day|week|quarter)$/i;
const RANGE = /(range|period|between|window)$/i;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;

const isPlain = (value: unknown) => Object(value) !== value;

/**
 * Reads the values of a response with their dates, whatever its shape: entries with a date, values by
 * date, rows of cells, lists side by side, and series of all these. Nothing of it is dropped.
 *
 * @param beside what else was sent: names of cells, years and a time zone may stand there
 */
export function pointsIn(response: unknown, beside: unknown): Point[] {
	const all = { response, beside };
	return read(response, '', { ...datesNearby(all), headers: headersIn(all) });
}

function read(value: unknown, path: string, around: Around): Point[] {
	if (isRecord(value)) return inRecord(value, path, around);
	if (!Array.isArray(value) || value.every(isPlain)) return [{ path, value }];
	const isTable = value.every(Array.isArray);
	const entries = isTable ? recordsOf(value, lastOf(path), around.headers) : value;
	const isList = entries?.every((one) => isRecord(one) && unboxed(one) === one);
	return isList ? inEntries(entries as JsonObject[], value, path, around) : [{ path, value }];
}

function inRecord(record: JsonObject, path: string, around: Around): Point[] {
	const keys = Object.keys(record);
	const column = readDates(keys, { ...around, name: 'date' });
	const isDate = (key: string, at: number) => (column ? column.dates[at] : ISO_DAY.test(key));
	const isCounted = (key: string) => !isPlain(record[key]) || isNumeric(record[key]);
	const byDate = keys.filter(isDate);
	const raw = Object.fromEntries(
		byDate.some(isCounted) ? byDate.map((key) => [key, record[key]]) : [],
	);
	const entries = Object.entries(raw).map(([date, value]) => ({
		...(isRecord(value) ? value : { value }),
		date,
	}));
	const date = dateOfParts(record);
	const others = keys.filter((key) => !Object.hasOwn(raw, key) && !(date && PARTS.test(key)));
	const points = others.flatMap((key) => read(record[key], into(path, key), around));
	if (date !== undefined) points.push({ path: path || into(path, 'date'), value: date });
	const ofDates = entries.length > 0 ? inEntries(entries, raw, path, around) : [];
	return sideBySide([...ofDates, ...points], around);
}

/** Lists of numbers as long as a list of dates, within the same record, are about these. */
function sideBySide(points: Point[], around: Around): Point[] {
	const axes = new Map<number, { dates: string[]; unit: DateUnit; isExact: boolean }>();
	const counted = new Set<number>();
	const kinds = points.map(({ path, value, date }) => {
		if (date !== undefined || !Array.isArray(value) || !value.every(isPlain)) return undefined;
		const name = lastOf(path);
		const column = RANGE.test(name) ? undefined : readDates(value, { ...around, name });
		const dates = [...new Set(column?.dates.filter((one) => one !== undefined))];
		if (column && dates.length === value.length) {
			const isExact = ISO_DAY.test(String(value[0]));
			if (!axes.get(value.length)?.isExact)
				axes.set(value.length, { unit: column.unit, dates, isExact });
			return 'dates';
		}
		const isCounted = value.some(isNumeric) && value.every((one) => one === null || isNumeric(one));
		if (isCounted) counted.add(value.length);
		return isCounted ? 'counted' : undefined;
	});
	return points.flatMap((point, at): Point[] => {
		const { path, value } = point as Point & { value: unknown[] };
		const axis = kinds[at] === undefined ? undefined : axes.get(value.length);
		if (!axis || !counted.has(value.length)) return [point];
		if (kinds[at] === 'dates') return [];
		const list = { path, raw: value, unit: axis.unit };
		return value.map((one, nth) => ({ path, value: one, date: axis.dates[nth], column: '', list }));
	});
}

/** Entries with a date each or, where lists within them have dates of their own, series. */
function inEntries(entries: JsonObject[], raw: unknown, path: string, around: Around): Point[] {
	const inner = entries.map((entry) => read(entry, path, around));
	const flat = takenApart(inner, around.headers);
	const columns = columnsOf(flat);
	const dates = datesIn(columns, path, around);
	const isOnly = entries.length === 1;
	const isSeries = inner.some((points) => points.some(({ date }) => date !== undefined));
	const isOwn = dates.length > 0 && !isSeries && !(isOnly && path === '');
	if (isOwn || (dates.length > 0 && areSure(dates[0]))) {
		return dated(flat, columns, dates, { path, raw });
	}
	const isCounted = ({ value }: Point) => Array.isArray(value) && value.some(isNumeric);
	if (!isOnly && !isSeries && !inner.flat().some(isCounted)) return [{ path, value: raw }];
	const label = flat[0].find((one) => NAMES.test(one.path) && isName(one.value))?.value as string;
	const told = isOnly
		? undefined
		: labelsOf(
				columns,
				entries.map(() => ''),
			);
	const names = told?.labels ?? entries.map((_, at) => String(at + 1));
	return inner.flatMap((points, at) => {
		if (isOnly && label === undefined) return points;
		const name = isOnly ? ONLY + label : SERIES + names[at];
		return points.map((point) => within(point, path, name));
	});
}
