import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { idOf } from '../client';
import { asHtml } from '../host/words';
import { type Resource, resourceOf } from '../service';
import { numbersOf } from './failedItem';
import type { Note } from './note';
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

/** What rows have noted, but `late`, which needs their numbers. */
export function notesHints({ noun }: Resource, notes: Array<{ what: Note }>): string[] {
	const isNoted = (note: Note) => notes.some(({ what }) => what === note);
	return [
		...(isNoted('partly-compared')
			? [`The list of ${noun}s is incomplete: not all of them could be compared with your rows.`]
			: []),
		...(isNoted('first-page')
			? [
					`The service refused the second page, so these are the ${noun}s of the first. If there are more, set the option Technical: Page Parameter.`,
				]
			: []),
	];
}

/** Records of their own have IDs of their own; a mock, or a service that was reset, gives them again. */
export function sameIdHint(results: INodeExecutionData[][]): string | undefined {
	const counts = new Map<string, number>();
	for (const [item] of results) {
		const { skipped, updated, unchanged, error } = item?.json ?? {};
		const id = skipped || updated || unchanged || error ? undefined : idOf(item?.json);
		if (id !== undefined) counts.set(id, (counts.get(id) ?? 0) + 1);
	}
	const [most = ['', 0]] = [...counts].sort(([, a], [, b]) => b - a);
	const [id, count] = most;
	if (count < 2) return undefined;
	return `${count} items came back with the same ID (${id}). Is this a mock, or was the service reset?`;
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
