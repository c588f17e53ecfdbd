import {
	areNumeric,
	type DateChoice,
	type DateColumn,
	type DateContext,
	dateOfParts,
	datesAmong,
	datesNearby,
	isNumeric,
	isRecord,
	isTimeName,
	type JsonObject,
	readDates,
	withNumbers,
} from '../client';
import { ANONYMOUS, type Headers, headersIn, recordsOf, unboxed } from './cells';
import {
	below,
	type Columns,
	columnsIn,
	commonIn,
	type FullColumns,
	into,
	isKind,
	isLabel,
	labelsOf,
	lastOf,
	type Value,
} from './columns';

/** A value of a response, and the date that it is about; `SERIES` is before names of series in its path. */
export interface Point extends Value {
	date?: string;
	unit?: DateChoice['unit'];
	/** The list that gives it its date, as one value. */
	list?: Point;
	/** Whether the last name is its own, and not that of its list or series. */
	isNamed?: boolean;
	/** Its entry, where a date has several that nothing tells apart. */
	entry?: number;
}

/** The columns by which lists were split, by the path of the list. */
export type Splits = Map<string, string[]>;

/** The surroundings in which responses are read: the workflow's time zone, and how others of the run were split. */
export interface ReadingContext {
	ownZone?: string;
	splits: Splits;
}

type Around = Omit<DateContext, 'name'> & ReadingContext & { headers: Headers };

export const SERIES = '\0';
/** The most names beside the date that become columns; more are rows of their own. */
const MAX_LABELS = 24;
const PARTS = /^(year|month|day|week|quarter)$/i;
const RANGE = /(range|period|between|window)$/i;

export const hasDate = ({ date }: Point) => date !== undefined;
/**
 * Reads the values of a response with their dates, whatever its shape: entries with a date, values by
 * date, rows of cells, lists side by side, and series of all these. Nothing of it is dropped.
 *
 * @param beside what else was sent: names of cells, years and a time zone may stand there
 */
export function pointsIn(response: unknown, reading: ReadingContext, beside?: unknown): Point[] {
	const all = { response, beside };
	return read(response, '', { ...datesNearby(all), headers: headersIn(all), ...reading });
}

/** A value for each of a list of metrics: `[{ name: 'views', value: 5 }]`; other values are left as they are. */
export function withMetrics(point: Point): Point[] {
	const { path, value: list } = point;
	if (!isListOfMetrics(list)) return [point];
	const metrics = Object.entries(metricsIn(list) ?? {});
	return metrics.map(([name, value]) => ({ ...point, path: `${path}\n${name}`, value }));
}

/** Whether each has a name and a value that is just called so: a title with its views may be anything else. */
function isListOfMetrics(list: unknown): boolean {
	if (!Array.isArray(list) || list.length === 0 || list.length > MAX_LABELS) return false;
	const isUnnamed = (one: unknown) => Object.keys(Object(one)).some((key) => ANONYMOUS.test(key));
	return list.every(isUnnamed) && metricsIn(list) !== undefined;
}

function read(value: unknown, path: string, around: Around): Point[] {
	if (isRecord(value)) return inRecord(value, path, around);
	const isTable = Array.isArray(value) && value.length > 0 && value.every(Array.isArray);
	const entries = isTable ? recordsOf(value, lastOf(path), around.headers) : value;
	const isEntry = (one: unknown): one is JsonObject => isRecord(one) && unboxed(one) === one;
	const isList = Array.isArray(entries) && entries.length > 0 && entries.every(isEntry);
	return isList ? inEntries(entries, { path, value }, around) : [{ path, value }];
}

