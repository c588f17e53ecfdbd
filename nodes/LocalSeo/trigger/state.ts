import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Fingerprint } from './fingerprints';
import type { KeywordMemory } from './keyword';
import { packRankScores, type StoredRankScores, unpackRankScores } from './location';
import type { LastState, ProcessMemory } from './memory';
import type { LocationMemory, State } from './remembered';
import { SCAN_DIGEST_LENGTH } from './scan';
import type { AccountMemory, Settings } from './subject';

/** Identifies a trigger within the process. */
export function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** The state of earlier polls; undefined if there is none, or if it belongs to other settings. */
export function readState(
	context: IPollFunctions,
	{ lastStates }: ProcessMemory,
	settings: Settings,
): State | undefined {
	const saved = savedState(context);
	const last = lastStates.get(triggerKey(context));
	// A copy: n8n watches its own for changes (docs/n8n-facts.md, section 7).
	const text = last && isNewer(last, saved, context) ? last.text : JSON.stringify(saved ?? null);
	const stored = JSON.parse(text) as StoredState | null;
	if (stored?.watch !== signatureOf(settings)) return undefined;
	const entries = Object.entries(stored.locations);
	return {
		account: stored.memo,
		locations: new Map(entries.map(([id, entry]) => [lengthen(LOCATION, id), unpack(entry)])),
	};
}

/**
 * n8n saves the state on activation and when the poll starts a workflow (docs/n8n-facts.md, section
 * 7). Some versions read it anew for each poll, so this process keeps the state after quiet polls.
 *
 * @param isQuiet whether the poll starts no workflow
 */
export function writeState(
	context: IPollFunctions,
	{ lastStates }: ProcessMemory,
	settings: Settings,
	{ account, locations }: State,
	isQuiet: boolean,
): void {
	const key = triggerKey(context);
	const saved = savedState(context);
	const last = lastStates.get(key);
	const { after, stamp } =
		isQuiet && last && isNewer(last, saved, context)
			? last
			: // If n8n does not save a poll that starts the workflow, it has not started it either.
				{ after: isQuiet ? saved?.stamp : undefined, stamp: randomUUID() };
	const hasTexts = locations.size <= MAX_LOCATIONS_WITH_TEXTS;
	const packed = [...locations].map(([id, memory]): [string, StoredLocation] => [
		shorten(LOCATION, id),
		pack(memory, hasTexts),
	]);
	const stored: StoredState = {
		watch: signatureOf(settings),
		stamp,
		memo: account,
		locations: Object.fromEntries(packed),
	};
	const text = JSON.stringify(stored);
	lastStates.set(key, { after, stamp, text }, text.length);
	context.getWorkflowStaticData('node').state = stored as unknown as IDataObject;
}

function savedState(context: IPollFunctions): StoredState | undefined {
	return context.getWorkflowStaticData('node').state as unknown as StoredState | undefined;
}

/**
 * Whether what this process knows goes beyond what n8n has: n8n has the state before the quiet polls, or
 * none, because another execution has saved over it (docs/n8n-facts.md, section 13). A process that
 * takes over again from another one can't know what that one has reported.
 */
function isNewer(
	last: LastState,
	saved: StoredState | undefined,
	context: IPollFunctions,
): boolean {
	if (saved) return saved.stamp === last.after || saved.stamp === last.stamp;
	return context.getActivationMode?.() !== 'leadershipChange';
}

/** The settings that determine what has to be remembered. */
function signatureOf({ events, locationIds, fieldsToWatch }: Settings): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fieldsToWatch]);
}

/** What n8n stores. */
interface StoredState {
	/** The settings that it belongs to. */
	watch: string;
	/** Different whenever a poll starts the workflow, and in each process. */
	stamp: string;
	memo: AccountMemory;
	locations: Record<string, StoredLocation>;
}

/** A location's memory, without field names: there may be thousands. */
type StoredLocation = [
	fingerprints: Fingerprint[],
	rankScores: StoredRankScores,
	lastScanAt: string | null,
	keywordsCount: number | null,
	scansAfter: number,
	/** Digests of scans, one after the other. */
	knownScans: string | null,
	keywords: StoredKeywords | null,
	posts: Record<string, Fingerprint[]> | null,
	checkedAt: number,
	missing: number,
];

/** Their IDs and, in the same order, their texts; those that the last list did not have. */
type StoredKeywords = [ids: string[], texts: string[] | null, unlisted: string[]];

/** Prefixes of IDs: known of locations, assumed of keywords (docs/assumptions.md). */
const LOCATION = 'loc_';
const KEYWORD = 'kw_';
/** Beyond this many locations, the texts of keywords are not stored, to keep the state small. */
const MAX_LOCATIONS_WITH_TEXTS = 1_000;

function pack(memory: LocationMemory, hasTexts: boolean): StoredLocation {
	const { posts } = memory;
	return [
		memory.fingerprints,
		packRankScores(memory.rankScores),
		memory.lastScanAt,
		memory.keywordsCount,
		memory.scansAfter,
		memory.knownScans?.join('') ?? null,
		packKeywords(memory, hasTexts),
		posts ? (Object.fromEntries(posts) as Record<string, Fingerprint[]>) : null,
		memory.checkedAt,
		memory.missing,
	];
}

function unpack(stored: StoredLocation): LocationMemory {
	const [fingerprints, rankScores, lastScanAt, keywordsCount, scansAfter, knownScans] = stored;
	const [, , , , , , keywords, posts, checkedAt, missing] = stored;
	return {
		fingerprints,
		rankScores: unpackRankScores(rankScores),
		lastScanAt,
		keywordsCount,
		scansAfter,
		knownScans: knownScans === null ? undefined : piecesOf(knownScans, SCAN_DIGEST_LENGTH),
		...unpackKeywords(keywords),
		posts: posts === null ? undefined : new Map(Object.entries(posts)),
		checkedAt,
		missing,
	};
}

function packKeywords(
	{ keywords, unlistedKeywords }: KeywordMemory,
	hasTexts: boolean,
): StoredKeywords | null {
	if (!keywords) return null;
	const short = (ids: Iterable<string>) => [...ids].map((id) => shorten(KEYWORD, id));
	const texts = hasTexts ? [...keywords.values()] : null;
	return [short(keywords.keys()), texts, short(unlistedKeywords)];
}

function unpackKeywords(
	stored: StoredKeywords | null,
): Pick<KeywordMemory, 'keywords' | 'unlistedKeywords'> {
	if (stored === null) return { keywords: undefined, unlistedKeywords: new Set() };
	const [ids, texts, unlisted] = stored;
	const long = (id: string) => lengthen(KEYWORD, id);
	return {
		keywords: new Map(ids.map((id, index) => [long(id), texts?.[index] ?? ''])),
		unlistedKeywords: new Set(unlisted.map(long)),
	};
}

function piecesOf(text: string, length: number): string[] {
	const count = Math.floor(text.length / length);
	return Array.from({ length: count }, (_, i) => text.slice(i * length, (i + 1) * length));
}

/** IDs are stored without the prefix that nearly all of them have; other IDs are stored whole, after this. */
const OTHER_PREFIX = '@';

function shorten(prefix: string, id: string): string {
	const rest = id.slice(prefix.length);
	return id.startsWith(prefix) && !rest.startsWith(OTHER_PREFIX) ? rest : OTHER_PREFIX + id;
}

function lengthen(prefix: string, id: string): string {
	return id.startsWith(OTHER_PREFIX) ? id.slice(OTHER_PREFIX.length) : prefix + id;
}
