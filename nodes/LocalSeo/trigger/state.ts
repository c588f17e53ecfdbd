import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Mark } from './marks';
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
	/** Names of the fields of locations and posts, in the order of their marks. */
	fields: string[];
	postFields: string[];
	locations: Map<string, LocationMemory>;
}

/** Known of locations, assumed of keywords (api/openapi.yaml). */
const LOCATION = 'loc_';
const KEYWORD = 'kw_';

/** Beyond so many locations the texts of keywords are not remembered: the state has to stay small. */
const MOST_WITH_TEXTS = 1_000;

export function emptyState(): State {
	return { polls: 0, polledAt: 0, fields: [], postFields: [], locations: new Map() };
}

/** The state of earlier polls; undefined where there is none, or where other things were watched. */
export function readState(context: IPollFunctions, watch: Watch): State | undefined {
	const { state } = context.getWorkflowStaticData('node') as { state?: Stored };
	if (state?.watch !== signatureOf(watch)) return undefined;
	const { polls, polledAt, resumeAt, fields, postFields, locations } = state;
	return {
		...{ polls, polledAt, resumeAt, fields: [...fields], postFields: [...postFields] },
		locations: new Map(
			Object.entries(locations).map(([id, entry]) => [lengthen(LOCATION, id), unpack(entry)]),
		),
	};
}

export function writeState(context: IPollFunctions, watch: Watch, state: State): void {
	const hasTexts = state.locations.size <= MOST_WITH_TEXTS;
	const locations = [...state.locations].map(([id, memory]) => [
		shorten(LOCATION, id),
		pack(memory, hasTexts),
	]);
	const stored: Stored = {
		...state,
		watch: signatureOf(watch),
		locations: Object.fromEntries(locations) as Stored['locations'],
	};
	(context.getWorkflowStaticData('node') as IDataObject).state = stored as unknown as IDataObject;
}

/** What decides what has to be remembered. */
function signatureOf({ events, locationIds, fields }: Watch): string {
	return JSON.stringify([[...events].sort(), [...locationIds].sort(), fields]);
}

type Stored = Omit<State, 'locations'> & { watch: string; locations: Record<string, Packed> };

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
