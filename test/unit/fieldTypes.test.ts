import { convert } from '../../nodes/LocalSeo/host/fieldTypes';

test.each<[string | undefined, unknown, unknown]>([
	[undefined, '12', '12'],
	['options', 'a', 'a'],
	['number', ' 12.5 ', 12.5],
	['number', 0, 0],
	['boolean', 'true', true],
	['array', '["a"]', ['a']],
	['object', '{"a":1}', { a: 1 }],
	['json', '{"a":1}', { a: 1 }],
	['json', { a: 1 }, { a: 1 }],
	['string', 12, '12'],
	['string', new Date(0), '1970-01-01T00:00:00.000Z'],
])('as %p, %p is sent as %p', (type, value, sent) => {
	expect(convert(type, value)).toEqual({ value: sent });
});

test.each<[string, unknown, RegExp]>([
	['number', 'ten', /a number/],
	['number', ' ', /a number/],
	['number', '0x1F', /a number/],
	['number', '17312345678901234567', /more digits/],
	['json', '[17312345678901234567]', /more digits/],
	['string', ['a'], /text/],
	['string', ['a', 'b'], /text/],
	['string', {}, /text/],
	['number', 'Infinity', /a number/],
	['number', true, /a number/],
	['boolean', 'maybe', /true or false/],
	['array', 'a', /a list/],
	['object', '[', /an object/],
	['json', '{', /JSON/],
])('%p does not take %p', (type, value, name) => {
	expect(convert(type, value)).toEqual({ flaw: expect.stringMatching(name) });
});
