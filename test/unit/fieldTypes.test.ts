import { convert } from '../../nodes/LocalSeo/rows/read/fieldTypes';

test.each<[string | undefined, unknown, unknown]>([
	[undefined, '12', '12'],
	['number', ' 12.5 ', 12.5],
	['boolean', 'true', true],
	['array', '["a"]', ['a']],
	['object', '{"a":1}', { a: 1 }],
	['json', { a: 1 }, { a: 1 }],
	['string', 12, '12'],
	['string', new Date(0), '1970-01-01T00:00:00.000Z'],
])('as %p, %p is sent as %p', (type, value, sent) => {
	expect(convert(type, value)).toEqual({ value: sent });
});

test.each<[string, RegExp, unknown[]]>([
	['number', /a number/, ['ten', ' ', '0x1F', 'Infinity', true]],
	['number', /more digits/, ['17312345678901234567']],
	['json', /JSON/, ['{']],
	['string', /text/, [['a'], ['a', 'b'], {}]],
	['boolean', /true or false/, ['maybe']],
	['array', /a list/, ['a']],
	['object', /an object/, ['[']],
])('%p takes %s, and not %j', (type, name, values) => {
	const refused = values.map(() => ({ flaw: expect.stringMatching(name) }));
	expect(values.map((value) => convert(type, value))).toEqual(refused);
});
