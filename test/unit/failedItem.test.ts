import {
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import {
	failedItem,
	messageOf,
	messageOfRow,
	numbersOf,
} from '../../nodes/LocalSeo/rows/failedItem';
import { rowContext } from '../support/rowContext';

const node = { name: 'Local SEO' } as INode;
const rows = (...json: object[]) => json.map((one) => ({ json: one }) as INodeExecutionData);

test.each<[unknown, string]>([
	[7, '7'],
	['7', '7'],
	[0, '1'],
	[-7, '1'],
	[7.5, '1'],
	['seven', '1'],
	['', '1'],
	[null, '1'],
	[[7], '1'],
	[undefined, '1'],
	[2 ** 53, '1'],
])('a row with the number %p in its sheet is called %s', (row_number, called) => {
	expect(numbersOf(rows({ row_number }), [0])).toBe(called);
});

test('ten rows are listed, the others are counted', () => {
	const all = rows(...Array.from({ length: 12 }, () => ({})));
	const indexes = all.map((_, index) => index);
	expect(numbersOf(all, indexes.slice(0, 10))).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10');
	expect(numbersOf(all, indexes)).toBe('1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more');
});

test('a message names its row where there are several, or where its sheet has numbers', () => {
	expect(messageOf({}, 0, 1, 'It rains')).toBe('It rains');
	expect(messageOf({}, 1, 3, 'It rains')).toBe('Row 2 of 3: It rains');
	expect(messageOf({ row_number: 9 }, 0, 1, 'It rains')).toBe('Row 9: It rains');
	const context = rowContext({ parameters: {}, rows: [{}, {}], index: 1 });
	expect(messageOfRow(context, 'It rains')).toBe('Row 2 of 2: It rains');
});

describe('the item of a row that failed', () => {
	const failure = new NodeOperationError(node, 'It rains', { description: 'Take an umbrella.' });
	const of = (onError?: string, item: Partial<INodeExecutionData> = {}) => {
		const context = rowContext({ parameters: {}, rows: [{}, { title: 'A' }], index: 1 });
		const row = { ...context.getInputData(), ...item };
		return Object.assign(context, {
			getNode: () => ({ onError }),
			getInputData: () => row,
		});
	};
	const error = {
		message: 'Row 2 of 2: It rains',
		description: 'Take an umbrella.',
		httpCode: null,
	};

	test('has its columns, and why it failed', () => {
		expect(failedItem(of(), failure)).toEqual({
			json: { title: 'A', error },
			pairedItem: { item: 1 },
		});
	});

	test('has no columns for the error output, where n8n adds them', () => {
		expect(failedItem(of('continueErrorOutput'), failure).json).toEqual({ error });
	});

	test('has the files of the row', () => {
		const binary = { data: { data: '', mimeType: 'text/plain' } };
		expect(failedItem(of(undefined, { binary }), failure)).toMatchObject({ binary });
	});

	test('has the status with which the service refused it', () => {
		const refused = new NodeApiError(node, {}, { message: 'No', httpCode: '422' });
		const { json } = failedItem(of(), refused);
		expect(json.error).toMatchObject({ httpCode: '422', description: null });
	});
});
