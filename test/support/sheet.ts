import type { IDataObject } from 'n8n-workflow';

import type { Sandbox } from '../../dev/sandbox';
import { byId, incomingRow } from './fixture';

/** The post create of a sheet's rows, as the example workflow has it: what exists is skipped. */
export const postSheet = {
	resource: 'post',
	operation: 'create',
	locationId: byId('={{ $json.location_id }}'),
	fields: incomingRow,
};

/** The same without a look at what exists: one request a row. */
export const createPosts = { ...postSheet, ifExists: 'create' };

/** Rows of a sheet, a few a location, each with texts of its own. */
export function sheetOf(sandbox: Sandbox, count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		location_id: sandbox.account.locations[index % 3].id,
		title: `Offer number ${index + 1}`,
		content: `What row ${index + 1} of the sheet has to say`,
	}));
}
