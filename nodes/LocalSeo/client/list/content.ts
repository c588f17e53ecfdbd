import { idOf, isEnvelope, isIdentified, isRecord } from '../http/records';
import type { JsonObject } from '../ports';
import { textOf } from '../textOf';
import { type Asked, both, isOfPage, type Meta, readMeta } from './meta';

/** A page of a list, or a record, as a body has it. */
export interface Content {
	records: unknown[];
	meta: Meta;
	/** True for a list, which has pages; false for a single record. */
	isList: boolean;
	/** True if the page states a total and has no list of records. */
	hasLostRecords?: boolean;
	/** The members of the body beside `data`. */
	beside?: JsonObject;
	/** The object that holds the list among values of its own, and the list's name in it. */
	within?: { key: string; object: JsonObject };
}

/** Some services omit an empty list. */
const AROUND = ['meta', 'links'];
/** Members that say how a request went, or what the response is; Hydra's say both. */
const ABOUT = /^(msg|message|ok|etag|version|time(stamp)?|request_?id|view|search)$|^hydra:/i;
/** Members in which a service has something to say, beside a list of records or in its place. */
const NOTES = /^(messages|errors?|warnings|notices|details?|violations)$/i;
/** Of these, the value tells whether all is well, or whether it is a list. */
const CODE = [/^(status_?)?code$/i, /^(0|2\d\d|ok|success)$/i];
const KIND = [/^(kind|object|type)$/i, /list|collection/i];
const WHOLE_NUMBER = /^\d+$/;

/** The records under `data`, or bare; undefined if the body is neither a list nor a record. */
export function recordsIn(body: unknown, asked: Asked): Content | undefined {
	const { data, ...beside } = isEnvelope(body) ? body : { data: body };
	const meta = readMeta(body, asked);
	if (Array.isArray(data)) return { records: data as unknown[], isList: true, meta, beside };
	const isBlank = typeof data === 'string' && data.trim() === '';
	const isNothing = isRecord(data) && Object.keys(data).every((name) => AROUND.includes(name));
	if (isBlank || isNothing || data === null || data === undefined) {
		return { records: [], isList: true, meta, hasLostRecords: (meta.total ?? 0) > 0 };
	}
	if (!isRecord(data)) {
		return isEnvelope(body) ? { records: [data], isList: false, meta: {} } : undefined;
	}
	if (isKeyed(data)) return { records: Object.values(data), isList: true, meta, beside };
	const named = listNamed(data, asked);
	if (named) {
		const ofNamed = both(meta, readMeta(data, asked));
		const total = ofNamed.total ?? ofNamed.otherTotal ?? 0;
		const isArray = Object.values(data).some(Array.isArray);
		const hasLostRecords = named.length === 0 && !isArray && total > 0;
		const stated = hasLostRecords ? { ...ofNamed, total } : ofNamed;
		return { records: named, isList: true, meta: stated, hasLostRecords };
	}
	const page = pageWithin(data, asked);
	if (page) return { ...page, meta: both(meta, page.meta) };
	// A single record may come with the `meta` of a list.
	const ofData = metaWithin(data, asked);
	const isMore = idOf(data) === undefined && meta.hasMore === true;
	const hasMore = ofData.hasMore === true || isMore;
	const currentPage = meta.currentPage ?? ofData.currentPage;
	const list = listWithin(data, { ...meta, currentPage, hasMore }, asked);
	return list ?? { records: [data], isList: false, beside, meta: { hasMore } };
}

/**
 * True for a list as PHP writes it after filtering: `{"15": {…}, "17": {…}}`. If the values have no
 * IDs, the keys may be years.
 */
function isKeyed(data: JsonObject): boolean {
	return Object.entries(data).every(([key, one]) => WHOLE_NUMBER.test(key) && isIdentified(one));
}

/** Names that frameworks give to the list in an object. */
const LIST_NAMES = [
	...['data', 'items', 'result', 'results', 'records', 'rows', 'list', 'content', 'entries'],
];

/**
 * The list in the object that a list of records came as: the one that is called so, or else the only one.
 * HAL has it in `_embedded`, and leaves it out if it is empty.
 */
function listNamed(object: JsonObject, { listName: path }: Asked): unknown[] | undefined {
	if (path === undefined) return undefined;
	const { _embedded, _links, ...own } = object;
	const inner = isRecord(_embedded) ? { ...own, ..._embedded } : own;
	const isRecordItself = idOf(object) !== undefined;
	const names = isRecordItself ? [path] : [path, ...LIST_NAMES];
	const named = names.flatMap((name) => listIn(inner, name, path) ?? []);
	const list = named.find(({ records, isArray }) => isArray || records.length > 0) ?? named[0];
	if (list !== undefined) return list.records;
	const others = Object.entries(inner).filter(
		(member): member is [string, unknown[]] =>
			isListOfRecords(member) && !isOfPage(...member) && !isOfNotes(member),
	);
	if (isRecordItself || others.length > 1) return undefined;
	const [[name, only] = ['', undefined]] = others;
	const beside = Object.entries(own).filter(
		([one, value]) => one !== name && !isOfPage(one, value) && !isAbout(one, value),
	);
	const isPage = beside.length === 0;
	const stated = readMeta(own, { listName: path });
	const total = stated.total ?? stated.otherTotal;
	if (only === undefined) {
		const isEmpty = _links !== undefined && isPageAround(own, '');
		return isEmpty || (isPage && total === 0 && !Object.entries(own).some(isNote)) ? [] : undefined;
	}
	if (isPage) return only;
	// `localPosts` on the path of posts.
	const isCalledSo = name.toLowerCase().includes(path.replace(/s$/, ''));
	const isList = only.length > 0 ? only.every(isIdentified) : isCalledSo || total === 0;
	return isList && (isCalledSo || !beside.some(isOfRecord)) ? only : undefined;
}

