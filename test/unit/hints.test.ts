import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { hintsFor } from '../../nodes/LocalSeo/rows/hints';
import { rowContext } from '../support/rowContext';

const items = (...json: object[]) => json.map((one) => ({ json: one }) as INodeExecutionData);

function hints(
	resource: string,
	results: INodeExecutionData[][],
	{ options = {}, ofRun = [] as Array<string | undefined> } = {},
) {
	const rows = items(...results.map((_, index) => (index === 1 ? { row_number: 7 } : {})));
	const context = Object.assign(rowContext({ parameters: { resource, options } }), {
		getInputData: () => rows,
	}) as unknown as IExecuteFunctions;
	return hintsFor(context, results, ofRun);
}
const texts = (...of: Parameters<typeof hints>) => hints(...of).map(({ message }) => message);

test('where nothing was found, it says why that may be', () => {
	expect(hints('post', [[]])).toEqual([
		{
			message: 'No content posts were found. Check the location, or create a post for it first.',
			location: 'outputPane',
		},
	]);
	expect(texts('insight', [[]])).toEqual([expect.stringMatching(/^No \w+ were found\.$/)]);
	const queryParameters = { parameters: [] };
	expect(texts('post', [[]], { options: { queryParameters } })).toEqual([
		'No content posts were found. The query parameters may have filtered them out.',
	]);
});

test('of several rows, those that found nothing are named', () => {
	expect(texts('post', [items({}), [], []])).toEqual([
		'No content posts were found for 2 of 3 rows (7, 3). Check the location, or create a post for it first.',
	]);
	expect(texts('post', [items({}), items({})])).toEqual([]);
});

test('what the resource has to say of its records comes next, and then what the run has', () => {
	const closed = { id: 'loc_1', name: 'Bakery <East>', status: 'closed' };
	const failed = { ...closed, name: 'Mill', error: { message: 'No' } };
	expect(
		texts('location', [items(closed), [], items(failed)], {
			ofRun: ['It took a while.', undefined],
		}),
	).toEqual([
		expect.stringMatching(/^No locations were found for 1 of 3 rows \(7\)\./),
		expect.stringMatching(/^1 location is not active: Bakery &#60;East&#62; \(closed\)\./),
		'It took a while.',
	]);
});
