import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { NOUNS } from '../client/nouns';
import type { Options } from './options';

/** How many names a hint lists. */
const MOST_NAMES = 3;

/** What a list that is empty may mean. */
const WHY_EMPTY: Record<string, string> = {
	location: 'Check that the API key belongs to the right organisation.',
	keyword: 'Check the location, or add a keyword to it first.',
	rankScan: 'Check the keyword: it may not have been scanned yet.',
	post: 'Check the location, or create a post for it first.',
};

/** n8n leaves out what is as it was at first. */
const DEFAULT_RESOURCE = 'location';
const WHY_FILTERED = 'The option Query Parameters may leave them out.';

/** What is worth saying about the results, beside the items; `results` by row. */
export function hintsFor(
	context: IExecuteFunctions,
	results: INodeExecutionData[][],
): NodeExecutionHint[] {
	// As they stand in the node: an expression that fails must not take the results with it.
	const { parameters } = context.getNode();
	const resource = String(parameters.resource ?? DEFAULT_RESOURCE);
	const { queryParameters } = (parameters.options ?? {}) as Options;
	const why = queryParameters ? WHY_FILTERED : WHY_EMPTY[resource];
	const hints = [nothingFound(NOUNS[resource], why, results)];
	if (resource === 'location') hints.push(notActive(results.flat()));
	return hints
		.filter((message) => message !== undefined)
		.map((message) => ({ message, location: 'outputPane' }));
}

function nothingFound(noun: string, why: string | undefined, results: INodeExecutionData[][]) {
	const empty = results.filter((items) => items.length === 0).length;
	if (empty === 0) return undefined;
	const rows = results.length > 1 ? ` for ${empty} of ${results.length} rows` : '';
	return `No ${noun}s were found${rows}. ${why ?? ''}`.trim();
}

/** `active` is the only status that the interface shows; what others mean is the service's matter. */
function notActive(items: INodeExecutionData[]): string | undefined {
	const others = items.filter(({ json: { status, error } }) => {
		return !error && typeof status === 'string' && status !== '' && status !== 'active';
	});
	if (others.length === 0) return undefined;
	const names = others
		.slice(0, MOST_NAMES)
		.map(({ json: { name, id, status } }) => `${name ?? id} (${status})`);
	if (others.length > MOST_NAMES) names.push(`${others.length - MOST_NAMES} more`);
	const count = others.length === 1 ? '1 location is' : `${others.length} locations are`;
	return `${count} not active: ${names.join(', ')}. The service may hold back scans and posts there.`;
}
