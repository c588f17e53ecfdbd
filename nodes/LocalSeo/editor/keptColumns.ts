import type { ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

import { isEmpty } from '../client';

/**
 * The columns that are offered, with what the user has filled in kept: n8n drops the value of a column
 * that is no longer offered, and refuses to run a node with a fixed value that does not fit the type of
 * its column. So a column that is filled stays, and keeps its type.
 *
 * @param mapping as the node has it now
 */
export function keepFilled(
	offered: ResourceMapperField[],
	{ value, schema }: Partial<ResourceMapperValue>,
): ResourceMapperField[] {
	const filled = new Map(
		(schema ?? []).filter(({ id }) => !isEmpty(value?.[id])).map((column) => [column.id, column]),
	);
	const kept = offered.map((column) => {
		const before = filled.get(column.id);
		filled.delete(column.id);
		return before ? { ...column, type: before.type, options: before.options } : column;
	});
	return [...kept, ...filled.values()];
}
