import truncate from 'lodash/truncate';

import { KEY_LENGTH, type Known, keyOfId } from './known';

/** The longest text of a keyword that is remembered (characters). */
const LONGEST_TEXT = 60;

/** The memory of a location; what has not been read is absent. */
export interface LocationMemory {
	/** Hashes of its fields, and the scores that the next ones are compared with. */
	hash?: string;
	scores?: Known['scores'];
	keywords?: Known[];
	posts?: Known[];
	/** How many names of `State.fields.posts` the hashes of its posts cover. */
	postFields?: number;
	/** `keywords_count` and `last_scan_at` when the lists were last read: they have changed if these differ. */
	keywordsCount?: string | null;
	lastScanAt?: string | null;
	/** The time of the newest scan of all its keywords, also of those that are gone (s); 0: it had none. */
	newest?: number;
	/** The number of the poll that last read the location whole. */
	wholeAt?: number;
	/** Names of events that were added since: here, they have to learn. */
	learns?: string[];
}

/** All that a trigger remembers. */
export interface State {
	/** The names of the watched events, and the settings on which what they know depends. */
	events: string[];
	scanTimeField: string;
	publishedStatus: string;
	/** A hash of the settings that were checked on activation. */
	checked?: string;
	/** The number of polls so far. */
	polls: number;
	/** The key of the location with which the next poll begins, after one that ran out of time. */
	next?: string;
	/** Hashes of lines in n8n's log, so that each is written once. */
	noted: string[];
	/** The names of fields in the order in which they were first seen: hashes follow it. */
	fields: { locations: string[]; posts: string[] };
	/** All locations of the account; absent if it is not listed. */
	listing?: Known[];
	/** As for a location: of the list of all locations. */
	learns?: string[];
	locations: Map<string, LocationMemory>;
}

/** A keyword in JSON: ID, text, scans and marks. */
type StoredKeyword = [id: string, text: string, scans: string | null, marks?: string];

/** A state in JSON: locations by key, records of other lists in a text. */
type StoredLocation = Omit<LocationMemory, 'keywords' | 'posts'> & {
	keywords?: StoredKeyword[];
	posts?: string;
};
type StoredState = Omit<State, 'listing' | 'locations'> & {
	listing?: string;
	locations: Record<string, StoredLocation>;
};

export function textOfState({ listing, locations, ...state }: State): string {
	const stored = [...locations].map(([key, { keywords, posts, ...memory }]) => [
		key,
		{ ...memory, keywords: keywords?.map(storedKeyword), posts: posts && textOfList(posts) },
	]);
	const all = { ...state, listing: listing && textOfList(listing) };
	return JSON.stringify({ ...all, locations: Object.fromEntries(stored) });
}

export function stateIn(text: string): State {
	const { listing, locations, ...state } = JSON.parse(text) as StoredState;
	const memories = Object.entries(locations).map(
		([key, { keywords, posts, ...memory }]): [string, LocationMemory] => [
			key,
			{ ...memory, keywords: keywords?.map(keywordIn), posts: listIn(posts) },
		],
	);
	return { ...state, listing: listIn(listing), locations: new Map(memories) };
}

/** Key and hash of each record, after `!` if it is missing, `*` if it is published, `?` if nobody knows. */
function textOfList(records: Known[]): string {
	const texts = records.map(({ key, hash, isMissing, isPublished }) => {
		const status = isPublished === undefined ? '?' : isPublished ? '*' : '';
		return `${isMissing ? '!' : ''}${status}${key}${hash}`;
	});
	return texts.join(' ');
}

function listIn(text: string | undefined): Known[] | undefined {
	const texts = text?.split(' ').filter(Boolean);
	return texts?.map((one) => {
		const [, marks, hashes] = /^([!*?]*)(.*)$/.exec(one)!;
		return {
			key: hashes.slice(0, KEY_LENGTH),
			hash: hashes.slice(KEY_LENGTH),
			...(marks.includes('!') && { isMissing: true }),
			isPublished: marks.includes('?') ? undefined : marks.includes('*'),
		};
	});
}

function storedKeyword({ id = '', text = '', scans, isMissing, isDue }: Known): StoredKeyword {
	const marks = `${isMissing ? '!' : ''}${isDue ? '+' : ''}`;
	const stored = [id, truncate(text, { length: LONGEST_TEXT, omission: '…' })] as const;
	return [...stored, scans ?? null, ...(marks ? [marks] : [])] as StoredKeyword;
}

function keywordIn([id, text, scans, marks = '']: StoredKeyword): Known {
	return {
		...{ id, text, key: keyOfId(id), hash: '' },
		scans: scans ?? undefined,
		...(marks.includes('!') && { isMissing: true }),
		...(marks.includes('+') && { isDue: true }),
	};
}
