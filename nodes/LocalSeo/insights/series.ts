import get from 'lodash/get';

import { isRecord } from '../client';
import { asValue, listed } from '../text/words';
import { type Cell, cellAt, type ValuePath } from './columns';
import { readDate } from './dates';
import { type Days, seriesPathIn } from './days';
import type { Parts } from './parts';

/** How many names a message lists. */
const MAX_LISTED = 8;

/** The names of series, and where they stand; absent for a single one without a name. */
interface SeriesNames {
	path?: string[];
	labels: string[];
	/** Why it is not certain what they are called. */
	why?: string;
}

/** The names of the series of a list: by the option Series Name, or the one member that is a text in each. */
export function seriesNames(list: unknown[], days: Days): SeriesNames {
	const all = isRecord(list[0]) ? Object.keys(list[0]) : [];
	const names = all.filter((name) => !OF_LOCATION.includes(name));
	const texts = names.filter((name) =>
		list.every((entry) => isRecord(entry) && isText(entry[name])),
	);
	const path = seriesPathIn(list, days) ?? (texts.length === 1 ? texts : undefined);
	if (path) return labelsAt(list, path);
	if (texts.length > 1) {
		return { labels: [], why: `${listed(texts, MAX_LISTED)} are a text in each of them` };
	}
	return { labels: [], ...(list.length > 1 && { why: 'no field is a text in each of them' }) };
}

function labelsAt(list: unknown[], path: string[]): SeriesNames {
	const labels = list.flatMap((entry): string[] => {
		const value: unknown = get(entry, path);
		return typeof value === 'number' || isFilled(value) ? [String(value)] : [];
	});
	const seen = new Set<string>();
	const twice = labels.find((label) => seen.size === seen.add(label).size);
	if (labels.length < list.length) {
		return { labels, path, why: `one has no text in ${asValue(path.join('.'))}` };
	}
	return { labels, path, ...(twice && { why: `several are called ${asValue(twice)}` }) };
}

const isFilled = (value: unknown): value is string =>
	typeof value === 'string' && value.trim() !== '';

/** Each row has them: they name no series. */
const OF_LOCATION = ['location_id', 'location_name'];

/** True for a text that is neither a number nor a date. */
const isText = (value: unknown): boolean =>
	isFilled(value) && Number.isNaN(Number(value)) && readDate(value, false) === undefined;

/** The entries of a series, with its name in each place, and without the member that says it. */
export function labelled(
	{ tables, around }: Parts,
	of: ValuePath,
	label: string,
	path: string[],
): Parts {
	const placed = (place: ValuePath) => [
		...[...of, { name: label, isLabel: true }],
		...place.slice(of.length),
	];
	const moved = (cell: Cell): Cell => ({ ...cell, ...cellAt(placed(cell.place), cell.value) });
	const { key: nameKey } = cellAt([...of, ...path.map((name) => ({ name }))], label);
	return {
		tables: tables.map(({ place, entries, ...table }) => ({
			...table,
			place: placed(place),
			entries: entries.map(({ date, cells }) => ({ date, cells: cells.map(moved) })),
		})),
		around: around.filter(({ key }) => key !== nameKey).map(moved),
	};
}
