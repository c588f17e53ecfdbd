import { runNode } from '../support/engine';
import { byId } from '../support/fixture';

/** Rows of a sheet, all different. */
export const sheet = (rows: number) =>
	Array.from({ length: rows }, (_, row) => ({ title: `Row ${row}`, content: `Of ${row}` }));

/** Runs the node in n8n's engine: each row becomes a content post. */
export async function createPosts(origin: string, rows: Array<{ title: string }>, apiKey = 'any') {
	return await runNode({
		credential: { baseUrl: origin, apiKey },
		rows,
		parameters: {
			resource: 'post',
			operation: 'create',
			locationId: byId('loc_1'),
			fields: { mappingMode: 'autoMapInputData', value: null },
			ifExists: 'create',
		},
	});
}