/** Values by date, lists side by side, a year with its month, and other values. */
function inRecord(record: JsonObject, path: string, around: Around): Point[] {
	const keys = Object.keys(record);
	const column = readDates(keys, { ...around, name: 'date' });
	const isDate = (key: string, at: number) => column?.dates[at] ?? /^\d{4}-\d{2}-\d{2}/.test(key);
	const isCounted = (key: string) => Object(record[key]) === record[key] || isNumeric(record[key]);
	const days = new Set(keys.filter(isDate));
	if (![...days].some(isCounted)) days.clear();
	const date = dateOfParts(record);
	const others = keys.filter((key) => !days.has(key) && !(date && PARTS.test(key)));
	const points = others.flatMap((key) => read(record[key], into(path, key), around));
	if (date !== undefined) points.push({ path: path || '\ndate', value: date });
	const value = [...days].map((day) => {
		const inner = record[day];
		return { '.date': day, ...(isRecord(inner) ? inner : { value: inner }) };
	});
	const ofDays = days.size > 0 ? inEntries(value, { path, value }, around) : [];
	return sideBySide([...ofDays, ...points], around);
}

/** Lists of numbers as long as a list of dates, within the same record, are about these. */
function sideBySide(points: Point[], around: Around): Point[] {
	if (!points.some(({ value }) => Array.isArray(value))) return points;
	const axes = new Map<Point, DateColumn>();
	for (const point of points) {
		const { path, value, date } = point;
		if (date !== undefined || !Array.isArray(value) || RANGE.test(path)) continue;
		const column = readDates(value, { ...around, name: lastOf(path) });
		const dates = new Set(column?.dates.filter((one) => one !== undefined));
		if (column && dates.size === value.length) axes.set(point, column);
	}
	const byLength = new Map([...axes.values()].map((axis) => [axis.dates.length, axis]));
	const axisOf = (point: Point) => {
		const isOther = hasDate(point) || axes.has(point) || !areNumeric(point.value);
		return isOther ? undefined : byLength.get((point.value as unknown[]).length);
	};
	const used = new Set(points.map((point) => axisOf(point)?.dates.length));
	return points.flatMap((point): Point[] => {
		const { dates, unit } = axisOf(point) ?? {};
		if (!dates) return used.has(axes.get(point)?.dates.length ?? -1) ? [] : [point];
		const values = withNumbers(point.path, point.value as unknown[]);
		return values.map((value, at) => ({ ...point, value, date: dates[at], unit, list: point }));
	});
}

/** Entries with a date each or, where lists within them have dates of their own, series. */
function inEntries(entries: JsonObject[], list: Point, around: Around): Point[] {
	const { path } = list;
	const inner = withMetricsByName(entries).map((entry) => read(entry, path, around));
	const columns = columnsIn(
		inner.map((points) => points.map((point) => point.list ?? point)),
		around.headers,
	);
	const common = commonIn(columns, entries.length);
	const nameOf = (name: string) => name.slice(path.length + 1).replaceAll('\n', '_');
	const dates = datesAmong(common, nameOf, around);
	const isOnly = entries.length === 1;
	const isSeries = inner.some((points) => points.some(hasDate));
	const [best] = dates;
	if (best && (!isSeries || (best.isSure && !isOnly))) {
		return dated(columns, common, dates, list, around.splits);
	}
	const isBare = (point: Point) => (hasDate(point) ? !point.isNamed : areNumeric(point.value));
	const isMetrics = isListOfMetrics(list.value);
	if (isMetrics || (!isOnly && !isSeries && !inner.flat().some(isBare))) return [list];
	const names = [...common].filter(([name]) => !isOnly || isLabel(name));
	const told = labelsOf(new Map(names), new Array(entries.length).fill(''));
	return inner.flatMap((points, at) => {
		const label = SERIES + (told?.labels[at] ?? String(at + 1));
		// Beside the name of a metric, that of its only list says nothing.
		const lists = new Set(points.filter(isBare).map((point) => point.path));
		const isMetric = lists.size === 1 && told?.paths.some(isLabel);
		return points.map((point) => {
			if (isMetric && isBare(point)) return { ...point, path: `${path}\n${label}` };
			return isOnly ? point : { ...point, path: below(point.path, path, label) };
		});
	});
}

