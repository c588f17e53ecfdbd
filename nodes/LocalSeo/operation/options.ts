import type { IExecuteSingleFunctions } from 'n8n-workflow';

/** The `options` collection as it arrives; every option may be absent. */
export interface Options {
	additionalFields?: { fields?: Array<{ name?: string; type?: string; value?: unknown }> };
	excludeColumns?: string;
	matchFields?: string;
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

export function readOptions(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}
