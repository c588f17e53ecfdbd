import {
	type Connection,
	idOf,
	isEmpty,
	isRecord,
	jsonBytes,
	type JsonObject,
	type List,
	nounOfId,
	readExisting,
	RecordIndex,
	ServiceError,
	type ServiceRequest,
	textOf,
	Turns,
} from '../../client';
import { InputError } from '../../text/inputError';
import type { Resource } from '../../resources';
import { oncePerRun } from '../perRun';
import type { Row } from '../read/row';

/** The memory of records with their texts in the indexes, compared with their JSON. */
const INDEX_FACTOR = 3;

/** How an ID begins that shows of what it is: `loc_`. */
const KIND = /^[a-z]+_/i;

/** The work of one row of this run: its record, or an error that leaves open whether it did. */
export interface Made {
	/** The place of the row in its run. */
	row: number;
	record?: JsonObject;
	/** Whether that is what a dry run would create: it has no ID. */
	isPlanned?: boolean;
	error?: unknown;
}

/** A list of existing records, and what the rows of a run add to it. */
export class Existing {
	/** Why they are not all, where they are not. */
	readonly incomplete?: ServiceError;
	/** Whether what is listed are no records, but their bare texts. */
	readonly areTexts: boolean;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** By ID, as far as is known as they are now. */
	readonly latest: Map<string, JsonObject>;
	readonly bytes: number;
	readonly records: JsonObject[];
	private readonly indexes = new Map<string, RecordIndex>();
	/** By the key of their rows, as `turns`. */
	private readonly made = new Map<string, Made>();
	private readonly turns = new Turns();
	private readonly filled = new Map<string, boolean>();

	constructor({ records, incomplete }: List, request: ServiceRequest) {
		const owners = Object.entries(request.ids).map(([name, id]) => [`${nounOfId(name)}_id`, id]);
		this.records = records
			.filter(isRecord)
			.filter((record) => !owners.some(([field, id]) => isOther(record[field], id)));
		this.incomplete = incomplete;
		this.areTexts = records.length > 0 && !records.some(isRecord);
		this.seen = new Set(this.records.flatMap((record) => Object.keys(record)));
		this.latest = new Map(this.records.map((record) => [idOf(record) ?? '', record]));
		this.bytes = INDEX_FACTOR * jsonBytes(this.records);
	}

	/** @param dates fields with a date that the row sends, which do not identify it */
	indexBy(matchFields: string[], { isSearchTerm }: Resource, dates: string[] = []): RecordIndex {
		const key = JSON.stringify([matchFields, dates]);
		const { records, indexes } = this;
		const index =
			indexes.get(key) ?? new RecordIndex(records, matchFields, { dates, isSearchTerm });
		indexes.set(key, index);
		return index;
	}

	/** Whether some record has a value in a field. */
	hasValuesOf(field: string): boolean {
		const has = this.filled.get(field) ?? this.records.some((record) => !isEmpty(record[field]));
		this.filled.set(field, has);
		return has;
	}

	/** Rows with the same key follow one another. */
	async inTurn<T>(key: string, work: (madeBefore?: Made) => Promise<T>): Promise<T> {
		return await this.turns.take(key, async () => await work(this.made.get(key)));
	}

	/** Notes what a row has made; an error counts only if it may have been done all the same. */
	note(key: string, made: Made): void {
		if (made.error === undefined || mayHaveActed(made.error)) this.made.set(key, made);
	}
}

/** Whether what failed may have been done all the same. */
function mayHaveActed(error: unknown): boolean {
	return error instanceof ServiceError ? error.mayHaveActed : !(error instanceof InputError);
}

/** Whether the owner that a record names is another than the path's; an ID of another kind says nothing. */
function isOther(owner: unknown, id: string): boolean {
	if (owner === undefined || owner === id) return false;
	const [kind] = KIND.exec(textOf(owner)) ?? [];
	return kind !== undefined && id.startsWith(kind);
}

/**
 * The list that a create adds to, as it was when the run began, with what the run has added to it.
 *
 * @throws ServiceError as `readExisting` does; it says that the list was read to compare a row with it
 */
export async function existingOf(row: Row, connection: Connection): Promise<Existing> {
	const { request, paging, isDryRun } = row;
	const read = async () => {
		const list = await readExisting(connection, request, paging).catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			throw new ServiceError({ ...error.facts, isComparison: true });
		});
		return new Existing(list, request);
	};
	// Rows of a dry run are not created: none that is sent counts as one of them.
	const what = ['existing', request.path, request.ids, isDryRun];
	return await oncePerRun(row, connection.account, what, read, ({ bytes }) => bytes);
}
