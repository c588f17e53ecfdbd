import { CHECK_LENGTH, FIELD_LENGTH, KEY_LENGTH, type Known } from './known';

/** The largest state (bytes in n8n's database): to stay below, hashes of fields and words are cut. */
const MAX_BYTES = 490_000;
/** The longest ID and text of a keyword together (bytes). */
const MAX_WORDS = 160;
/** Stands between words; JSON does not escape it. */
const SEPARATOR = '\u007f';
const NOT_KNOWN = '.';

/** The memory of a location; what has not been read is absent. */
export interface LocationMemory {
	self?: Known;
	keywords?: Known[];
	posts?: Known[];
	/** `keywords_count` and `last_scan_at` when the lists were last read: they have changed if these differ. */
	keywordsCount?: string | null;
	lastScanAt?: string | null;
	/** The time of the newest scan of all its keywords, also of those that are gone (s since 1970). */
	newest?: number;
	/** The number of the poll that last read the location whole. */
	wholeAt?: number;
	/** Lists that could not be read: they wait until the location is read whole. */
	waits?: string[];
	/** Names of events that were added since: here, they have to learn. */
	learns?: string[];
	/** The keyword at which the next poll goes on with scans, and the `last_scan_at` with which that began. */
	resume?: { key: string; lastScanAt: string | null };
}

/** All that a trigger remembers. */
export interface State {
	/** The names of the watched events, and the settings on which what they know depends. */
	events: string[];
	scanTimeField: string;
	publishedStatus: string;
	/** The number of polls so far. */
	polls: number;
	/** The key of the location with which the next poll begins, after one that ran out of time. */
	next?: string;
	/** Hashes of lines in n8n's log, so that each is written once. */
	noted: string[];
	/** All locations of the account; absent if it is not listed. */
	listing?: Known[];
	/** As for a location: of the list of all locations. */
	learns?: string[];
	locations: Map<string, LocationMemory>;
}

/** A location in text; a list is its records, one after the other. */
type StoredLocation = Omit<LocationMemory, 'keywords' | 'posts' | 'self'> & {
	self?: string;
	scores?: Known['scores'];
	keywords?: string;
	/** ID and text of each keyword. */
	words?: string;
	posts?: string;
};

/** The names of the fields whose hashes follow the key of a record. */
type Names = Record<'keywords' | 'posts' | 'self', string[]>;

type StoredState = Omit<State, 'listing' | 'locations'> & {
	listing?: string;
	names: Names;
	/** The length of the hash of a field (characters). */
	width: number;
	locations: Record<string, StoredLocation>;
};

/** A state as JSON: small, whatever texts and IDs the account has. */
export function textOfState(state: State): string {
	const memories = [...state.locations.values()];
	const count = memories.reduce((sum, { keywords = [] }) => sum + keywords.length, 1);
	for (let width = FIELD_LENGTH; ; width--) {
		const bare = textWithin(state, width, 0);
		const room = Math.floor((MAX_BYTES - bytesOf(bare)) / count) - 2 * SEPARATOR.length;
		if (room > 0) return textWithin(state, width, Math.min(MAX_WORDS, room));
		if (width === 1) return bare;
	}
}

/**
 * @param width the length of the hash of a field (characters)
 * @param most the longest ID and text of a keyword together (bytes)
 */
function textWithin({ listing, locations, ...state }: State, width: number, most: number): string {
	const memories = [...locations.values()];
	const names: Names = {
		self: namesOf(memories.flatMap(({ self }) => self ?? [])),
		posts: namesOf(memories.flatMap(({ posts = [] }) => posts)),
		keywords: namesOf(memories.flatMap(({ keywords = [] }) => keywords)),
	};
	const stored = [...locations].map(([key, { self, keywords, posts, ...memory }]) => [
		key,
		{
			...memory,
			self: self && textOfList([self], width, names.self),
			scores: self?.scores,
			keywords: keywords && textOfList(keywords, width, names.keywords),
			words: most > 0 ? keywords?.flatMap((one) => wordsOf(one, most)).join(SEPARATOR) : undefined,
			posts: posts && textOfList(posts, width, names.posts),
		},
	]);
	const all = { ...state, names, width, listing: listing && textOfList(listing, width) };
	return JSON.stringify({ ...all, locations: Object.fromEntries(stored) });
}

