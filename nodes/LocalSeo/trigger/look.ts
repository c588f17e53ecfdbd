import type { IDataObject } from 'n8n-workflow';

import { createdAt, idOf, isIdentified } from '../client/envelope';
import { readRecords } from '../client/list';
import type { ApiRequest, Host } from '../client/request';
import { sideBySide } from '../client/sideBySide';
import type { Event } from './event';
import { signsOf } from './location';
import { addNames, differenceOf, digest, type Fields, type Mark, marksOf } from './marks';
import { type Scan, scansSince } from './scans';
import type { LocationMemory, State } from './state';
import type { Watch } from './watch';

/** Every so many polls all watched locations are looked at, whatever their signs say. */
const FULL_LOOK = 12;
/** Keywords of a location whose scans are asked for side by side. */
const KEYWORDS_AT_ONCE = 8;
/** Characters of a scan's digest: among the scans of one location they do not meet. */
const SEEN = 4;

/** Scans that were seen and are not listed: a list may be short for once. */
const MOST_MISSING = 500;
/** Begins the ID of a post that the look before did not find, for the same reason. */
const LOST = '!';
const NO_FIELDS: Fields = { names: [], late: [] };

/** A request for what belongs to a location or a keyword. */
export type RequestFor = (template: string, id: string, noun: string) => ApiRequest;

interface Task {
	keywords: boolean;
	scans: boolean;
	posts: boolean;
}

/** What is to be asked for at a location; undefined: nothing. */
export function taskFor(
	watch: Watch,
	state: State,
	memory: LocationMemory,
	location: IDataObject,
): Task | undefined {
	const { lastScanAt, keywordsCount } = signsOf(location);
	const isDue = memory.lookedAt < state.polls - (state.polls % FULL_LOOK);
	const isCounted = memory.keywords !== undefined && keywordsCount === memory.keywordsCount;
	const task = {
		keywords: watch.watchesKeywords && (isDue || !isCounted),
		scans: watch.watchesScans && (isDue || lastScanAt !== memory.lastScanAt),
		posts: watch.watchesPosts,
	};
	return task.keywords || task.scans || task.posts ? task : undefined;
}

/** Looks at what belongs to a location, and brings its memory up to date. */
export async function look(
	host: Host,
	watch: Watch,
	state: State,
	memory: LocationMemory,
	location: IDataObject,
	task: Task,
	requestFor: RequestFor,
): Promise<Event[]> {
	const id = idOf(location) ?? '';
	const read = async (part: string, noun: string) => {
		const request = requestFor(`/locations/{locationId}/${part}`, id, noun);
		return (await readRecords(host, request, watch.paging)).filter(isIdentified);
	};
	const keywords = task.keywords || task.scans ? await read('keywords', 'keyword') : [];
	const scans = task.scans
		? await sideBySide(
				keywords.map((keyword) => async () => {
					const template = '/keywords/{keywordId}/scans';
					const request = requestFor(template, idOf(keyword) ?? '', 'rank scan');
					return await scansSince(host, request, watch.paging, memory.scansAfter);
				}),
				KEYWORDS_AT_ONCE,
			)
		: [];
	const posts = task.posts ? await read('posts', 'content post') : [];

	// From here on nothing can fail, so a memory is never half up to date.
	const events: Event[] = [];
	if (task.keywords) events.push(...keywordEvents(watch, state, memory, location, keywords));
	if (task.scans) events.push(...scanEvents(watch, memory, location, keywords, scans));
	if (task.posts) events.push(...postEvents(watch, state, memory, location, posts));
	const isFull = task.keywords === watch.watchesKeywords && task.scans === watch.watchesScans;
	if (isFull) memory.lookedAt = state.polls;
	return events;
}

function keywordEvents(
	watch: Watch,
	state: State,
	memory: LocationMemory,
	location: IDataObject,
	keywords: IDataObject[],
): Event[] {
	const known = memory.keywords;
	const now = new Map(keywords.map((record) => [idOf(record) ?? '', textOf(record)]));
	const { keywordsCount } = signsOf(location);
	const gone = [...(known ?? [])].filter(([id]) => !now.has(id));
	if (gone.length > 0 && isTooShort(now.size, keywordsCount, memory.keywordsCount)) return [];
	memory.keywords = now;
	memory.keywordsCount = keywordsCount;

	const common = { before: null, changed: [], location };
	const added = keywords
		.filter((record) => isNew(state, record, known))
		.map((record): Event => ({ event: 'keywordAdded', record, ...common }));
	const removed = gone.map(([id, keyword]): Event => {
		const record = { id, location_id: location.id, ...(keyword ? { keyword } : {}) };
		return { event: 'keywordRemoved', record, ...common, before: record };
	});
	return [...added, ...removed].filter(({ event }) => watch.events.has(event));
}

