import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../dev/sandbox';
import { runNode } from './engine';
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

export const plainRows = (count: number) =>
	Array.from({ length: count }, (_, row) => ({
		location_id: 'loc_1',
		title: `Row ${row}`,
		content: `Of ${row}`,
	}));

/** Posts rows to a service of our own making, with one request a row, unless they are compared first. */
export async function postTo(
	origin: string,
	rows: IDataObject[],
	apiKey = 'any',
	parameters: INodeParameters = createPosts,
) {
	const credential = { baseUrl: origin, apiKey };
	return await runNode({ credential, rows, parameters });
}

/** Rows of a sheet, a few a location, each with texts of its own. */
export function sheetOf(sandbox: Sandbox, count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({
		location_id: sandbox.account.locations[index % 3].id,
		title: `Offer number ${index + 1}`,
		content: `What row ${index + 1} of the sheet has to say`,
	}));
}
