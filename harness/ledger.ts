import type { Post, Sandbox } from '../sandbox';

/** What became of rows that were to be in the account once each. */
export interface Ledger {
	/** Not in the account, or not as it was sent, though the node did not report it as failed. */
	lost: unknown[];
	/** In the account more than once; once here for each time too many. */
	twice: unknown[];
	/** Reported as failed. */
	failed: unknown[];
}

export const NOTHING_WRONG: Ledger = { lost: [], twice: [], failed: [] };

interface PutOut {
	id?: unknown;
	error?: unknown;
}

/**
 * Compares the rows of a sheet with the posts of the account, and with what the node put out for each
 * row where that is given (an empty place: nothing).
 */
export function ledgerOf(
	sandbox: Sandbox,
	rows: ReadonlyArray<{ location_id?: unknown }>,
	results?: readonly PutOut[],
): Ledger {
	const ledger: Ledger = { lost: [], twice: [], failed: [] };
	rows.forEach((row, index) => {
		const result = results?.[index];
		const [post, ...more] = postsOf(sandbox, row);
		ledger.twice.push(...more.map(() => row));
		if (result?.error !== undefined) ledger.failed.push({ row, error: result.error });
		else if (post === undefined) ledger.lost.push(row);
		else if (results && more.length === 0 && result?.id !== post.id)
			ledger.lost.push({ row, result });
	});
	return ledger;
}

/** The posts that carry what a row holds. */
function postsOf({ account }: Sandbox, row: { location_id?: unknown }): Post[] {
	const fields = Object.entries(row);
	return account
		.postsOf(String(row.location_id))
		.filter((post) => fields.every(([name, value]) => post[name] === value));
}

/** Compares the IDs that a list gave with the locations of the account. */
export function listLedgerOf({ account }: Sandbox, ids: string[]): Ledger {
	const given = new Set<string>();
	const twice: string[] = [];
	for (const id of ids) {
		if (given.has(id)) twice.push(id);
		given.add(id);
	}
	const lost = account.locations.map(({ id }) => id).filter((id) => !given.has(id));
	return { lost, twice, failed: [] };
}
