import type { IExecuteSingleFunctions } from 'n8n-workflow';

import type { PageOptions } from '../panel/values';
import { upsertsRecord } from '../service';

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

export type IfExists = 'create' | 'skip' | 'update';

/**
 * What is done with a row whose record already exists: as the operation says or, where that leaves it
 * open, the parameter If It Already Exists; only the value that says so creates without looking.
 */
export function ifExistsOf(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): IfExists {
	if (upsertsRecord({ value: String(context.getNodeParameter('operation')) })) return 'update';
	return context.getNodeParameter('ifExists', 'skip') === 'create' ? 'create' : 'skip';
}

/** The option Dry Run: where its expression gives anything but a clear no, nothing is sent. */
export function isDryRun(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): boolean {
	const options = readOptions(context);
	return 'dryRun' in options && String(options.dryRun).trim().toLowerCase() !== 'false';
}

export function readOptions(context: Pick<IExecuteSingleFunctions, 'getNodeParameter'>): Options {
	return context.getNodeParameter('options', {}) as Options;
}
