import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { asHtml } from '../host/shown';
import { type Resource, resourceOf } from '../resources';
import { numbersOf } from './failedItem';
import type { Options } from './options';

const WHY_FILTERED = 'The query parameters may have filtered them out.';

/**
 * What the user should know about the results.
 *
 * @param results the items of each row
 * @param ofRun about the run as a whole: rows that failed, what held it up
 */
export function hintsFor(
	context: IExecuteFunctions,
	results: INodeExecutionData[][],
	ofRun: Array<string | undefined>,
): NodeExecutionHint[] {
	// Read unresolved: an expression that fails here must not lose the results.
	const { parameters } = context.getNode();
	const resource = resourceOf(parameters.resource);
	const { queryParameters } = parameters.options as Options;
	const why = queryParameters ? WHY_FILTERED : resource.whyEmpty;
	const records = results
		.flat()
		.map(({ json }) => json)
		.filter(({ error }) => !error);
	return [
		nothingFound(resource, why, results, context.getInputData()),
		resource.notice?.(records, parameters),
		...ofRun,
	]
		.filter((message) => message !== undefined)
		.map((message) => ({ message: asHtml(message), location: 'outputPane' }));
}

function nothingFound(
	{ noun }: Resource,
	why: string | undefined,
	results: INodeExecutionData[][],
	rows: INodeExecutionData[],
) {
	const empty = results.flatMap((items, index) => (items.length === 0 ? [index] : []));
	if (empty.length === 0) return undefined;
	const where =
		results.length > 1
			? ` for ${empty.length} of ${results.length} rows (${numbersOf(rows, empty)})`
			: '';
	return `No ${noun}s were found${where}. ${why ?? ''}`.trim();
}
