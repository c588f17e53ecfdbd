import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	BoundedMap,
	type Connection,
	getOrMake,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	type List,
	nounOfId,
	readExisting,
	RecordIndex,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import type { Resource } from '../service';
import { isDryRun } from './options';
import { readPaging } from './readRequest';
import { runKeyOf } from './runKey';

/** How many sets of match fields a list is indexed by: rows with other empty cells may need another one. */
const MAX_INDEXES = 10;
/** What records take with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

/** A record that a row of this run has made; of one that is only looked at, what stands for it. */
export interface Made {
	row: number;
	record: JsonObject;
}

/** A list of existing records, and what the rows of a run add to it. */
export class Existing {
	/** Those that belong to another location, say, than the one whose list shows them. */
	readonly elsewhere: ReadonlySet<JsonObject>;
	/** Why they are not all, where they are not. */
	readonly incomplete?: ServiceError;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** By ID, as far as is known as they are now. */
	readonly latest: Map<string, JsonObject>;
	readonly bytes: number;
	private readonly records: JsonObject[];
	private readonly indexes = new Map<string, RecordIndex>();
	/** By the key of their rows, as all below. */
	private readonly made = new Map<string, Made>();
	/** Creates that may have been done: no other row does the same. */
	private readonly doubts = new Map<string, { row: number; error: unknown }>();
	private readonly turns = new Map<string, Promise<unknown>>();

	constructor({ records, incomplete }: List, request: ServiceRequest) {
		this.records = records.filter(isRecord);
		this.incomplete = incomplete;
		this.elsewhere = new Set(this.records.filter((record) => isElsewhere(record, request)));
		this.seen = new Set(this.records.flatMap((record) => Object.keys(record)));
		this.latest = new Map(this.records.map((record) => [idOf(record) ?? '', record]));
		this.bytes = INDEX_FACTOR * jsonBytes(this.records);
	}

	/** @param dates fields with a date that the row sends, which do not identify it */
	indexBy(matchFields: string[], { areTerms }: Resource, dates: string[] = []): RecordIndex {
		const key = JSON.stringify([matchFields, dates]);
		const { records, elsewhere, indexes } = this;
		const matching = { dates, areTerms, elsewhere };
		const index = indexes.get(key) ?? new RecordIndex(records, matchFields, matching);
		indexes.set(key, index);
		const [oldest] = indexes.keys();
		if (indexes.size > MAX_INDEXES) indexes.delete(oldest);
		return index;
	}

	/** Rows with the same key follow one another. */
	async inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
		const before = this.turns.get(key) ?? Promise.resolve();
		const result = before.then(work);
		this.turns.set(
			key,
			result.catch(() => {}),
		);
		return await result;
	}

	/** What another row with the same key has made. */
	madeBy(key: string, row: number): Made | undefined {
		const made = this.made.get(key);
		return made?.row === row ? undefined : made;
	}

	/**
	 * Creates the record of a row, which rows with the same key find.
	 *
	 * @throws what `send` does, and what made the create of another row fail that may have been done
	 */
	async create<T extends { record: JsonObject }>(
		key: string,
		row: number,
		send: () => Promise<T>,
	): Promise<T> {
		const doubt = this.doubts.get(key);
		if (doubt && doubt.row !== row) throw doubt.error;
		const result = await send().catch((error: unknown) => {
			if (mayHaveActed(error)) this.doubts.set(key, { row, error });
			throw error;
		});
		this.doubts.delete(key);
		this.made.set(key, { row, record: result.record });
		return result;
	}
}

/** Whether what failed may have been done all the same. */
export function mayHaveActed(error: unknown): boolean {
	return error instanceof ServiceError ? error.mayHaveActed : !(error instanceof InputError);
}

/** How an ID begins that shows of what it is: `loc_`. */
const KIND = /^[a-z]+_/i;

/** Whether a record names another owner than the path of its list; an ID of another kind says nothing. */
function isElsewhere(record: JsonObject, { ids }: ServiceRequest): boolean {
	return Object.entries(ids).some(([name, id]) => {
		const owner = record[`${nounOfId(name)}_id`];
		const [kind] = KIND.exec(String(owner)) ?? [];
		return owner !== id && kind !== undefined && id.startsWith(kind);
	});
}

/** Lists by run and path: each is read once per run, not once per row. */
const lists = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Existing>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * The list that a create adds to, as it was when the run began, with what the run has added to it.
 *
 * @throws ServiceError as `readExisting` does
 */
export async function existingOf(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
): Promise<Existing> {
	const read = async () => {
		const list = await readExisting(connection, request, readPaging(context)).catch(forComparison);
		return new Existing(list, request);
	};
	const runKey = runKeyOf(context);
	if (runKey === undefined) return await read();
	// Rows of a dry run are not created: none that is sent counts as one of them.
	const key = JSON.stringify([runKey, request.path, request.ids, isDryRun(context)]);
	return await getOrMake(lists.of(connection.account), key, read, ({ bytes }) => bytes);
}

/** The error says that the list was read to compare a row with it. */
function forComparison(error: unknown): never {
	if (!(error instanceof ServiceError)) throw error;
	throw new ServiceError({ ...error.facts, isComparison: true });
}
