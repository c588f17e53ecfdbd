import { isRecord } from '../client';

/** Names that only hold others, and are left out of the names of columns. */
const HOLDERS = new Set([
	...[
		'data',
		'days',
		'daily',
		'rows',
		'items',
		'values',
		'value',
		'y',
		'series',
		'totals',
		'insights',
	],
	...['timeSeries', 'datedValues', 'dailyMetricTimeSeries', 'multiDailyMetricTimeSeries'],
]);

/** Where a value stands in a response. */
export interface Place {
	/** The names of the members around it, from the outside. */
	names: string[];
	/** The same, with the labels of the series that it belongs to. */
	whole: string[];
	/** Those that name its column. */
	short: string[];
}

/** A value, and its place. */
export interface Cell {
	place: Place;
	value: unknown;
	/** True for a list, whose value is its JSON. */
	isList?: boolean;
}

export const ROOT: Place = { names: [], whole: ['data'], short: [] };

/** The place of a member. */
export function within({ names, whole, short }: Place, name: string): Place {
	return {
		names: [...names, name],
		whole: [...whole, name],
		short: HOLDERS.has(name) ? short : [...short, name],
	};
}

/** The place of what belongs to a series. */
export function labelled({ names, whole, short }: Place, label: string): Place {
	return { names, whole: [...whole, label], short: [...short, label] };
}

/**
 * The values in a member, each with its place. A list is one value, as JSON, and an empty one is none.
 *
 * @param omitted the path of a value that is left out
 */
export function cellsIn(value: unknown, place: Place, omitted?: string[]): Cell[] {
	if (omitted?.length === 0) return [];
	const [name, ...rest] = omitted ?? [];
	if (Array.isArray(value)) {
		const kept = value.filter((_, at) => rest.length > 0 || String(at) !== name);
		return kept.length > 0 ? [{ place, value: JSON.stringify(kept), isList: true }] : [];
	}
	if (!isRecord(value)) return [{ place, value }];
	return Object.entries(value).flatMap(([key, inner]) =>
		cellsIn(inner, within(place, key), key === name ? rest : undefined),
	);
}

/** Identifies a place. */
export const keyOf = ({ whole }: Place): string => JSON.stringify(whole);

/**
 * The names of columns, by the keys of their places: as short as possible; where two would be called the
 * same, or like one of the taken names, their whole paths.
 */
export function columnsOf(places: Place[], taken: string[]): Map<string, string> {
	const forms = new Map(
		places.map((place) => {
			const { short, whole } = place;
			const plain = short.length > 0 ? short : whole.slice(-1);
			return [keyOf(place), [plain.join('_'), whole.join('_'), keyOf(place)]];
		}),
	);
	for (let isDone = false; !isDone; ) {
		const names = [...taken, ...[...forms.values()].map(([name]) => name)];
		const counts = new Map<string, number>();
		for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
		const alike = [...forms.values()].filter(
			([name, ...more]) => more.length > 0 && counts.get(name)! > 1,
		);
		for (const form of alike) form.shift();
		isDone = alike.length === 0;
	}
	return new Map([...forms].map(([key, [name]]) => [key, name]));
}