/** Entries in which a list of metrics, each with its name and its value, is an object: `{ views: 5, calls: 1 }`. */
function withMetricsByName(entries: JsonObject[]): JsonObject[] {
	const isListed = (entry: JsonObject) => (name: string) => Array.isArray(entry[name]);
	const lists = new Set(entries.flatMap((entry) => Object.keys(entry).filter(isListed(entry))));
	const named = [...lists].flatMap((list) => {
		const metrics = entries.map((entry) => metricsIn(entry[list] ?? []));
		const names = new Set(metrics.flatMap((one) => Object.keys(one ?? {})));
		return names.size > MAX_LABELS || metrics.includes(undefined) ? [] : [{ list, metrics }];
	});
	if (named.length === 0) return entries;
	return entries.map((entry, at) => ({
		...entry,
		...Object.fromEntries(named.map(({ list, metrics }) => [list, metrics[at]])),
	}));
}

/** The values of a list of metrics by their names; undefined for another list. */
function metricsIn(list: unknown): JsonObject | undefined {
	if (!Array.isArray(list)) return undefined;
	const pairs = list.map((one): [string, unknown] | undefined => {
		const members = isRecord(one) ? Object.entries(one) : [];
		const texts = members.filter(([, value]) => typeof value === 'string');
		const label = texts.find(([name]) => isLabel(name)) ?? texts.find(([name]) => isKind(name));
		const [value, ...others] = members.filter((member) => member !== label);
		const isMetric = label && others.length === 0 && (value?.[1] === null || isNumeric(value?.[1]));
		return isMetric ? [String(label[1]), value[1]] : undefined;
	});
	const metrics = pairs.filter((pair) => pair !== undefined);
	const byName = Object.fromEntries(metrics);
	return Object.keys(byName).length === list.length ? byName : undefined;
}

/**
 * The values of entries with their dates. Where a date comes several times, or each entry is about one of
 * several metrics, a few names that tell entries apart become a part of the path.
 */
function dated(
	columns: Columns,
	common: FullColumns,
	dates: DateChoice[],
	list: Point,
	splits: Splits,
): Point[] {
	const [{ dates: days, unit, name }, ...others] = dates;
	for (const date of dates) common.delete(date.name);
	const known = days.filter((day) => day !== undefined);
	const isRepeated = new Set(known).size < known.length;
	const isCounted = [...common.values()].some((values) => values.some(isNumeric));
	const isUnnamed = common.get(list.path)?.some(isNumeric);
	common.delete(list.path);
	const { labels, paths = [] } = isCounted
		? (splitOf(common, days, list.path, { isRepeated, isUnnamed, splits }) ?? {})
		: {};
	const dropped = new Set(paths);
	// Numbers of a column that is not called a time count something.
	const ofOthers = new Map(
		others.filter(({ name }) => isTimeName(lastOf(name))).map((date) => [date.name, date.dates]),
	);
	return [...columns].flatMap(([path, column]) => {
		const isNamed = path !== list.path;
		return withNumbers(path, column.values).flatMap((own, nth): Point | Point[] => {
			const at = column.at[nth];
			const date = days[at];
			const value = typeof own === 'number' ? (ofOthers.get(path)?.[at] ?? own) : own;
			if (date === undefined) return { path: below(path, list.path, SERIES), value };
			const entry = isRepeated && !labels ? at : undefined;
			// Also a day without values is a row.
			if (path === name)
				return { path: list.path, value: undefined, date, unit, list, isNamed, entry };
			if (dropped.has(path)) return [];
			const its = labels ? below(path, list.path, SERIES + labels[at]) : path;
			return { path: its, value, date, unit, list, isNamed, entry };
		});
	});
}

/**
 * Finds the texts that tell entries apart, where a date repeats or each is about one of several metrics. A list that was
 * split for one location is split for all, also where no date repeats: all have the same columns.
 */
function splitOf(
	common: FullColumns,
	days: unknown[],
	path: string,
	{ isRepeated, isUnnamed, splits }: { isRepeated: boolean; isUnnamed?: boolean; splits: Splits },
) {
	const names = [...common.keys()];
	const kind = names.find(isKind);
	const known = splits.get(path);
	const own = () => {
		if (isRepeated || (isUnnamed && names.some(isLabel))) return labelsOf(common, days);
		return isUnnamed && kind !== undefined ? labelsOf(common, days, [kind]) : undefined;
	};
	const told = (known && labelsOf(common, days, known)) ?? own();
	if (!told || new Set(told.labels).size > MAX_LABELS) return undefined;
	splits.set(path, told.paths);
	return told;
}