export function stateIn(text: string): State {
	const { names, width, listing, locations, ...state } = JSON.parse(text) as StoredState;
	const memories = Object.entries(locations).map(([key, stored]): [string, LocationMemory] => {
		const { self, scores, keywords, words = '', posts, ...memory } = stored;
		const all = words.split(SEPARATOR);
		const known = listIn(self, width, names.self)?.[0];
		return [
			key,
			{
				...memory,
				self: known && { ...known, scores },
				keywords: listIn(keywords, width, names.keywords)?.map((one, index) => ({
					...one,
					words: { id: all[2 * index] ?? '', text: all[2 * index + 1] ?? '' },
				})),
				posts: listIn(posts, width, names.posts),
			},
		];
	});
	return { ...state, listing: listIn(listing, width), locations: new Map(memories) };
}

function namesOf(records: Known[]): string[] {
	return [...new Set(records.flatMap(({ fields }) => [...fields.keys()]))];
}

/**
 * The records of a list: key and hashes, after `!` if it is missing and `*` if it is published, before
 * `:time:keys` of scans.
 */
function textOfList(records: Known[], width: number, names: string[] = []): string {
	const texts = records.map(({ key, isMissing, isPublished, check, fields, scans }) => {
		const hashes = names.map((name) => (fields.get(name) ?? NOT_KNOWN).slice(0, width));
		const ofFields =
			names.length > 0 ? check + hashes.map((one) => one.padEnd(width, NOT_KNOWN)).join('') : '';
		const ofScans = scans ? `:${scans.at.toString(36)}:${scans.keys.join('.')}` : '';
		return `${isMissing ? '!' : ''}${isPublished ? '*' : ''}${key}${ofFields}${ofScans}`;
	});
	return texts.join(' ');
}

function listIn(
	text: string | undefined,
	width: number,
	names: string[] = [],
): Known[] | undefined {
	if (text === undefined) return undefined;
	return text
		.split(' ')
		.filter(Boolean)
		.map((one) => {
			const [, marks, hashes, at, keys] = /^([!*]*)([^:]+):?([^:]*):?(.*)$/.exec(one)!;
			const place = (index: number) => KEY_LENGTH + CHECK_LENGTH + index * width;
			const fields = names
				.map((name, index) => [name, hashes.slice(place(index), place(index + 1))] as const)
				.filter(([, hash]) => !hash.startsWith(NOT_KNOWN));
			return {
				key: hashes.slice(0, KEY_LENGTH),
				check: hashes.slice(KEY_LENGTH, place(0)),
				fields: new Map(fields),
				...(marks.includes('!') && { isMissing: true }),
				...(marks.includes('*') && { isPublished: true }),
				...(at !== '' && { scans: { at: parseInt(at, 36), keys: keys.split('.') } }),
			};
		});
}

/** ID and text of a keyword: a text is cut, an ID is remembered whole or not at all. */
function wordsOf({ words = { id: '', text: '' } }: Known, most: number): [string, string] {
	const id = bytesOf(words.id) <= most && !words.id.includes(SEPARATOR) ? words.id : '';
	const room = most - bytesOf(id);
	const whole = words.text.replaceAll(SEPARATOR, ' ');
	if (whole.length <= room && bytesOf(whole) <= room) return [id, whole];
	let cut = whole.slice(0, room);
	while (cut !== '' && bytesOf(`${cut}…`) > room) cut = cut.slice(0, -1);
	// Without half of an emoji at the end.
	return [id, cut === '' ? '' : `${cut.replace(/[\ud800-\udbff]$/, '')}…`];
}

/** The size of a text in n8n's database, where a state is a text within JSON (bytes). */
const bytesOf = (text: string) => Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - 6;
