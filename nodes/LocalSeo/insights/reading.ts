import get from 'lodash/get';
import last from 'lodash/last';

import { isRecord, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import { type Cell, cellAt, cellsIn, type ValuePath } from './columns';
import { dateIn, datePaths, type Days, isInList } from './days';

/** A part with a date: an entry of a list, the member that is called by one, or a place in lists side by side. */
export interface DatedPart {
	date: string;
	/** The place of the list. */
	place: ValuePath;
	cells: Cell[];
}

/** A response, taken apart: what has a date, and everything else. */
export interface Parts {
	entries: DatedPart[];
	around: Cell[];
}

/**
 * Takes a response apart by its shape alone: no value, number of entries or other response changes how it
 * is read. A list of one entry without a date is that entry.
 *
 * @throws InputError for series that can't be told apart
 */
export function readResponse(data: unknown, days: Days): Parts {
	const only: unknown = Array.isArray(data) && data.length === 1 ? data[0] : undefined;
	return tableIn(data, [], days) ?? read(only ?? data, [], days);
}

function read(value: unknown, place: ValuePath, days: Days): Parts {
	if (isRecord(value)) return readObject(value, place, days);
	return tableIn(value, place, days) ?? { entries: [], around: cellsIn(value, place) };
}

/** A list whose entries have dates, or are series of such; undefined for anything else. */
function tableIn(list: unknown, place: ValuePath, days: Days): Parts | undefined {
	if (!Array.isArray(list) || list.length === 0 || !list.every(isRecord)) return undefined;
	const paths = datePaths(days);
	const objects = Object.keys(list[0]).filter((name) => isRecord(list[0][name]));
	const inner = objects.flatMap((name) => paths.map((path) => [name, ...path]));
	return (
		datedEntries(list, place, paths, days) ??
		seriesIn(list, place, days) ??
		datedEntries(list, place, inner, days)
	);
}

/** Entries that all have a date at the same path. */
function datedEntries(list: JsonObject[], place: ValuePath, paths: string[][], days: Days) {
	if (!isListed(place, days)) return undefined;
	for (const path of paths) {
		const dateOf = (entry: JsonObject) => dateIn(get(entry, path), last(path)!, days);
		const dates = dateOf(list[0]) === undefined ? [] : list.flatMap((one) => dateOf(one) ?? []);
		if (dates.length < list.length) continue;
		const entries = list.map((entry, at): DatedPart => {
			return { date: dates[at], place, cells: cellsIn(entry, place, path) };
		});
		return { entries, around: [] };
	}
	return undefined;
}

function isListed(place: ValuePath, days: Days): boolean {
	const names = place.flatMap(({ name, isLabel }) => (isLabel ? [] : name));
	return isInList(names, days);
}

/**
 * Entries of which some hold a table; in the others it may be empty. The first member that is a text in
 * all of them stands before their columns.
 */
function seriesIn(list: JsonObject[], place: ValuePath, days: Days): Parts | undefined {
	const isLabel = (value: unknown, name: string) =>
		typeof value === 'string' && value.trim() !== '' && dateIn(value, name, days) === undefined;
	const label = Object.keys(list[0]).find((name) => list.every((one) => isLabel(one[name], name)));
	const labels = list.map((one) => (label === undefined ? '' : (one[label] as string)));
	const readings = list.map((one, at) => {
		const own = label === undefined ? [] : [{ name: labels[at], isLabel: true }];
		return readObject(one, [...place, ...own], days);
	});
	if (readings.every(({ entries }) => entries.length === 0)) return undefined;
	const twice = labels.find((one, at) => labels.indexOf(one) < at);
	if (twice === undefined) return joined(readings);
	const why = label === undefined ? 'they have no name' : `several are called ${asValue(twice)}`;
	throw new InputError(
		`These insights have ${list.length} series that can't be told apart: ${why}`,
		"Set 'Output' to Raw, and make rows of them with n8n's Edit Fields.",
	);
}

const joined = (readings: Parts[]): Parts => ({
	entries: readings.flatMap(({ entries }) => entries),
	around: readings.flatMap(({ around }) => around),
});

/** Members that are called by their dates, lists side by side, and all others as they are. */
function readObject(object: JsonObject, place: ValuePath, days: Days): Parts {
	const isCalledByDate = (name: string) => days.date === '' && dateIn(name, '', days) !== undefined;
	const isIncluded = isListed(place, days);
	const dated = isIncluded ? Object.keys(object).filter(isCalledByDate) : [];
	const beside = isIncluded ? listsSideBySide(object, days) : undefined;
	const { dates, numbers } = beside ?? { dates: [], numbers: [] };
	const entries = [
		...dated.map((name): DatedPart => {
			return { date: dateIn(name, '', days)!, place, cells: cellsIn(object[name], place) };
		}),
		...dates.map((date, at): DatedPart => {
			const cells = numbers.map(([name, list]) => cellAt([...place, { name }], list[at]));
			return { date, place, cells };
		}),
	];
	const used = new Set([...dated, ...(beside?.names ?? [])]);
	const rest = Object.keys(object).filter((name) => !used.has(name));
	const others = rest.map((name) => read(object[name], [...place, { name }], days));
	return joined([{ entries, around: [] }, ...others]);
}

/** A number, or a text that is one: services write either. */
function isNumeric(value: unknown): boolean {
	const isText = typeof value === 'string' && value.trim() !== '';
	return typeof value === 'number' || (isText && Number.isFinite(Number(value)));
}

/** A list of dates, and the lists of numbers beside it that are as long; several lists of dates are none. */
function listsSideBySide(object: JsonObject, days: Days) {
	const lists = Object.entries(object).filter((one): one is [string, unknown[]] => {
		return Array.isArray(one[1]) && one[1].length > 0;
	});
	const ofDates = lists.flatMap(([name, list]) => {
		const mayBe = days.date === '' || days.date === name;
		const dates = mayBe ? list.flatMap((one) => dateIn(one, name, days) ?? []) : [];
		return dates.length === list.length ? [{ name, dates }] : [];
	});
	if (ofDates.length !== 1) return undefined;
	const [{ name: dateName, dates }] = ofDates;
	const isNumber = (one: unknown) => one === null || isNumeric(one);
	const numbers = lists.filter(([name, list]) => {
		return name !== dateName && list.length === dates.length && list.every(isNumber);
	});
	if (numbers.length === 0) return undefined;
	return { dates, numbers, names: [dateName, ...numbers.map(([name]) => name)] };
}
