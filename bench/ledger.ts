import type { Post, Sandbox } from '../sandbox';
import { COLUMNS, type Row } from './rows';

/** What became of the records that a run was about. */
export interface Ledger {
	/** Not there, or there with other content. */
	lost: number;
	/** How many are there more often than once, each further time counted. */
	doubled: number;
}

function compare(expected: string[], found: string[]): Ledger {
	const times = new Map<string, number>();
	for (const key of found) times.set(key, (times.get(key) ?? 0) + 1);
	return {
		lost: expected.filter((key) => !times.has(key)).length,
		doubled: found.length - times.size,
	};
}

/** Compares the ids that a list gave with the locations that the account has. */
export function listLedger({ account }: Sandbox, ids: string[]): Ledger {
	return compare(
		account.locations.map(({ id }) => id),
		ids,
	);
}

/** Compares the posts that the account has got with the rows they were made of. */
export function postLedger({ account }: Sandbox, rows: Row[]): Ledger {
	const keyOf = (record: Row | Post) =>
		JSON.stringify([record.location_id, ...COLUMNS.map((name) => record[name])]);
	const titles = new Set(rows.map(({ title }) => title));
	const posts = account.locations
		.flatMap(({ id }) => account.postsOf(id))
		.filter(({ title }) => titles.has(title));
	return compare(rows.map(keyOf), posts.map(keyOf));
}
