import type { INodeParameters } from 'n8n-workflow';

import {
	columnsRead,
	isByName,
	isFixed,
	rowsInRun,
	rowsOfRun,
	textOf,
} from '../../nodes/LocalSeo/rows/rowValues';
import { rowContext } from '../support/rowContext';

const holding = (it: unknown) => rowContext({ parameters: { it } as INodeParameters });
/** As a resource locator holds it. */
const locating = (value: unknown, mode = 'id') => holding({ __rl: true, mode, value });

describe('the columns that an expression reads', () => {
	test.each<[string, string[]]>([
		['={{ $json.city }}', ['city']],
		['={{ $json?.city }}', ['city']],
		['={{ $input.item.json.city }}', ['city']],
		['={{ $json["City Name"] }}', ['City Name']],
		["={{ $json['City Name'] }}", ['City Name']],
		['={{ $json[`City Name`] }}', ['City Name']],
		['={{ $json?.["City Name"] }}', ['City Name']],
		['={{ $json["It\'s"] }}', ["It's"]],
		['={{ $json.größe_1 }}', ['größe_1']],
		['={{ $json.$of_1.more }}', ['$of_1']],
		['={{ $json.shop }}, {{ $json["city"] }}, {{ $json.shop }}', ['shop', 'city', 'shop']],
		['={{ $json["a"] + $json["b"] }}', ['a', 'b']],
	])('of %s are found, in their order', (expression, columns) => {
		expect(columnsRead(holding(expression), 'it')).toEqual(columns);
		expect(columnsRead(locating(expression), 'it')).toEqual(columns);
	});

	test.each<[string, unknown]>([
		['a text that only looks like one', '{{ $json.city }}'],
		['a text with a sign of equality in it', 'a = {{ $json.city }}'],
		['another node', "={{ $('Sheet').item.json.city }}"],
		['another variable', '={{ $jsonp.city }}'],
		['the row as a whole', '={{ $json }}'],
		['a column by its place', '={{ $json[0] }}'],
		['a number', 7],
		['a parameter that is not there', undefined],
	])('are none in %s', (_, parameter) => {
		expect(columnsRead(holding(parameter), 'it')).toEqual([]);
		expect(columnsRead(locating(parameter), 'it')).toEqual([]);
	});
});

describe('a parameter', () => {
	test('is the same for all rows unless it is an expression', () => {
		for (const holdingIt of [holding, locating]) {
			expect(isFixed(holdingIt('loc_1'), 'it')).toBe(true);
			expect(isFixed(holdingIt('a = b'), 'it')).toBe(true);
			expect(isFixed(holdingIt(undefined), 'it')).toBe(true);
			expect(isFixed(holdingIt('={{ $json.id }}'), 'it')).toBe(false);
		}
	});

	test('holds a name if it says so', () => {
		expect(isByName(locating('Bakery East', 'name'), 'it')).toBe(true);
		expect(isByName(locating('loc_1'), 'it')).toBe(false);
		expect(isByName(holding('name'), 'it')).toBe(false);
		expect(isByName(holding(undefined), 'it')).toBe(false);
		expect(isByName(holding(null), 'it')).toBe(false);
	});
});

describe('the rows of a run', () => {
	const rows = [{ city: 'Leeds' }, { city: 'York' }];
	const items = rows.map((json) => ({ json }));

	test('are those that come in', () => {
		const context = rowContext({ parameters: {}, rows, index: 1 });
		expect(rowsOfRun(context)).toEqual(items);
		expect(rowsInRun(context)).toBe(2);
	});

	test.each<[string, object]>([
		['nothing', {}],
		['no input', { main: [] }],
		['an input that is not connected', { main: [null] }],
	])('are its own row where n8n says %s of the others', (_, data) => {
		const context = rowContext({ parameters: {}, rows, index: 1 });
		Object.assign(context, { getExecuteData: () => ({ data }) });
		expect(rowsOfRun(context)).toEqual([items[1]]);
		expect(rowsInRun(context)).toBe(1);
	});
});

test.each<[unknown, string]>([
	[' loc_1 ', 'loc_1'],
	[7, '7'],
	[0, '0'],
	[true, 'true'],
	[false, 'false'],
	['', ''],
	[null, ''],
	[undefined, ''],
	[{}, ''],
	[['loc_1'], ''],
	[7n, ''],
])('%p stands in a URL as "%s"', (value, text) => {
	expect(textOf(value)).toBe(text);
});
