import type { IExecutePaginationFunctions, ResourceMapperValue } from 'n8n-workflow';

import { columnsIn } from './row';

type Context = IExecutePaginationFunctions;

/** How columns of the row become fields; not used where the body is JSON. */
export function readMapping(context: Context): Partial<ResourceMapperValue> {
	return context.getNodeParameter('fields', {}) as Partial<ResourceMapperValue>;
}

/** What a field is called in the panel, where it was mapped there; else by its name in the row. */
export function labelOfField(context: Context, id: string): string {
	const { schema, mappingMode } = readMapping(context);
	const column = schema?.find((one) => one.id === id);
	if (!column || isAutomatic({ mappingMode }) || isJson(context)) return id;
	return column.displayName.replace(/ \(assumed\)$/, '');
}

/** The column of the row from which a field gets its value, if it is one alone. */
export function columnOfField(context: Context, id: string): string | undefined {
	if (isJson(context)) return undefined;
	if (isAutomatic(readMapping(context))) return id;
	// Unresolved, as in the panel.
	const mapping = context.getNode().parameters.fields as Partial<ResourceMapperValue> | undefined;
	const columns = columnsIn(mapping?.value?.[id]);
	return columns.length === 1 ? columns[0] : undefined;
}

/** Whether the body is written as JSON. */
export function isJson(context: Context): boolean {
	return context.getNodeParameter('dataToSend') === 'json';
}

export function isAutomatic({ mappingMode }: Partial<ResourceMapperValue>): boolean {
	return mappingMode === 'autoMapInputData';
}
