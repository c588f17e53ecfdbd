import { convert } from '../../nodes/LocalSeo/host/fieldTypes';

const context = { getTimezone: () => 'Europe/Berlin' };

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
	['string', ['a'], '["a"]'],
	['string', new Date(0), '1970-01-01T00:00:00.000Z'],
	['dateTime', '2026-12-31', '2026-12-31'],
	['dateTime', '2026-12-31T18:00+02:00', '2026-12-31T18:00+02:00'],
	['dateTime', '2026-12-31T18:00', '2026-12-31T18:00:00.000+01:00'],
	['dateTime', '2026-07-01 18:00', '2026-07-01T18:00:00.000+02:00'],
])('as %p, %p is sent as %p', (type, value, sent) => {
	expect(convert(context, type, value)).toEqual({ value: sent });
});

test('a date object is sent as the same time', () => {
	const { value } = convert(context, 'dateTime', new Date(0)) as { value: string };
	expect(Date.parse(value)).toBe(0);
});

test.each<[string, unknown, RegExp]>([
	['number', 'ten', /a number/],
	['number', ' ', /a number/],
	['number', 'Infinity', /a number/],
	['number', true, /a number/],
	['boolean', 'maybe', /true or false/],
	['array', 'a', /a list/],
	['object', '[', /an object/],
	['json', '{', /JSON/],
	['dateTime', 'offer 12', /a date/],
	['dateTime', 46_387, /a date/],
	['dateTime', '2026-02-31', /a date/],
	['dateTime', '2026-13-01', /a date/],
	['dateTime', { year: 2026 }, /a date/],
])('%p does not take %p', (type, value, name) => {
	expect(convert(context, type, value)).toEqual({ flaw: expect.stringMatching(name) });
});
