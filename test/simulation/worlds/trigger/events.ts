import type { Fields, Kind } from '../../../../dev/sandbox/account';
import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';

/** An event by section 7 of the design. It knows nothing of the table that ships. */
interface EventRule {
	/** The list to which it belongs: `listing` is that of all locations, `self` a watched location. */
	of: 'keywords' | 'listing' | 'posts' | 'scans' | 'self';
	/** Its details, by a record as it was and is; absent: it was not there, or is not any more. */
	says?: (was: JsonObject | undefined, is: JsonObject | undefined) => Details | false | undefined;
	/** For a score: how far it has moved; below 0, it moved in the other direction. */
	distance?: (change: number) => number;
}
export type Details = Partial<TriggerEvent>;

const added: EventRule['says'] = (was) => !was && {};
const changed =
	(...names: string[]): EventRule['says'] =>
	(was, is) => {
		const fields = was && is ? names.filter((name) => was[name] !== is[name]) : [];
		return fields.length > 0 && { changed: fields };
	};
const published: EventRule['says'] = (was, is) =>
	is?.status === 'published' && was?.status !== 'published' && { changed: was ? ['status'] : [] };
const removed: EventRule['says'] = (was, is) => {
	if (!was || is) return undefined;
	const { id, location_id, keyword } = was;
	return { record: { id: String(id), location_id, keyword } };
};

export const FIELDS_TO_WATCH = ['name', 'status'];
export const EVENTS: Record<string, EventRule> = {
	keywordAdded: { of: 'keywords', says: added },
	keywordRemoved: { of: 'keywords', says: removed },
	locationAdded: { of: 'listing', says: added },
	locationChanged: { of: 'self', says: changed(...FIELDS_TO_WATCH) },
	postAdded: { of: 'posts', says: added },
	postChanged: { of: 'posts', says: changed('title', 'status') },
	postPublished: { of: 'posts', says: published },
	rankScanCompleted: { of: 'scans' },
	rankScoreChanged: { of: 'self', distance: Math.abs },
	rankScoreDropped: { of: 'self', distance: (change) => -change },
	rankScoreRose: { of: 'self', distance: (change) => change },
};
export const namesOf = (list: EventRule['of']) =>
	Object.keys(EVENTS).filter((name) => EVENTS[name].of === list);

export const timeOf = ({ scanned_at: at }: Fields) => Date.parse(String(at));

const STATUSES = ['scheduled', 'published', 'published'];
/** The fields of a record that is added, by its number. */
export const FIELDS: Record<Kind, (number: number, name: string) => Fields> = {
	locations: (number, name) => ({ name, status: 'active', rank_score: 50 + (number % 20) }),
	keywords: (_, keyword) => ({ keyword }),
	posts: (number, title) => ({ title, status: number % 3 === 0 ? 'published' : 'scheduled' }),
	scans: (number) => ({ position: number % 20, device: number % 3 === 0 ? 'mobile' : 'desktop' }),
};

const DAY = 86_400_000;

/** The service, as far as changes need it; `pick` chooses among what is there. */
interface Changing {
	now: number;
	timeText(at: number): unknown;
	name(): string;
	list(kind: Kind): Fields[];
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
	'a scan has an earlier time': [1, scan(90 * DAY)],
	'two scans are of one second': [1, addTwin],
	'a location changes': [1, change('locations', (_, service) => ({ name: service.name() }))],
	'a post changes': [2, change('posts', (_, service) => ({ title: service.name() }))],
	'a post gets a status': [1, change('posts', (pick) => ({ status: STATUSES[pick % 3] }))],
	'a score moves': [2, change('locations', (pick) => ({ rank_score: 50 + (pick % 20) }))],
	'a location goes': [1, remove('locations')],
	'a keyword goes': [2, remove('keywords')],
	'a post goes': [1, remove('posts')],
	'a scan goes': [1, remove('scans')],
	'a keyword takes the place of another': [1, replaceKeyword],
};
