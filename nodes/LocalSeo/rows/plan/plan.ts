import type { Before, JsonObject, Keys, ServiceRequest, Sought } from '../../client';
import type { Publishing } from '../outcome';
import type { Row } from '../read/row';

/** A row with its request as it would be sent, before it is compared with anything. */
export interface Draft {
	row: Row;
	/** Complete, as far as nothing is wrong with the row. */
	request: ServiceRequest;
	/** The values that are sent. */
	fields: JsonObject;
	/** When its post goes live; absent: it is none. */
	live?: Publishing;
	/** All that is wrong with the row: it is not sent. */
	error?: Error;
}

/** A draft, and by what its record is recognized. */
export interface Compared extends Draft {
	/** The keys of its match fields, but for the time. */
	keys: Keys;
	sought: Sought;
}

/** The decision about a row; made without a request, a wait or a memory. */
export type Plan = { row: Row; request: ServiceRequest; warning?: string } & Decision;

export type Decision =
	| Create
	/** With the record, where one was found that has other values: only those are sent. */
	| { action: 'update'; record?: JsonObject }
	| { action: 'delete' }
	| { action: 'skip' | 'unchanged'; record: JsonObject; sameAs?: undefined }
	/** The same as an earlier row, by its place, whose record it gets. */
	| { action: 'skip' | 'unchanged'; sameAs: number }
	| { action: 'invalid'; error: Error };

export interface Create {
	action: 'create';
	/** When its post goes live; absent: it is none. */
	live?: Publishing;
	sought: Sought;
	/** The list that the row was compared with; absent: it is not compared. */
	before?: Before;
	/** True if the records that were read show a time to come in the field with the time to publish. */
	isTimeShown: boolean;
}

export type PlanOf<A extends Plan['action']> = Extract<Plan, { action: A }>;
