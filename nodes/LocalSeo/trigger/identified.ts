import { isIdentified, type JsonObject } from '../client';

/** A record that can be recognized in the next poll. */
export type Identified = JsonObject & { id: number | string };

/** The records of a list that can be recognized; one without an ID can't be compared with anything. */
export function identified(records: unknown[]): Identified[] {
	return records.filter((record): record is Identified => isIdentified(record));
}

export function keyOf({ id }: Identified): string {
	return String(id);
}
