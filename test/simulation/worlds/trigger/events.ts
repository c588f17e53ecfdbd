import type { Fields, Kind } from '../../../../dev/sandbox/account';
import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';

/** An event by section 7 of the design. It knows nothing of the table that ships. */
interface EventRule {
	/** The list to which it belongs: `listing` is that of all locations, `self` a watched location. */
	of: 'keywords' | 'listing' | 'posts' | 'scans' | 'self';
	/** Its details, by a record as it was and is; absent: it was not there, or is not any more. */
	says?: (was: Seen | undefined, is: Seen | undefined) => Details | false | undefined;
	/** For a score: how far it has moved; below 0, it moved in the other direction. */
	distance?: (change: number) => number;
}
export type Of = EventRule['of'];
export type Details = Partial<TriggerEvent>;

export interface Seen {
	record: JsonObject;
	/** The fields that count: those that its list has shown. */
	names: Set<string>;
	/** For a post: whether it was published, by its last status; absent: it never had one. */
	isPublished?: boolean;
}

const added: EventRule['says'] = (was) => !was && {};
/** @param isNamed false where it does not say which fields changed */
const changed =
	(isNamed: boolean): EventRule['says'] =>
	(was, is) => {
		if (!was || !is) return undefined;
		const hasChanged = (name: string) => (was.record[name] ?? null) !== (is.record[name] ?? null);
		const fields = [...was.names].filter(hasChanged);
		return fields.length > 0 && { changed: isNamed ? fields : [] };
	};
const published: EventRule['says'] = (was, is) =>
	is?.isPublished && (was ? was.isPublished === false : true) && {};
const removed: EventRule['says'] = (was, is) => {
	if (!was || is) return undefined;
	const { id, location_id, keyword } = was.record;
	return { record: { id: String(id), location_id, keyword } };
};

export const EVENTS: Record<string, EventRule> = {
	keywordAdded: { of: 'keywords', says: added },
	keywordRemoved: { of: 'keywords', says: removed },
	locationAdded: { of: 'listing', says: added },
	locationChanged: { of: 'self', says: changed(true) },
	postAdded: { of: 'posts', says: added },
	postChanged: { of: 'posts', says: changed(false) },
	postPublished: { of: 'posts', says: published },
	rankScanCompleted: { of: 'scans' },
	rankScoreChanged: { of: 'self', distance: Math.abs },
	rankScoreDropped: { of: 'self', distance: (change) => -change },
	rankScoreRose: { of: 'self', distance: (change) => change },
};
export const namesOf = (list: Of) => Object.keys(EVENTS).filter((name) => EVENTS[name].of === list);

export const timeOf = ({ scanned_at: at }: Fields) => Date.parse(String(at));

const STATUSES = ['scheduled', 'published', 'published'];
/** The fields of a record that is added, by its number. */
export const FIELDS: Record<Kind, (number: number, name: string) => Fields> = {
	locations: (number, name) => ({ name, status: 'active', rank_score: 50 + (number % 20) }),
	keywords: (_, keyword) => ({ keyword }),
	posts: (number, title) => ({ title, status: number % 3 === 0 ? 'published' : 'scheduled' }),
	scans: (number) => ({ position: number % 20, device: number % 3 === 0 ? 'mobile' : 'desktop' }),
};

const HOUR = 3_600_000;

/** The service, as far as changes need it; `pick` chooses among what is there. */
interface Changing {
	now: number;
	/** The name of the last of many fields; absent: there are few. */
	lastField?: string;
	timeText(at: number): unknown;
	name(): string;
	list(kind: Kind, owner?: Fields): Fields[];
	present(kind: Kind): Fields[];
	pick(kind: Kind, pick: number): Fields | undefined;
	add(kind: Kind, owner?: Fields): void;
	addLocation(keywords: number): void;
	addScan(keyword: Fields | undefined, at: number, isRunning?: boolean): void;
	change(kind: Kind, record: Fields | undefined, fields: Fields): void;
	remove(kind: Kind, record: Fields | undefined): void;
}

/** Changes the account; `pick` says which record. */
type Change = (service: Changing, pick: number) => void;

const add =
	(kind: Kind): Change =>
	(service, pick) =>
		service.add(kind, service.pick('locations', pick));
const change =
	(kind: Kind, fields: (pick: number, service: Changing) => Fields): Change =>
	(service, pick) =>
		service.change(kind, service.pick(kind, pick), fields(pick, service));
