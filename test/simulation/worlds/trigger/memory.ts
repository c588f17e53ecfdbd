import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import { EVENTS, namesOf, type Of, type Seen } from './events';
import type { Scans } from './knownScans';

/** A record that was listed; `isMissing` since the last list lacked it. */
export interface Entry extends Seen {
	isMissing?: boolean;
	scans?: Scans;
	/** True if the scans of a keyword have to be read. */
	isDue?: boolean;
}
export type List = Map<unknown, Entry>;

export interface OfLocation {
	self?: Seen;
	/** By event, the score that the next one is compared with. */
	scores: Record<string, number>;
	learns: string[];
	keywords?: List;
	posts?: List;
	/** The time of the newest scan (s), 0: there was none; absent: its scans have to be learned. */
	newest?: number;
	/** The same, if all those were over that may have been. */
	mayBeNewest: number;
	/** What the location showed when its lists were read. */
	count?: unknown;
	lastScan?: unknown;
	/** The poll up to which its fields alone say what is read. */
	untilPoll?: number;
	isJudged?: boolean;
}

/** A trigger has to remember this: records as they were, where it keeps hashes. */
export interface Memory {
	events: string[];
	learns: string[];
	polls: number;
	/** All fields that locations have shown. */
	names: Set<string>;
	listing?: List;
	locations: Map<unknown, OfLocation>;
}

/** A record as it was and as it is; absent: it was not there, or is not any more. */
export type Pair = [was: Entry | undefined, is: Entry | undefined];

export const has = (chosen: string[], ...lists: Of[]) =>
	lists.flatMap(namesOf).some((name) => chosen.includes(name));

/** The memory for the events that are chosen now: one that was added learns, and the others go on. */
export function adapted(known: Memory | undefined, events: string[]): Memory {
	if (!known) return { events, learns: [], polls: 0, names: new Set(), locations: new Map() };
	const memory = structuredClone(known);
	const added = events.filter((name) => !memory.events.includes(name));
	const learns = (before: string[]) =>
		events.filter((name) => [...before, ...added].includes(name));
	for (const one of memory.locations.values()) {
		one.learns = learns(one.learns);
		for (const name of added.filter((event) => EVENTS[event].distance)) delete one.scores[name];
		if (!has(events, 'posts')) delete one.posts;
		if (!has(events, 'keywords', 'scans')) delete one.keywords;
		if (has(events, 'scans') && !has(added, 'scans')) continue;
		Object.assign(one, { newest: undefined, mayBeNewest: 0, lastScan: undefined });
		for (const keyword of one.keywords?.values() ?? []) {
			delete keyword.scans;
			delete keyword.isDue;
		}
	}
	return { ...memory, events, learns: learns(memory.learns) };
}

export function forget(one: OfLocation, list: Of): void {
	one.learns = one.learns.filter((name) => !namesOf(list).includes(name));
}

/** Fields that say nothing about a change. */
const CONSTANT = ['id', 'location_id', 'created_at'];
export const namesIn = (records: JsonObject[]) =>
	records.flatMap((record) => Object.keys(record)).filter((name) => !CONSTANT.includes(name));

/** The records of a list before and now, those that are gone (missing twice), and what to remember of it. */
export function differenceOf(known: List = new Map(), records: JsonObject[]) {
	const before = [...known.values()].flatMap(({ names }) => [...names]);
	const names = new Set([...before, ...namesIn(records)]);
	const list: List = new Map(
		records.map((record) => {
			const { scans, isDue } = known.get(record.id) ?? {};
			return [record.id, { record, names, scans, isDue }];
		}),
	);
	const absent = [...known.values()].filter(({ record }) => !list.has(record.id));
	for (const entry of absent.filter((one) => !one.isMissing)) {
		list.set(entry.record.id, { ...entry, isMissing: true });
	}
	const gone = absent.filter(({ isMissing }) => isMissing);
	const listed = records.map((record): Pair => [known.get(record.id), list.get(record.id)]);
	return { pairs: [...listed, ...gone.map((entry): Pair => [entry, undefined])], gone, list };
}
