import { isRecord, type JsonObject } from '../client';

/** An item as n8n hands it over and takes it. */
export interface Item {
	json: JsonObject;
	/** Its files. */
	binary?: object;
	pairedItem?: { item: number };
}

/** The row of a run, by its place, and what people call it. */
export interface RowItem extends Item {
	/** The title of a post, the name of a location; absent: it is not known. */
	title?: string;
}

/** A problem, and the advice about it. */
export interface Explained {
	message: string;
	description?: string;
}

/** Where a row stands: among the rows of its run, as far as n8n names them. */
export interface Place {
	rows: RowItem[];
	/** Its place in `rows`. */
	index: number;
	/** Its number in the run, which its items are paired with. */
	item: number;
	/** True if what fails leaves through an output of its own. */
	hasErrorOutput: boolean;
}

/** A record as an item holds it. */
export function asJson(record: unknown): JsonObject {
	return isRecord(record) ? record : { value: record };
}
