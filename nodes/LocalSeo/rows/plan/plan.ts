import type { Before, JsonObject, Keys, Matching, ServiceRequest } from '../../client';
import type { Live } from '../outcome';
import type { Row } from '../read/row';

/** A row with its request as it would be sent, before it is compared with anything. */
export interface Draft {
	row: Row;
	/** Complete, as far as nothing is wrong with the row. */
	request: ServiceRequest;
	/** The address of the list or the record. */
	address: string;
	/** Values by which a row is compared: the values that are sent, and those that are only compared. */
	fields: JsonObject;
	matching: Matching;
	keys: Keys;
	/** The same for rows that send the same. */
	content: string;
	/** When its post goes live; absent: it is none. */
	live?: Live;
	/** All that is wrong with the row: it is not sent. */
	error?: Error;
}

/** The row of a run that another one says the same as: its place in the run. */
type Twin = number;

/** The decision about a row; made without a request, a wait or a memory. */
export type Plan = { row: Row; request: ServiceRequest; warning?: string } & Decision;

export type Decision =
	| Create
	| { action: 'update' | 'delete' }
	/** A record that exists with other values: only those are sent. */
	| { action: 'upsert'; record: JsonObject }
	| { action: 'skip' | 'unchanged'; record: JsonObject }
	/** The same as an earlier row, whose record it gets. */
	| { action: 'follow'; twin: Twin; as: 'skipped' | 'unchanged' }
	| { action: 'invalid'; error: Error };

export interface Create {
	action: 'create';
	/** When its post goes live; absent: it is none. */
	live?: Live;
	matching: Matching;
	keys: Keys;
	/** The list that the row was compared with; absent: it is not compared. */
	before?: Before;
	/** True if the list has shown a time to come in the field with the time to publish. */
	isTimeShown: boolean;
	/** Why the row would have been refused, had an earlier try not been sent. */
	error?: Error;
}

export type PlanOf<A extends Plan['action']> = Extract<Plan, { action: A }>;
