import type { Post, Sandbox } from '../sandbox';

/** What happened to rows that should be in the account exactly once each. */
export interface Ledger {
	/** Not in the account, or not as it was sent, though the node did not report it as failed. */
	lost: unknown[];
	/** In the account more than once; listed here once for each extra copy. */
	twice: unknown[];
	/** Reported as failed. */
	failed: unknown[];
}

export const NOTHING_WRONG: Ledger = { lost: [], twice: [], failed: [] };

interface OutputItem {
	id?: unknown;
	error?: unknown;
}

/**
 * Compares the rows of a sheet with the posts of the account and, if given, with the item that the node
 * returned for each row (undefined if it returned none).
 */
export function ledgerOf(
	sandbox: Sandbox,
	rows: ReadonlyArray<{ location_id?: unknown }>,
	results?: readonly OutputItem[],
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

/** The posts with the values of a row. */
function postsOf({ account }: Sandbox, row: { location_id?: unknown }): Post[] {
	const fields = Object.entries(row);
	return account
		.postsOf(String(row.location_id))
		.filter((post) => fields.every(([name, value]) => post[name] === value));
}
