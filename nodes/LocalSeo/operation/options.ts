import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { PageOptions } from '../parameters/pageOptions';

/** The `options` collection as n8n provides it; every option may be absent. */
export interface Options extends PageOptions {
	additionalFields?: { fields?: Array<{ name?: string; type?: string; value?: unknown }> };
	dryRun?: unknown;
	excludeColumns?: unknown;
	includeInputFields?: boolean;
	matchFields?: unknown;
	/** Seconds. */
	maxWait?: number;
	queryParameters?: { parameters?: Array<{ name?: string; value?: unknown }> };
	simplify?: boolean;
}

/** The parameter If It Already Exists; only the value that says so creates without looking. */
export function skipsExisting(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): boolean {
	return context.getNodeParameter('ifExists', 'skip') !== 'create';
}

/** The option Dry Run: where its expression gives anything but a clear no, nothing is sent. */
export function isDryRun(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): boolean {
	const options = readOptions(context);
	return 'dryRun' in options && String(options.dryRun).trim().toLowerCase() !== 'false';
}

export function readOptions(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}
