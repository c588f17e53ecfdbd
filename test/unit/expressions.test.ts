import { columnsRead } from '../../nodes/LocalSeo/rows/read/expressions';

test.each([
	['={{ $json.when }} {{ $json["Go live"] }}', ['when', 'Go live']],
	["={{ $json['a b'].trim() }}", ['a b']],
	['={{ $json.été }}', ['été']],
	// Other ways to read a column are not looked for.
	['={{ $json?.when }} {{ $input.item.json.c }}', []],
	['$json.when', []],
	['={{ $now }}', []],
	[undefined, []],
])('%j reads the columns %j', (expression, columns) => {
	expect(columnsRead(expression)).toEqual(columns);
});