/** Whether a list is what a service has to say, and not records under an unlucky name. */
function isOfNotes([name, list]: [string, unknown[]]): boolean {
	return NOTES.test(name) && !(list.length > 0 && list.every(isIdentified));
}

function isNote([name, value]: [string, unknown]): boolean {
	const isFilled = Array.isArray(value) ? value.length > 0 : Boolean(value);
	return NOTES.test(name) && isFilled;
}

/** Go writes `null` for an empty list, and PHP an object for one of which others were filtered out. */
function listIn(
	object: JsonObject,
	name: string,
	path: string,
): { records: unknown[]; isArray?: boolean } | undefined {
	const value = object[name];
	if (isListOfRecords([name, value])) return { records: value as unknown[], isArray: true };
	if (name !== path && !isPageAround(object, name)) return undefined;
	if (value === null) return { records: [] };
	return isRecord(value) && isKeyed(value) ? { records: Object.values(value) } : undefined;
}

function isListOfRecords(member: [string, unknown]): member is [string, unknown[]] {
	return Array.isArray(member[1]) && member[1].every(isRecord);
}

/** True for a text or another record beside a list: the list may belong to a record. */
function isOfRecord([, value]: [string, unknown]): boolean {
	return typeof value === 'string' || idOf(value) !== undefined;
}

/** Names of an object that holds a page, beside that of the list. */
const WRAPPERS = ['data', 'result', 'response', 'payload'];

/** The page of a list that comes in an object of its own, as Laravel's does: `{ posts: { data: […], total } }`. */
function pageWithin(object: JsonObject, asked: Asked): Content | undefined {
	const { listName: path } = asked;
	if (path === undefined || idOf(object) !== undefined) return undefined;
	const inner = [path, ...WRAPPERS].map((name) => object[name]).find(isRecord);
	const lists = Object.entries(inner ?? {}).filter((member) => Array.isArray(member[1]));
	const isNamed = lists.length === 1 && [path, ...LIST_NAMES].includes(lists[0][0]);
	const content = isNamed ? recordsIn(inner, asked) : undefined;
	return content?.isList === true ? content : undefined;
}

/** Whether a member says that a request went well, or that the response is a list. */
function isAbout(name: string, value: unknown): boolean {
	const says = [CODE, KIND].find(([names]) => names.test(name));
	return says ? says[1].test(textOf(value)) : ABOUT.test(name) || NOTES.test(name);
}

/**
 * The list in an object that holds one, if it comes in pages: as Laravel's paginator in `data`, or with
 * `meta` beside `data`.
 */
function listWithin(
	object: JsonObject,
	meta: Meta,
	{ number = 1, listName }: Asked,
): Content | undefined {
	const lists = Object.entries(object).filter(
		(member): member is [string, unknown[]] =>
			Array.isArray(member[1]) &&
			(listName === undefined || !isOfNotes(member as [string, unknown[]])),
	);
	const [[key, list] = [], ...more] =
		number > 1 && lists.length === 1 ? lists : lists.filter(hasRecords);
	if (key === undefined || more.length > 0) return undefined;
	const records = list as unknown[];
	const isPaged = meta.hasMore === true || (meta.total ?? 0) > records.length || number > 1;
	const isPage = isPageAround(object, key);
	if (!isPaged && !(isPage && Object.keys(object).length > 1)) return undefined;
	return { records, isList: true, meta, ...(!isPage && { within: { key, object } }) };
}

/** True if an object says nothing but what page it is, and holds its list. */
function isPageAround(object: JsonObject, list: string): boolean {
	return Object.entries(object).every(([name, value]) => name === list || isOfPage(name, value));
}

/** Names of further pages that a record may also have for a field of its own. */
const UNCERTAIN =
	/^(total_?pages?|page_?count|pages|more|next|last|page|number|index|current|metadata|_meta)$/i;

/** The `meta` of a list in `data`, as Laravel, Django and Spring write their pages. */
function metaWithin(data: JsonObject, asked: Asked): Meta {
	const lists = Object.keys(data).filter((name) => Array.isArray(data[name]));
	if (lists.length === 1 && isPageAround(data, lists[0])) return readMeta(data, asked);
	const certain = Object.entries(data).filter(([name]) => !UNCERTAIN.test(name));
	const { hasMore, currentPage } = readMeta(Object.fromEntries(certain), asked);
	return { hasMore, currentPage };
}

const hasRecords = ([, value]: [string, unknown]) =>
	(value as unknown[]).some((one) => Object(one) === one);
