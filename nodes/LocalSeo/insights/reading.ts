import { get, last } from 'lodash';

import { isRecord, type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import { type Cell, cellsIn, labelled, type Place, ROOT, within } from './columns';
import type { Days } from './days';

/** What has a date: an entry of a list, the member that is called by one, or a place in lists side by side. */
export interface Entry {
	date: string;
	/** The place of the list. */
	place: Place;
	cells: Cell[];
}

/** A response, taken apart: what has a date, and everything else. */
export interface Reading {
	entries: Entry[];
	around: Cell[];
}

/**
 * Takes a response apart by its shape alone: no value, number of entries or other response changes how it
 * is read.
 *
 * @throws InputError for series that can't be told apart
 */
export function readResponse(data: unknown, days: Days): Reading {
	const [only, ...more] = Array.isArray(data) ? (data as unknown[]) : [data];
	const table = Array.isArray(data) ? tableIn(data, ROOT, days) : undefined;
	return table ?? read(more.length > 0 ? data : only, ROOT, days);
}

function read(value: unknown, place: Place, days: Days): Reading {
	if (isRecord(value)) return readObject(value, place, days);
	const table = Array.isArray(value) ? tableIn(value, place, days) : undefined;
	return table ?? { entries: [], around: cellsIn(value, place) };
}

/** A list whose entries have dates, or are series of such; undefined for any other. */
function tableIn(list: unknown[], place: Place, days: Days): Reading | undefined {
	if (list.length === 0 || !list.every(isRecord)) return undefined;
	const objects = Object.keys(list[0]).filter((name) => isRecord(list[0][name]));
	const inner = objects.flatMap((name) => days.paths.map((path) => [name, ...path]));
	return (
		datedEntries(list, place, days.paths, days) ??
		seriesIn(list, place, days) ??
		datedEntries(list, place, inner, days)
	);
}

/** Entries that all have a date at the same path. */
function datedEntries(
	list: JsonObject[],
	place: Place,
	paths: string[][],
	days: Days,
): Reading | undefined {
	if (!days.includes(place.names)) return undefined;
	const dateAt = (entry: JsonObject, path: string[]) => days.read(get(entry, path), last(path)!);
	const found = paths.find((path) => list.every((entry) => dateAt(entry, path) !== undefined));
	if (!found) return undefined;
	const entries = list.map((entry) => ({
		date: dateAt(entry, found)!,
		place,
		cells: cellsIn(entry, place, found),
	}));
	return { entries, around: [] };
}

/**
 * Entries that hold a table each, or one that is empty: the first member that is a text in all of them
 * stands before their columns.
 */
function seriesIn(list: JsonObject[], place: Place, days: Days): Reading | undefined {
	const isLabel = (value: unknown, name: string) =>
		typeof value === 'string' && value.trim() !== '' && days.read(value, name) === undefined;
	const label = Object.keys(list[0]).find((name) => list.every((one) => isLabel(one[name], name)));
	const labels = list.map((one) => (label === undefined ? '' : (one[label] as string)));
	const readings = list.map((one, at) =>
		readObject(one, label === undefined ? place : labelled(place, labels[at]), days),
	);
	if (readings.every(({ entries }) => entries.length === 0)) return undefined;
	const twice = labels.find((one, at) => labels.indexOf(one) < at);
	if (twice === undefined) return joined(readings);
	throw new InputError(
		`These insights have ${list.length} series that can't be told apart: ${label === undefined ? 'they have no name' : `several are called ${asValue(twice)}`}`,
		"Set 'Output' to Raw, and make rows of them with n8n's Edit Fields.",
	);
}

const joined = (readings: Reading[]): Reading => ({
	entries: readings.flatMap(({ entries }) => entries),
	around: readings.flatMap(({ around }) => around),
});

/** Members that are called by their dates, lists side by side, and all others as they are. */
function readObject(object: JsonObject, place: Place, days: Days): Reading {
	const names = Object.keys(object);
	const isIncluded = days.includes(place.names);
	const dated = names.flatMap((name) => {
		const date = isIncluded && days.mayBeNames ? days.read(name, '') : undefined;
		return date === undefined ? [] : { name, date, place, cells: cellsIn(object[name], place) };
	});
	const beside = isIncluded ? sideBySide(object, place, days) : undefined;
	const used = new Set([...dated.map(({ name }) => name), ...(beside?.names ?? [])]);
	const rest = names.filter((name) => !used.has(name));
	return joined([
		{ entries: [...dated, ...(beside?.entries ?? [])], around: [] },
		...rest.map((name) => read(object[name], within(place, name), days)),
	]);
}

/** A list of dates beside lists of numbers of the same length; several lists of dates are none. */
function sideBySide(object: JsonObject, place: Place, days: Days) {
	const lists = Object.entries(object).filter((one): one is [string, unknown[]] => {
		return Array.isArray(one[1]) && one[1].length > 0;
	});
	const mayBe = (name: string) => days.mayBeNames || days.paths.some(([one]) => one === name);
	const ofDates = lists.filter(
		([name, list]) => mayBe(name) && list.every((one) => days.read(one, '') !== undefined),
	);
	const [[dateName, dates] = ['', []], ...more] = ofDates;
	const isNumber = (one: unknown) => one === null || typeof one === 'number';
	const numbers = lists.filter(
		([name, list]) => name !== dateName && list.length === dates.length && list.every(isNumber),
	);
	if (more.length > 0 || numbers.length === 0) return undefined;
	const entries = dates.map((date, at) => ({
		date: days.read(date, '')!,
		place,
		cells: numbers.map(([name, list]) => ({ place: within(place, name), value: list[at] })),
	}));
	return { names: [dateName, ...numbers.map(([name]) => name)], entries };
}
