import { type Cell, jsonAt, type ValuePath } from './columns';

/** An entry with a date, or the member that is called by one. */
export interface DatedEntry {
	date: string;
	cells: Cell[];
}

/** A list whose entries have dates, or members that are called by them. */
export interface DatedTable {
	place: ValuePath;
	entries: DatedEntry[];
	/** Entries of the list without a date. */
	undated: unknown[];
	/** True if its dates stand for weeks or months. */
	isOfPeriods: boolean;
}

/** A response, taken apart: what has a date, and everything else. */
export interface Parts {
	tables: DatedTable[];
	around: Cell[];
}

export const hasDays = ({ entries }: DatedTable): boolean => entries.length > 0;

/** Values without a date: all around the tables, and the entries of these that have none, as JSON. */
export function withoutDate({ tables, around }: Parts): Cell[] {
	const undated = tables.filter((table) => table.undated.length > 0);
	return [...around, ...undated.map((table) => jsonAt(table.place, table.undated))];
}