const remove =
	(kind: Kind): Change =>
	(service, pick) =>
		service.remove(kind, service.pick(kind, pick));
/** @param at by how much earlier than now the scan was over (ms); undefined: it goes on */
const scan =
	(at?: number): Change =>
	(service, pick) =>
		service.addScan(service.pick('keywords', pick), service.now - (at ?? 0), at === undefined);

const lastField = (_: number, service: Changing): Fields =>
	service.lastField ? { [service.lastField]: service.name() } : {};

const endScan: Change = (service, pick) => {
	const running = service.present('scans').filter(({ scanned_at: at }) => at === null);
	const end = { scanned_at: service.timeText(service.now) };
	service.change('scans', running[pick % running.length], end);
};
/** A second scan of the second in which one was over. */
const addTwin: Change = (service, pick) => {
	const scan = service.pick('scans', pick);
	const keyword = service.present('keywords').find(({ id }) => id === scan?.keyword_id);
	const second = scan ? Math.floor(timeOf(scan) / 1_000) : 0;
	if (second) service.addScan(keyword, second * 1_000 + (pick % 1_000));
};
const moveScan: Change = (service, pick) => {
	const over = service.present('scans').filter(({ scanned_at: at }) => at !== null);
	const scan = over[pick % over.length];
	const later = scan && { scanned_at: service.timeText(timeOf(scan) + 60_000 * (pick % 90)) };
	service.change('scans', scan, { ...later });
};
/** More than are remembered, within an hour and a half. */
const addMany: Change = (service, pick) => {
	const keyword = service.pick('keywords', pick);
	for (let number = 0; number < 45; number++) {
		service.addScan(keyword, service.now - 2 * 60_000 * ((number * 7) % 45));
	}
};
/** The first scan of a new keyword is of the second in which the last one of its location was over. */
const addTwinKeyword: Change = (service, pick) => {
	const location = service.pick('locations', pick);
	if (!location) return;
	const keywords = service.list('keywords', location);
	const scans = keywords.flatMap((keyword) => service.list('scans', keyword));
	const newest = Math.max(0, ...scans.map(timeOf).filter(Boolean));
	service.add('keywords', location);
	if (newest > 0) service.addScan(service.list('keywords', location).at(-1), newest);
};
const replaceKeyword: Change = (service, pick) => {
	const keyword = service.pick('keywords', pick);
	service.remove('keywords', keyword);
	const isOwner = ({ id }: Fields) => id === keyword?.location_id;
	service.add('keywords', service.list('locations').find(isOwner));
};

/** Changes that may happen to the account, and how often. */
export const CHANGES: Record<string, [weight: number, change: Change]> = {
	'a location is added': [1, (service) => service.addLocation(1)],
	'a keyword is added': [1, add('keywords')],
	'a post is added': [1, add('posts')],
	'a scan is done': [3, scan(0)],
	'scans are done': [2, (...of) => [2_000, 1_000, 0].forEach((ago) => scan(ago)(...of))],
	'a scan begins': [1, scan()],
	'a scan ends': [1, endScan],
	'a scan ends late': [1, scan(23 * HOUR)],
	'a scan ends too late': [1, scan(25 * HOUR)],
	'a scan has an earlier time': [1, scan(90 * 24 * HOUR)],
	"a scan's time moves on": [1, moveScan],
	'many scans are done': [1, addMany],
	'two scans are of one second': [1, addTwin],
	'a location changes': [1, change('locations', (_, service) => ({ name: service.name() }))],
	'a post changes': [2, change('posts', (_, service) => ({ title: service.name() }))],
	'a post gets a status': [2, change('posts', (pick) => ({ status: STATUSES[pick % 3] }))],
	'a post loses its status': [1, change('posts', () => ({ status: undefined }))],
	'the last field of a location changes': [1, change('locations', lastField)],
	'the last field of a post changes': [1, change('posts', lastField)],
	'a score moves': [2, change('locations', (pick) => ({ rank_score: 50 + (pick % 20) }))],
	'a location goes': [1, remove('locations')],
	'a keyword goes': [2, remove('keywords')],
	'a post goes': [1, remove('posts')],
	'a scan goes': [1, remove('scans')],
	'a keyword takes the place of another': [1, replaceKeyword],
	'a new keyword has a scan of the same second': [1, addTwinKeyword],
};
