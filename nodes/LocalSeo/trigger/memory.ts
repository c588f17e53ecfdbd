import truncate from 'lodash/truncate';

import { KEY_LENGTH, type Known, keyOfId } from './known';

/** The longest text of a keyword that is remembered (characters). */
const LONGEST_TEXT = 60;

/** A keyword: its ID, its text, its scans, and marks if it has any. */
type KeywordMemory = [id: string, text: string, scans: string | null, marks?: string];

/** The memory of a location; what has not been read is absent. */
export interface LocationMemory {
	/** Hashes of its fields, and the scores that the next ones are compared with. */
	hash?: string;
	scores?: Known['scores'];
	keywords?: KeywordMemory[];
	/** Its posts (`textOfRecords`), and how many names of `State.fields.posts` their hashes cover. */
	posts?: string;
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

/** All that a trigger remembers, as JSON. */
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
	/** All locations of the account (`textOfRecords`); absent if it is not listed. */
	listing?: string;
	/** As for a location: of the list of all locations. */
	learns?: string[];
	/** By key, which is a hash: no name that objects inherit. */
	locations: Record<string, LocationMemory>;
}

/** Key and hash of each record, after `!` if it is missing, `*` if it is published, `?` if nobody knows. */
export function textOfRecords(records: Known[]): string {
	const texts = records.map(({ key, hash, isMissing, isPublished }) => {
		const status = isPublished === undefined ? '?' : isPublished ? '*' : '';
		return `${isMissing ? '!' : ''}${status}${key}${hash}`;
	});
	return texts.join(' ');
}

export function recordsIn(text: string | undefined): Known[] | undefined {
	const texts = text?.split(' ').filter(Boolean);
	return texts?.map((one) => {
		const [, marks, hashes] = /^([!*?]*)(.*)$/.exec(one)!;
		return {
			key: hashes.slice(0, KEY_LENGTH),
			hash: hashes.slice(KEY_LENGTH),
			isMissing: marks.includes('!'),
			isPublished: marks.includes('?') ? undefined : marks.includes('*'),
		};
	});
}

/** The memory of keywords; `!` marks one that is missing, `+` one whose scans have to be read. */
export function memoryOfKeywords(keywords: Known[]): KeywordMemory[] {
	return keywords.map(({ id = '', text = '', scans = null, isMissing, isDue }) => {
		const cut = truncate(text, { length: LONGEST_TEXT, omission: '…' });
		const marks = `${isMissing ? '!' : ''}${isDue ? '+' : ''}`;
		return marks === '' ? [id, cut, scans] : [id, cut, scans, marks];
	});
}

export function keywordsIn(memory: KeywordMemory[] | undefined): Known[] | undefined {
	return memory?.map(([id, text, scans, marks = '']) => ({
		...{ key: keyOfId(id), hash: '', id, text, scans: scans ?? undefined },
		...{ isMissing: marks.includes('!'), isDue: marks.includes('+') },
	}));
}

export const isMarked = ({ keywords = [] }: LocationMemory, mark: '!' | '+') =>
	keywords.some(([, , , marks]) => marks?.includes(mark));
