import { isRecord } from '../client';
import type { IfExists } from './options';

/** What became of a row whose record may exist already; its item has a field of that name. */
export type Became = 'created' | 'updated' | 'unchanged' | 'skipped';

const BECAME: Record<IfExists, Became[]> = {
	create: [],
	skip: ['skipped'],
	update: ['created', 'updated', 'unchanged'],
};

/** What the items of a row say, by what is done with a record that already exists. */
export function becameOf(records: unknown[], ifExists: IfExists): Became | undefined {
	return BECAME[ifExists].find((name) =>
		records.some((record) => isRecord(record) && record[name] === true),
	);
}
