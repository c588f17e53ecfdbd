import type { JsonObject, ServiceRequest } from '../../client';
import type { Row } from '../read/row';
import type { SheetColumns } from './columns';
import type { Existing } from './existing';
import type { AccountFields } from './fields';

/** Facts on which the plan of some rows rests: all that was read for them, and nothing that may still change. */
export interface Facts {
	/** The time on the wall (ms). */
	now: number;
	/** The columns that are sent, and what the account shows of its fields; absent: the rows have no body. */
	columns?: SheetColumns;
	fields?: AccountFields;
	/** The lists that rows are compared with, or why one could not be read, by the address of the list. */
	lists: ReadonlyMap<string, Existing | Error>;
	/** By the ID of a location: its name as the account has it, or why the location can't be used. */
	locations: ReadonlyMap<string, LocationFact>;
	/** IDs by the names that rows give for locations, or why a name does not tell which. */
	named: ReadonlyMap<string, string | Error>;
	/** Records that would be changed, or why one could not be read; of a dry run alone. */
	records: ReadonlyMap<string, JsonObject | Error>;
	/** True if an earlier try of the row was sent: the client knows what became of it. */
	isRepeat(row: Row): boolean;
}

export type LocationFact = { name?: string; error?: Error };

/** Tells one list, or one record, from others. */
export const addressOf = ({ path, ids }: ServiceRequest): string => JSON.stringify([path, ids]);
