import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../sandbox';
import { byId, incomingRow } from './fixture';

/** The post create of a sheet's rows, as the example workflow has it. */
export const createPosts = {
	resource: 'post',
	operation: 'create',
	locationId: byId('={{ $json.location_id }}'),
	fields: incomingRow,
};

/** Rows of a sheet, a few a location, each with texts of its own. */
export function sheetOf(sandbox: Sandbox, count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		location_id: sandbox.account.locations[index % 3].id,
		title: `Offer number ${index + 1}`,
		content: `What row ${index + 1} of the sheet has to say`,
	}));
}

/** What became of rows that were to be posted once each. */
export interface Ledger {
	/** Neither in the account nor said to be missing. */
	lost: unknown[];
	/** In the account more than once. */
	twice: unknown[];
	/** Said to have failed. */
	failed: unknown[];
}

/** Compares what the node gave for each row (or nothing, where it stopped) with the account. */
export function ledgerOf(sandbox: Sandbox, rows: IDataObject[], results: IDataObject[]): Ledger {
	const ledger: Ledger = { lost: [], twice: [], failed: [] };
	rows.forEach((row, index) => {
		const posts = sandbox.account
			.postsOf(row.location_id as string)
			.filter(({ title, content }) => title === row.title && content === row.content);
		const result = results[index];
		const isTold = result?.error !== undefined;
		if (isTold) ledger.failed.push({ row, error: result.error });
		if (posts.length === 0 && !isTold) ledger.lost.push(row);
		if (posts.length > 1) ledger.twice.push(row);
		if (!isTold && posts.length === 1 && result?.id !== posts[0].id)
			ledger.lost.push({ row, result });
	});
	return ledger;
}

export const NOTHING_WRONG: Ledger = { lost: [], twice: [], failed: [] };
