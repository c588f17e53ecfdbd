import type { IfExists } from './options';

/** What became of a row whose record may exist already; its item has a field of that name. */
export type Became = 'created' | 'updated' | 'unchanged' | 'skipped';

/** Those that an item says, by what is done with a record that already exists. */
const SAID: Record<IfExists, Became[]> = {
	create: [],
	skip: ['skipped'],
	update: ['created', 'updated', 'unchanged'],
};

/** What became of a row, where its item says so. */
export function saidOf(became: Became, ifExists: IfExists): Became | undefined {
	return SAID[ifExists].find((said) => said === became);
}
