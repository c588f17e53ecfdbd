import { readServiceMessage } from '../../../nodes/LocalSeo/client/http/serviceMessage';

// The shapes of whole rejections are in test/node/ordinary/refused.test.ts.

test.each<[string, unknown, string | undefined, string[]]>([
	['the first text under a usual name', { message: '', detail: 'Closed' }, 'Closed', []],
	['plain text, on one line', '  Closed\n  on Sunday ', 'Closed on Sunday', []],
	['the heading of a page', '<h1 class="a">Not here</h1>', 'Not here', []],
	['a page without a title', '<p>nginx</p>', undefined, []],
	['nothing in an empty text', ' \n', undefined, []],
	['nothing in a number', 7, undefined, []],
	['nothing in null', null, undefined, []],
	['nothing in an object without texts', { code: 7 }, undefined, []],
	['no errors', { errors: null }, undefined, []],
	['empty errors', { errors: ['', '  '] }, undefined, []],
	['a path as a list', { detail: [{ loc: ['body', 0], msg: 'No' }] }, undefined, ['body.0: No']],
	['violations', { violations: [{ propertyPath: 'a', title: 'No' }] }, undefined, ['a: No']],
	['details in error', { error: { details: [{ message: 'No' }] } }, undefined, ['No']],
	['an object by field', { errors: { a: { message: 'No' } } }, undefined, ['a: No']],
	['several by field', { errors: { a: ['Long', 'Rude'] } }, undefined, ['a: Long, Rude']],
	['an error without a text', { errors: [{ code: 7 }] }, undefined, ['{"code":7}']],
	['entries that are neither', { errors: [7, null, ['x']] }, undefined, []],
])('the message is %s', (_, body, text, fields) => {
	expect(readServiceMessage(body)).toEqual(text === undefined ? { fields } : { text, fields });
});

test('each text is cut at 500 characters', () => {
	expect(readServiceMessage({ message: 'x'.repeat(501) }).text).toBe(`${'x'.repeat(500)}…`);
	expect(readServiceMessage({ message: 'x'.repeat(500) }).text).toBe('x'.repeat(500));
	const { fields } = readServiceMessage({ errors: { title: 'x'.repeat(600) } });
	expect(fields).toEqual([`title: ${'x'.repeat(493)}…`]);
});

test('of many fields ten are read, with names of a hundred characters', () => {
	const long = 'n'.repeat(20_000_000);
	const many = Array.from({ length: 200_000 }, (_, at) => ({ field: `f${at}`, message: 'No' }));
	const listed = readServiceMessage({ errors: many });
	expect(listed).toMatchObject({
		fields: expect.arrayContaining(['f0: No', 'f9: No']),
		more: 199_990,
	});
	const byField = Object.fromEntries(many.map(({ field }) => [field, [field, field]]));
	expect(readServiceMessage({ errors: byField })).toMatchObject({ more: 199_990 });
	const { fields, text } = readServiceMessage({
		message: long,
		errors: { [long]: Array(1_000).fill(long) },
	});
	expect(fields[0].slice(0, 104)).toBe(`${'n'.repeat(100)}: nn`);
	expect([fields.length, fields[0].length, text?.length]).toEqual([1, 501, 501]);
});
