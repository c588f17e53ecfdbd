import type { JsonObject } from '../client';
import type { Note } from '../resources';
import { InputError } from '../text/inputError';

/**
 * The outcome of a row. `done` is what its operation does: it was posted, deleted, read. With Create or
 * Update it was created, updated or left unchanged, with Skip the Row it may be skipped; a dry run has
 * only looked at it.
 */
export type Outcome =
	| 'done'
	| 'created'
	| 'updated'
	| 'unchanged'
	| 'skipped'
	| 'dry run'
	| 'failed';

/** A question about a run: it concerns all rows, and its advice says what to set. */
export class Question extends InputError {}

export const isQuestion = (error: unknown): boolean => error instanceof Question;

/** When a post goes live: its instant (ms); absent: at once. */
export interface Live {
	at?: number;
}

/** The same, as it was said of a row that was sent or planned; with its location. */
export interface GoesLive extends Live {
	location: { id: string; name?: string };
}

/** The fate of a row in a dry run; `invalid`: it would be refused. */
export type Action = 'create' | 'update' | 'skip' | 'delete' | 'invalid';

/**
 * The words of a dry run about a row: first the columns that a person looks at, then the fields of the
 * record, and how it would be sent. What is not known, or does not apply, is left out.
 */
export interface Forecast extends JsonObject {
	action: Action;
	/** Why the row is invalid. */
	problem?: string;
	/** The fields that are wrong: "title, publish_at" */
	problem_fields?: string;
	/** A remark that is worth a look. */
	warning?: string;
	/** When the post would go live, in the workflow's zone. */
	goes_live?: string;
	/** The record that exists already, that would be changed, or that the row may be about. */
	id?: string;
	/** The advice about the problem. */
	advice?: string;
	/** The location below which a record would be created, also where it was given by its name. */
	location_name?: string;
	location_id?: string;
	/** The request, where one would be sent: "POST /locations/loc_1/posts" */
	request?: string;
}

/** The error of a row, as n8n shows it. */
export interface Failure {
	message: string;
	description?: string | null;
	httpCode?: string | null;
}

/** The result of a row, or why it failed. */
export type RowEnd = Performed | Error;

/** The result of a row before its records become items. */
export interface Performed {
	records: unknown[];
	/** The record alone of a row that writes. */
	record?: JsonObject;
	outcome: Outcome;
	/** The words of a dry run about it. */
	forecast?: Forecast;
	/** When what it has created goes live; absent: it is no post. */
	live?: GoesLive;
	/** True if a repeat would not recognize what it has created. */
	mayRepeat?: boolean;
	/** Notes for the user about the result. */
	notes: Note[];
	/** Names of locations without data; absent: what was read is not about locations. */
	empty?: string[];
	/** How many records there are, where the limit has left some of them out; Infinity: not all were counted. */
	total?: number;
}
