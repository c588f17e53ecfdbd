import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';

import { rowParameters } from '../../nodes/LocalSeo/rows/rowParameters';

/**
 * A node with these parameters and rows. What n8n is asked for is noted; it answers `n8n: <name>`, and
 * evaluates an expression to what `evaluate` gives.
 */
function nodeWith(
	parameters: object,
	rows: object[] = [{}],
	evaluate: (code: string, row: number) => unknown = () => undefined,
) {
	const asked: unknown[] = [];
	const evaluated: string[] = [];
	const context = {
		getNode: () => ({ parameters: parameters as INodeParameters }),
		getInputData: () => rows.map((json) => ({ json })),
		getNodeParameter: (name: string, row: number, fallback?: unknown, options?: object) => {
			asked.push([name, row, ...(fallback === undefined ? [] : [fallback, options])]);
			return `n8n: ${name}`;
		},
		evaluateExpression: (code: string, row: number) => {
			evaluated.push(code);
			return evaluate(code, row);
		},
	};
	const row = rowParameters(context as unknown as IExecuteFunctions);
	return { row, asked, evaluated };
}

/** Of one parameter, for a row: its value, and whether n8n was asked for it. */
function read(parameter: unknown, row: object = {}, options?: object) {
	const node = nodeWith({ it: parameter }, [row]);
	const value = node.row(0)('it', undefined, options);
	return { value, isAsked: node.asked.length > 0 };
}

test('a parameter without an expression is asked for once, for all rows', () => {
	const { row, asked } = nodeWith({ title: 'A', options: { a: ['b', { c: null }] } }, [{}, {}]);
	for (const index of [0, 1, 1]) {
		expect(row(index)('title', 'fallback', { extractValue: true })).toBe('n8n: title');
		expect(row(index)('options')).toBe('n8n: options');
		expect(row(index)('missing')).toBe('n8n: missing');
	}
	expect(asked).toEqual([
		['title', 0, 'fallback', { extractValue: true }],
		['options', 0],
		['missing', 0],
	]);
});

test('a row asks for each of its parameters once', () => {
	const { row, asked } = nodeWith({ title: '={{ $now }}' }, [{}, {}]);
	const [first, second] = [row(0), row(1)];
	for (const ask of [first, first, second]) expect(ask('title')).toBe('n8n: title');
	expect(asked).toEqual([
		['title', 0],
		['title', 1],
	]);
});

test('a path into a parameter is left to n8n', () => {
	const { row, asked } = nodeWith({ options: { maxWait: '={{ $json.wait }}' } }, [{ wait: 7 }, {}]);
	expect(row(0)('options.maxWait')).toBe('n8n: options.maxWait');
	expect(row(1)('options.maxWait')).toBe('n8n: options.maxWait');
	expect(asked).toHaveLength(2);
});

describe('an expression that only reads a column', () => {
	const row = { title: 'A', 'City Name': 'B', of: { a: { b: 'C' } }, $x_1: 'D', list: [1] };

	test.each<[string, unknown]>([
		['={{ $json.title }}', 'A'],
		['={{$json.title}}', 'A'],
		['={{ $json["City Name"] }}', 'B'],
		["={{ $json['City Name'] }}", 'B'],
		['={{ $json.of.a["b"] }}', 'C'],
		['={{ $json.$x_1 }}', 'D'],
		['={{ $json.missing }}', undefined],
	])('%s is not evaluated', (expression, value) => {
		expect(read(expression, row)).toEqual({ value, isAsked: false });
	});

	test.each([
		['more text', '={{ $json.title }}!'],
		['text before it', '= {{ $json.title }}'],
		['a call', '={{ $json.title.trim() }}'],
		['an index', '={{ $json.list[0] }}'],
		['an optional one', '={{ $json?.title }}'],
		['the row as a whole', '={{ $json }}'],
		['the row by another name', '={{ $input.item.json.title }}'],
		['a template', '={{ $json[`title`] }}'],
		['an escaped name', '={{ $json["a\\u0062"] }}'],
		['a brace', '={{ $json["a}b"] }}'],
		['a name of every object', '={{ $json.toString }}'],
		['a name that n8n refuses', '={{ $json.__proto__ }}'],
		['what n8n searches for', '={{ $json["constructor"] }}'],
		['what n8n searches for, in a name', '={{ $json["my constructor"] }}'],
	])('is left to n8n with %s', (_, expression) => {
		expect(read(expression, row)).toEqual({ value: 'n8n: it', isAsked: true });
	});

	test.each([
		['a text', 'A'],
		['an empty text', ''],
		['a number', 0],
		['a boolean', false],
		['null', null],
		['nothing', undefined],
		['an emoji', '🎉'],
	])('gives %s as it is', (_, value) => {
		expect(read('={{ $json.a }}', { a: value })).toEqual({ value, isAsked: false });
	});

	test.each([
		['a list', [1]],
		['an object', {}],
		['a date', new Date(0)],
		['half of an emoji', '\ud83c'],
		['a BigInt', 1n],
	])('leaves %s to n8n', (_, value) => {
		expect(read('={{ $json.a }}', { a: value }).isAsked).toBe(true);
	});

	test.each(['__proto__', 'toString', 'of.__proto__'])(
		'leaves the name %s to n8n, also where the row has a column of it',
		(name) => {
			const own = JSON.parse('{"__proto__":"A","toString":"B","of":{"__proto__":"C"}}') as object;
			expect(read(`={{ $json.${name} }}`, own).isAsked).toBe(true);
		},
	);

	test('leaves to n8n what is below a value that is no object, or that the row has from elsewhere', () => {
		expect(read('={{ $json.a.b }}', {}).isAsked).toBe(true);
		expect(read('={{ $json.a.b }}', { a: null }).isAsked).toBe(true);
		expect(read('={{ $json.a }}', Object.create({ a: 'inherited' }) as object).isAsked).toBe(true);
	});
});