/** A list that lacks keywords although their count has not gone down is not believed. */
function isTooShort(size: number, count: Mark, before: Mark): boolean {
	return (
		typeof count === 'number' && size < count && !(typeof before === 'number' && count < before)
	);
}

/**
 * Where nothing is known yet, because the first poll ran out of time before it came here, a record
 * is new that was created since.
 */
function isNew(state: State, record: IDataObject, known?: Map<string, unknown>): boolean {
	const id = idOf(record) ?? '';
	if (known) return !known.has(id) && !known.has(LOST + id);
	return (createdAt(record) ?? 0) > state.since;
}

/** The name of a keyword's text is an assumption; a line of the state holds no tabs. */
function textOf({ keyword }: IDataObject): string {
	return typeof keyword === 'string' ? keyword.replace(/\s+/g, ' ') : '';
}

function scanEvents(
	watch: Watch,
	memory: LocationMemory,
	location: IDataObject,
	keywords: IDataObject[],
	scans: Scan[][],
): Event[] {
	const found: Array<{ at: number; event: Event }> = [];
	const seen = new Set(memory.scansSeen.match(new RegExp(`.{${SEEN}}`, 'gs')));
	keywords.forEach((keyword, index) => {
		scans[index].forEach(({ record, at }, place) => {
			if (at <= memory.scansAfter || seen.has(markOf(record))) return;
			const before = scans[index].slice(place + 1).find((scan) => scan.at < at)?.record ?? null;
			const changed = before ? differingFields(record, before) : [];
			const isSame = before !== null && !changed.includes('position');
			if (watch.onlyPositionChanges && isSame && 'position' in record) return;
			const event = 'rankScanCompleted';
			found.push({ at, event: { event, record, before, changed, location, keyword } });
		});
	});
	// Scans may come late, so the moment is that of the look before; what is later is remembered one
	// by one. It goes by what was really seen: a clock that was ahead once would hide all that follows.
	const all = scans.flat().map(({ record, at }) => ({ mark: markOf(record), at }));
	const earlier = all.filter(({ mark }) => seen.has(mark));
	memory.scansAfter = earlier.reduce((time, { at }) => Math.max(time, at), memory.scansAfter);
	const later = all.filter(({ at }) => at > memory.scansAfter).map(({ mark }) => mark);
	const listed = new Set(all.map(({ mark }) => mark));
	const missing = [...seen].filter((mark) => !listed.has(mark)).slice(-MOST_MISSING);
	memory.scansSeen = [...missing, ...later].join('');
	memory.lastScanAt = signsOf(location).lastScanAt;
	return found.sort((a, b) => a.at - b.at).map(({ event }) => event);
}

function markOf(scan: IDataObject): string {
	return digest(idOf(scan) ?? JSON.stringify(scan), SEEN);
}

/** Each scan has an ID and a time of its own. */
function differingFields(record: IDataObject, before: IDataObject): string[] {
	return Object.keys(record).filter(
		(name) =>
			!/^id$|_at$/.test(name) && JSON.stringify(record[name]) !== JSON.stringify(before[name]),
	);
}

function postEvents(
	watch: Watch,
	state: State,
	memory: LocationMemory,
	location: IDataObject,
	posts: IDataObject[],
): Event[] {
	const known = memory.posts;
	addNames(state.postFields, posts);
	const fields = watch.events.has('postChanged') ? state.postFields : NO_FIELDS;
	memory.posts = new Map(posts.map((record) => [idOf(record) ?? '', marksOf(record, fields)]));
	for (const [id, marks] of known ?? []) {
		if (!id.startsWith(LOST) && !memory.posts.has(id)) memory.posts.set(LOST + id, marks);
	}
	return posts
		.map((record): Event => {
			const id = idOf(record) ?? '';
			const marks = known?.get(id) ?? known?.get(LOST + id);
			if (!marks) return { event: 'postAdded', record, before: null, changed: [], location };
			const difference = differenceOf(record, fields, marks);
			return { event: 'postChanged', record, ...difference, location };
		})
		.filter(({ event, record, changed }) =>
			event === 'postAdded' ? isNew(state, record, known) : changed.length > 0,
		)
		.filter(({ event }) => watch.events.has(event));
}
