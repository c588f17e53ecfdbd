import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Fingerprint } from './fingerprints';
import { packRankScores, type StoredRankScores, unpackRankScores } from './location';
import type { ProcessMemory, QuietState } from './memory';
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
	{ quietStates }: ProcessMemory,
	settings: Settings,
): State | undefined {
	const saved = savedState(context);
	const quiet = quietStates.get(triggerKey(context));
	// A copy: n8n watches its own for changes (docs/n8n-facts.md, section 7).
	const text = quiet && isAbout(quiet, saved) ? quiet.text : JSON.stringify(saved ?? null);
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
	{ quietStates }: ProcessMemory,
	settings: Settings,
	{ account, locations }: State,
	isQuiet: boolean,
): void {
	const hasTexts = locations.size <= MAX_LOCATIONS_WITH_TEXTS;
	const packed = [...locations].map(([id, memory]): [string, StoredLocation] => [
		shorten(LOCATION, id),
		pack(memory, hasTexts),
	]);
	const stored: StoredState = {
		watch: signatureOf(settings),
		stamp: randomUUID(),
		memo: account,
		locations: Object.fromEntries(packed),
	};
	const key = triggerKey(context);
	if (isQuiet) {
		const saved = savedState(context);
		const quiet = quietStates.get(key);
		const after = quiet && isAbout(quiet, saved) ? quiet.after : saved?.stamp;
		const text = JSON.stringify(stored);
		quietStates.set(key, { after, stamp: stored.stamp, text }, text.length);
	} else {
		quietStates.delete(key);
	}
	context.getWorkflowStaticData('node').state = stored as unknown as IDataObject;
}

function savedState(context: IPollFunctions): StoredState | undefined {
	return context.getWorkflowStaticData('node').state as unknown as StoredState | undefined;
}

/** Whether what n8n has is the state before the quiet polls, or the one after them. */
function isAbout(quiet: QuietState, saved: StoredState | undefined): boolean {
	return saved?.stamp === quiet.after || saved?.stamp === quiet.stamp;
}

/** The settings that determine what has to be remembered. */
function signatureOf({ events, locationIds, fieldsToWatch }: Settings): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fieldsToWatch]);
}

/** What n8n stores. Active triggers have state in this form, so it has to stay readable. */
interface StoredState {
	/** The settings that it belongs to. */
	watch: string;
	/** Different at every write. */
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
	knownScans: string,
	/** A line for each: ID, tab, text. */
	keywords: string | null,
	posts: Record<string, Fingerprint[]> | null,
	checkedAt: number,
	missing: number,
];

/** Prefixes of IDs: known of locations, assumed of keywords (docs/assumptions.md). */
const LOCATION = 'loc_';
const KEYWORD = 'kw_';
/** Beyond this many locations, the texts of keywords are not stored, to keep the state small. */
const MAX_LOCATIONS_WITH_TEXTS = 1_000;

function pack(memory: LocationMemory, hasTexts: boolean): StoredLocation {
	const { keywords, posts } = memory;
	return [
		memory.fingerprints,
		packRankScores(memory.rankScores),
		memory.lastScanAt,
		memory.keywordsCount,
		memory.scansAfter,
		memory.knownScans.join(''),
		keywords ? packKeywords(keywords, hasTexts) : null,
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
		knownScans: piecesOf(knownScans, SCAN_DIGEST_LENGTH),
		keywords: keywords === null ? undefined : unpackKeywords(keywords),
		posts: posts === null ? undefined : new Map(Object.entries(posts)),
		checkedAt,
		missing,
	};
}

function packKeywords(keywords: Map<string, string>, hasTexts: boolean): string {
	const lines = [...keywords].map(([id, text]) => {
		const shortId = shorten(KEYWORD, id);
		return hasTexts ? `${shortId}\t${text}` : shortId;
	});
	return lines.join('\n');
}

function unpackKeywords(stored: string): Map<string, string> {
	const lines = stored.split('\n').filter((line) => line !== '');
	return new Map(
		lines.map((line) => {
			const [id, text = ''] = line.split('\t');
			return [lengthen(KEYWORD, id), text];
		}),
	);
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
