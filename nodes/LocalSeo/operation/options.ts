import type { IExecuteSingleFunctions } from 'n8n-workflow';

/** The `options` collection as it arrives; every option may be absent. */
export interface Options {
	additionalFields?: { fields?: Array<{ name?: string; type?: string; value?: unknown }> };
	excludeColumns?: unknown;
	matchFields?: unknown;
	/** Seconds. */
	maxWait?: number;
	output?: 'raw' | 'rows';
	pageParameter?: string;
	pageSize?: number;
	pageSizeParameter?: string;
	queryParameters?: { parameters?: Array<{ name?: string; value?: unknown }> };
	simplify?: boolean;
	skipExisting?: boolean;
}

/** Names separated by commas; an expression may also give a list. */
export function namesIn(value: unknown): string[] {
	const text = [value ?? ''].flat().join(',');
	return text
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

export function readOptions(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}
