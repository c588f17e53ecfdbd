import {
	type Before,
	isRecord,
	type JsonObject,
	type List,
	SameRecords,
	type ServiceError,
	type Sought,
} from '../../client';

/** The records that exist in a list, as it was read; rows are compared with it. */
export class ComparedList {
	/** Why they are not all, if they are not. */
	readonly incomplete?: ServiceError;
	/** With which a lost create is looked for. */
	readonly before: Before;
	/** Names of the fields that its records have. */
	readonly seen: ReadonlySet<string>;
	/** How many there are, also of those that are no records but bare texts. */
	readonly count: number;
	readonly records: JsonObject[];
	private readonly same: SameRecords;

	constructor({ records, incomplete, before }: List & { before: Before }) {
		this.records = records.filter(isRecord);
		this.count = records.length;
		this.incomplete = incomplete;
		this.before = before;
		this.seen = fieldsIn(this.records);
		this.same = new SameRecords(this.records);
	}

	/**
	 * The records that a row seeks.
	 *
	 * @param later how much later a record may show its time (ms)
	 */
	equalTo(sought: Sought, later: number): Iterable<JsonObject> {
		return this.same.equalTo(sought, later);
	}
}

/** Names of the fields that some records have. */
export function fieldsIn(records: JsonObject[]): Set<string> {
	const seen = new Set<string>();
	for (const record of records) for (const name in record) seen.add(name);
	return seen;
}
