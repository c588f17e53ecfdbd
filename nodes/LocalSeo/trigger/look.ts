import type { IDataObject } from 'n8n-workflow';

import { idOf, isRecord } from '../client/envelope';
import { readRecords } from '../client/list';
import type { ApiRequest, Host } from '../client/request';
import { sideBySide } from '../client/sideBySide';
import type { Event } from './event';
import { signsOf } from './location';
import { addNames, differenceOf, digest, marksOf } from './marks';
import { type Scan, scansSince } from './scans';
import type { LocationMemory, State } from './state';
import type { Watch } from './watch';

/** Every so many polls all watched locations are looked at, whatever their signs say. */
const FULL_LOOK = 12;
/** Keywords of a location whose scans are asked for side by side. */
const KEYWORDS_AT_ONCE = 8;
/** Characters of a scan's digest: among the scans of one location they do not meet. */
const SEEN = 4;

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
		return (await readRecords(host, request, watch.paging)).filter(isRecord);
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
	if (task.keywords) events.push(...keywordEvents(watch, memory, location, keywords));
	if (task.scans) events.push(...scanEvents(watch, memory, location, keywords, scans));
	if (task.posts) events.push(...postEvents(watch, state, memory, location, posts));
	const isFull = task.keywords === watch.watchesKeywords && task.scans === watch.watchesScans;
	if (isFull) memory.lookedAt = state.polls;
	return events;
}

function keywordEvents(
	watch: Watch,
	memory: LocationMemory,
	location: IDataObject,
	keywords: IDataObject[],
): Event[] {
	const known = memory.keywords;
	memory.keywords = new Map(keywords.map((record) => [idOf(record) ?? '', textOf(record)]));
	memory.keywordsCount = signsOf(location).keywordsCount;
	if (!known) return [];
	const now = memory.keywords;
	const common = { before: null, changed: [], location };
	const added = keywords
		.filter((record) => !known.has(idOf(record) ?? ''))
		.map((record): Event => ({ event: 'keywordAdded', record, ...common }));
	const removed = [...known]
		.filter(([id]) => !now.has(id))
		.map(([id, keyword]): Event => {
			const record = { id, location_id: location.id, ...(keyword ? { keyword } : {}) };
			return { event: 'keywordRemoved', record, ...common, before: record };
		});
	return [...added, ...removed].filter(({ event }) => watch.events.has(event));
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
	// Scans may come late, so the moment is the last but one; what is later is remembered one by one.
	const all = scans.flat();
	const { lastScanAt } = signsOf(location);
	if (lastScanAt !== memory.lastScanAt) {
		// No later than what was really seen: a clock that was ahead once would hide all that follows.
		const latest = all.reduce((time, { at }) => Math.max(time, at), 0);
		const earlier = Math.min(Date.parse(String(memory.lastScanAt)) || 0, latest);
		memory.scansAfter = Math.max(memory.scansAfter, earlier);
		memory.lastScanAt = lastScanAt;
	}
	const later = all.filter(({ at }) => at > memory.scansAfter);
	memory.scansSeen = later.map(({ record }) => markOf(record)).join('');
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
	const names = watch.events.has('postChanged') ? state.postFields : [];
	memory.posts = new Map(posts.map((record) => [idOf(record) ?? '', marksOf(record, names)]));
	if (!known) return [];
	return posts
		.map((record): Event => {
			const marks = known.get(idOf(record) ?? '');
			if (!marks) return { event: 'postAdded', record, before: null, changed: [], location };
			const difference = differenceOf(record, names, marks);
			return { event: 'postChanged', record, ...difference, location };
		})
		.filter(({ event, changed }) => event === 'postAdded' || changed.length > 0)
		.filter(({ event }) => watch.events.has(event));
}
