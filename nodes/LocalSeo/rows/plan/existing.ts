import {
	type Before,
	BoundedMap,
	getOrMake,
	jsonBytes,
	isRecord,
	idOf,
	type JsonObject,
	looseKeyOf,
	type List,
	type Matching,
	matchKeyOf,
	readExisting,
	ServiceError,
	type ServiceRequest,
	Turns,
} from '../../client';
import { PerAccount } from '../../host/accounts';
import type { Connected } from '../../host/connect';
import type { Resource } from '../../resources';
import type { Batch } from '../batch';
import type { Row } from '../read/row';

/** The result of a row of this run: its record, or an error. */
export interface Made {
	/** The place of the row in its run. */
	row: number;
	record?: JsonObject;
	/** True for what a dry run would create: it has no ID. */
	isPlanned?: boolean;
	error?: unknown;
}

/** A list of existing records, and what the rows of a run add to it. */
export class Existing {
	/** Why they are not all, if they are not. */
	readonly incomplete?: ServiceError;
	/** The versions that were there before, with which a lost create is looked for. */
	readonly before?: Before;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** How many there are, also of those that are no records but bare texts. */
	readonly count: number;
	/** The approximate size in memory. */
	readonly bytes: number;
	readonly records: JsonObject[];
	/** The latest known version of each record, by ID. */
	private readonly latest = new Map<string, JsonObject>();
	private readonly indexes = new Map<string, Map<string, JsonObject[]>>();
	private readonly looseKeys = new Map<JsonObject, string[]>();
	/** By the key of their rows, as `turns`. */
	private readonly made = new Map<string, Made>();
	private readonly turns = new Turns();

	constructor({ records, incomplete, before }: List & { before?: Before }) {
		this.records = records.filter(isRecord);
		this.count = records.length;
		this.incomplete = incomplete;
		this.before = before;
		this.seen = new Set(this.records.flatMap((record) => Object.keys(record)));
		this.bytes = INDEX_FACTOR * jsonBytes(this.records);
		for (const record of this.records) this.noteLatest(record);
	}

	/** A record as it is known now; one without an ID is never known again. */
	latestOf(record: JsonObject): JsonObject | undefined {
		return this.latest.get(idOf(record) ?? '');
	}

	/** Notes what a record is now. */
	noteLatest(record: JsonObject): void {
		const id = idOf(record);
		if (id !== undefined) this.latest.set(id, record);
	}

	/** The records with the values of a row in some fields. */
	equal(row: JsonObject, matching: Matching): JsonObject[] {
		const keyOf = (record: JsonObject) => matchKeyOf(record, matching);
		return this.indexed(JSON.stringify(matching), keyOf).get(keyOf(row)) ?? [];
	}

	/** The records that differ from a row in no letter or digit of some fields, where both have them. */
	alike(row: JsonObject, { fields }: Matching): JsonObject[] {
		const [first = ''] = fields.filter((field) => looseKeyOf(row[field]) !== '');
		const keyOf = (record: JsonObject) => looseKeyOf(record[first]);
		const candidates = this.indexed(`loose ${first}`, keyOf).get(keyOf(row)) ?? [];
		const own = fields.map((field) => looseKeyOf(row[field]));
		return candidates.filter((record) =>
			this.looseKeysOf(record, fields).every(
				(other, at) => own[at] === other || own[at] === '' || other === '',
			),
		);
	}

	/** Kept, since the records of a chain may all have one name. */
	private looseKeysOf(record: JsonObject, fields: string[]): string[] {
		const known = this.looseKeys.get(record) ?? fields.map((field) => looseKeyOf(record[field]));
		this.looseKeys.set(record, known);
		return known;
	}

	private indexed(name: string, keyOf: (record: JsonObject) => string): Map<string, JsonObject[]> {
		const known = this.indexes.get(name);
		if (known) return known;
		const index = new Map<string, JsonObject[]>();
		for (const record of this.records) {
			const group = index.get(keyOf(record));
			if (group) group.push(record);
			else index.set(keyOf(record), [record]);
		}
		this.indexes.set(name, index);
		return index;
	}

	/** Rows with the same key follow one another. */
	async inTurn<T>(key: string, work: (madeBefore?: Made) => Promise<T>): Promise<T> {
		return await this.turns.take(key, async () => await work(this.made.get(key)));
	}

	/** Notes what became of a row that was sent. */
	note(key: string, made: Made): void {
		this.made.set(key, made);
	}
}

/** By run: in a second try (Retry On Fail), rows are compared with what was there before the first one. */
const kept = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Existing>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);
/** The memory of the records with their indexes, as a multiple of their JSON. */
const INDEX_FACTOR = 3;

/** The fields that tell the records of a resource apart, with the time at which one goes live. */
export function matchingOf(
	{ matchFields = [], isSearchTerm }: Resource,
	time: string | undefined,
): Matching {
	return { fields: time ? [...matchFields, time] : matchFields, time, isTerm: isSearchTerm };
}

/**
 * The list that a create adds to, as it was when the run began, with what the run has added to it.
 *
 * @param request with the ID of the location
 * @throws ServiceError as `readExisting` does, and `incomplete-list` unless the row accepts that; it says
 * that the list was read to compare a row with it
 */
export async function existingOf(
	{ isDryRun, resource, acceptsIncomplete, publishTime, run, isTool }: Row,
	request: ServiceRequest,
	batch: Batch,
	connection: Connected,
): Promise<Existing> {
	const read = async () => {
		const matching = matchingOf(resource, publishTime);
		const list = await readExisting(connection, request, connection.paging, matching).catch(
			(error: unknown) => {
				throw asComparison(error);
			},
		);
		if (list.incomplete && !acceptsIncomplete) throw asComparison(list.incomplete);
		return new Existing(list);
	};
	// Rows of a dry run are not created: none that is sent counts as one of them.
	const what = ['existing', request.path, request.ids, isDryRun];
	const { account } = connection;
	return await batch.once(what, async () => {
		// Calls of a tool share their run, and each of them looks for itself.
		if (run === undefined || isTool) return await read();
		return await getOrMake(
			kept.of(account),
			JSON.stringify([run, ...what]),
			read,
			({ bytes }) => bytes,
		);
	});
}

function asComparison(error: unknown): unknown {
	if (!(error instanceof ServiceError)) return error;
	return new ServiceError({ ...error.facts, isComparison: true });
}