describe('where a parameter has several expressions', () => {
	const sheet = "={{ $('Sheet').item.json.title }}";
	const columns = { mappingMode: 'defineBelow', value: { a: '={{ $json.a }}', b: sheet, c: 'C' } };

	test('those of the row are taken from it, and the others are evaluated together', () => {
		const two = {
			value: { ...columns.value, d: '={{ $input.item.json.d }}' },
			list: ['={{ $json.a }}', 7, null],
		};
		const rows = [{ a: 'A' }, { a: 'AA' }];
		const { row, asked, evaluated } = nodeWith({ fields: two }, rows, () => ({ 1: 'B', 2: null }));
		const valuesOf = (a: string) => ({ value: { a, b: 'B', c: 'C', d: null }, list: [a, 7, null] });
		expect([row(0)('fields'), row(1)('fields')]).toEqual([valuesOf('A'), valuesOf('AA')]);
		const code = "{{ ({ 1: ($('Sheet').item.json.title), 2: ($input.item.json.d) }) }}";
		expect(evaluated).toEqual([code, code]);
		expect(asked).toEqual([]);
	});

	test('nothing is evaluated where all are of the row', () => {
		const fields = { a: '={{ $json.a }}', b: '={{ $json.b }}' };
		const { row, asked, evaluated } = nodeWith({ fields }, [{ a: 'A' }]);
		expect(row(0)('fields')).toEqual({ a: 'A', b: undefined });
		expect([...asked, ...evaluated]).toEqual([]);
	});

	test.each<[string, () => unknown]>([
		[
			'fails',
			() => {
				throw new Error('No such node');
			},
		],
		['gives nothing, since a value above is missing', () => undefined],
		['gives a value that is not plain', () => ({ 1: [] })],
	])('all of it is left to n8n from the first row on for which that %s', (_, evaluate) => {
		const rows = ['A', 'B', 'C'].map((a) => ({ a }));
		const { row, asked, evaluated } = nodeWith({ columns }, rows, evaluate);
		for (const index of [0, 1, 2]) expect(row(index)('columns')).toBe('n8n: columns');
		expect(asked).toEqual([
			['columns', 0],
			['columns', 1],
			['columns', 2],
		]);
		expect(evaluated).toHaveLength(1);
	});

	test('all of it is left to n8n if one of them does more than read', () => {
		const { row, evaluated } = nodeWith({ columns: { ...columns, now: '={{ $now }}' } }, [
			{ a: 'A' },
		]);
		expect(row(0)('columns')).toBe('n8n: columns');
		expect(evaluated).toEqual([]);
	});

	test('a single one that is not of the row costs n8n no more', () => {
		const { row, asked, evaluated } = nodeWith({ title: sheet });
		expect(row(0)('title')).toBe('n8n: title');
		expect(asked).toEqual([['title', 0]]);
		expect(evaluated).toEqual([]);
	});
});

test('of a resource locator, its value can be asked for', () => {
	const locator = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	const row = { id: 'loc_1' };
	expect(read(locator, row, { extractValue: true }).value).toBe('loc_1');
	expect(read(locator, row, { extractValue: false }).value).toEqual({ ...locator, value: 'loc_1' });
	expect(read(locator, row).value).toEqual({ ...locator, value: 'loc_1' });
	const other = { mode: '={{ $json.id }}' };
	expect(read(other, row, { extractValue: true }).value).toEqual({ mode: 'loc_1' });
	const valued = { value: '={{ $json.id }}' };
	expect(read(valued, row, { extractValue: true }).value).toEqual({ value: 'loc_1' });
});
