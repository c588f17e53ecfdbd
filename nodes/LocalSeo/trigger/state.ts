import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Fields, Mark } from './marks';
import type { Watch } from './watch';

/** What is remembered of a location, from poll to poll. */
export interface LocationMemory {
	/** Its watched fields. */
	marks: Mark[];
	/** The rank score as it was last told. */
	score: number | null;
	/** `last_scan_at` and `keywords_count` as they last were: where they move there is more to see. */
	lastScanAt: Mark;
	keywordsCount: Mark;
	/** Scans dated after this (milliseconds) are new, unless they are among the seen. */
	scansAfter: number;
	/** Digests of scans dated after that. */
	scansSeen: string;
	/** Keywords: their texts by ID; undefined while they are not known. */
	keywords?: Map<string, string>;
	/** Posts: their fields by ID; undefined while they are not known. */
	posts?: Map<string, Mark[]>;
	/** The poll that looked at all there is. */
	lookedAt: number;
	/** In how many polls it was not listed. */
	missing: number;
}

/** What a trigger remembers. */
export interface State {
	/** How many polls there were. */
	polls: number;
	/** When the last one was (milliseconds). */
	polledAt: number;
	/** The location at which the next poll goes on, where one ran out of time. */
	resumeAt?: string;
	/** When the first one was, by the service's clock (milliseconds). */
	since: number;
	/** The latest time in a listing of the locations: it was at least as late then. */
	newest: number;
	fields: Fields;
	postFields: Fields;
	locations: Map<string, LocationMemory>;
}

/** Known of locations, assumed of keywords (api/openapi.yaml). */
const LOCATION = 'loc_';
const KEYWORD = 'kw_';

/** Beyond so many locations the texts of keywords are not remembered: the state has to stay small. */
const MOST_WITH_TEXTS = 1_000;

export function emptyState(): State {
	return {
		...{ polls: 0, polledAt: 0, since: 0, newest: 0 },
		fields: { names: [], late: [] },
		postFields: { names: [], late: [] },
		locations: new Map(),
	};
}

/**
 * What quiet polls have left, by trigger. n8n writes down what a trigger remembers when it starts
 * the workflow; some hosts read it anew for each poll, and would begin where that was.
 */
const quietPolls = new Map<string, { after?: string; latest: Stored }>();

/** The trigger among all of the process. */
export function placeOf(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/** The state of earlier polls; undefined where there is none, or where other things were watched. */
export function readState(context: IPollFunctions, watch: Watch): State | undefined {
	const written = storedIn(context);
	const quiet = quietPolls.get(placeOf(context));
	const stored = quiet && isOf(quiet, written) ? quiet.latest : written;
	if (stored?.watch !== signatureOf(watch)) return undefined;
	// A copy: a poll that fails must not leave traces.
	const { memo, locations } = JSON.parse(JSON.stringify(stored)) as Stored;
	return {
		...memo,
		locations: new Map(
			Object.entries(locations).map(([id, entry]) => [lengthen(LOCATION, id), unpack(entry)]),
		),
	};
}

/** `isQuiet`: the poll starts no workflow, so n8n may not write it down. */
export function writeState(
	context: IPollFunctions,
	watch: Watch,
	{ locations, ...memo }: State,
	isQuiet: boolean,
): void {
	const hasTexts = locations.size <= MOST_WITH_TEXTS;
	const packed = [...locations].map(([id, memory]) => [
		shorten(LOCATION, id),
		pack(memory, hasTexts),
	]);
	const stored: Stored = {
		watch: signatureOf(watch),
		stamp: randomUUID(),
		memo,
		locations: Object.fromEntries(packed) as Stored['locations'],
	};
	const place = placeOf(context);
	const written = storedIn(context);
	const quiet = quietPolls.get(place);
	if (isQuiet) {
		const after = quiet && isOf(quiet, written) ? quiet.after : written?.stamp;
		quietPolls.set(place, { after, latest: stored });
	} else {
		quietPolls.delete(place);
	}
	(context.getWorkflowStaticData('node') as IDataObject).state = stored as unknown as IDataObject;
}

function storedIn(context: IPollFunctions): Stored | undefined {
	return (context.getWorkflowStaticData('node') as { state?: Stored }).state;
}

/** Whether the quiet polls followed what is written, or are what is written. */
function isOf(quiet: { after?: string; latest: Stored }, written: Stored | undefined): boolean {
	return written?.stamp === quiet.after || written?.stamp === quiet.latest.stamp;
}

/** What decides what has to be remembered. */
function signatureOf({ events, locationIds, fields }: Watch): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fields]);
}

interface Stored {
	watch: string;
	/** Tells one writing from another. */
	stamp: string;
	memo: Omit<State, 'locations'>;
	locations: Record<string, Packed>;
}

/** A location's memory without names: there may be thousands. */
type Packed = [
	marks: Mark[],
	score: number | null,
	lastScanAt: Mark,
	keywordsCount: Mark,
	scansAfter: number,
	scansSeen: string,
	keywords: string | null,
	posts: Record<string, Mark[]> | null,
	lookedAt: number,
	missing: number,
];

function pack(memory: LocationMemory, hasTexts: boolean): Packed {
	const { marks, score, lastScanAt, keywordsCount, scansAfter, scansSeen } = memory;
	const keywords = memory.keywords && [...memory.keywords];
	return [
		marks,
		score,
		lastScanAt,
		keywordsCount,
		scansAfter,
		scansSeen,
		keywords
			?.map(([id, text]) => shorten(KEYWORD, id) + (hasTexts ? `\t${text}` : ''))
			.join('\n') ?? null,
		memory.posts ? (Object.fromEntries(memory.posts) as Record<string, Mark[]>) : null,
		memory.lookedAt,
		memory.missing,
	];
}

function unpack(packed: Packed): LocationMemory {
	const [marks, score, lastScanAt, keywordsCount, scansAfter, scansSeen] = packed;
	const [, , , , , , keywords, posts, lookedAt, missing] = packed;
	const lines = keywords === null ? undefined : keywords.split('\n').filter(Boolean);
	return {
		...{ marks, score, lastScanAt, keywordsCount, scansAfter, scansSeen, lookedAt, missing },
		keywords:
			lines &&
			new Map(
				lines.map((line) => {
					const [id, text = ''] = line.split('\t');
					return [lengthen(KEYWORD, id), text];
				}),
			),
		posts: posts === null ? undefined : new Map(Object.entries(posts)),
	};
}

/** IDs without the prefix that nearly all have; one that has it not is marked. */
const MARK = '@';

function shorten(prefix: string, id: string): string {
	const rest = id.slice(prefix.length);
	return id.startsWith(prefix) && !rest.startsWith(MARK) ? rest : MARK + id;
}

function lengthen(prefix: string, id: string): string {
	return id.startsWith(MARK) ? id.slice(MARK.length) : prefix + id;
}
