import { wordsOf } from '../../../nodes/LocalSeo/client/http/words';

test.each<[string, unknown, string | undefined, fields?: string[]]>([
	['message before all others', { title: 'No', error: 'No', message: 'Closed' }, 'Closed'],
	['error.message', { error: { code: 7, message: 'Closed' }, detail: 'No' }, 'Closed'],
	['detail before title (ProblemDetails)', { title: 'No', detail: 'Closed' }, 'Closed'],
	['plain text, on one line', '  Closed\n  on Sunday ', 'Closed on Sunday'],
	['the heading of a page', '<h1 class="a">Not here</h1>', 'Not here'],
	['a page without a title', '<p>nginx</p>', undefined],
	['no message of a list in data', { title: 'No', data: [{ message: 'Closed' }] }, 'No'],
	...[7, false].map((body): [string, unknown, string] => ['a bare value', body, String(body)]),
	...[' \n', null, {}].map((body): [string, unknown, undefined] => ['none', body, undefined]),
	['a text by field', { errors: { a: ['Long', 'Rude'] } }, undefined, ['a: Long, Rude']],
	['an object by field', { errors: { a: { message: 'No' } } }, undefined, ['a: No']],
	['a list of texts', { errors: ['a is long', 'b'] }, undefined, ['a is long', 'b']],
	['an entry with its field', { errors: [{ field: 'a', message: 'No' }] }, undefined, ['a: No']],
	['an entry without a field', { errors: [{ detail: 'No' }] }, undefined, ['No']],
	['both', { message: 'Invalid', errors: { a: ['Long'] } }, 'Invalid', ['a: Long']],
	['no empty entry', { message: 'Invalid', errors: ['', '  '] }, 'Invalid'],
])('the message is %s: %j', (_, body, text, fields = []) => {
	expect(wordsOf(body)).toEqual({ text, fields });
});

test.each([
	{ code: 7 },
	{ errors: null },
	{ detail: [{ loc: ['body', 0], msg: 'No' }] },
	{ error: { details: [{ message: 'No' }] } },
	['No'],
])('of any other body its beginning is shown: %j', (body) => {
	expect(wordsOf(body)).toEqual({ text: JSON.stringify(body), fields: [] });
	const long = { ...body, note: 'x'.repeat(1_000) };
	expect(wordsOf(long).text).toBe(`${JSON.stringify(long).slice(0, 200)}…`);
});

test('of many fields ten are read, with names of 100 characters and texts of 500', () => {
	const long = 'n'.repeat(2_000_000);
	expect(wordsOf({ message: long.slice(0, 500) }).text).toBe(long.slice(0, 500));
	const many = Array.from({ length: 20_000 }, (_, at) => ({ field: `f${at}`, message: 'No' }));
	const first = many.slice(0, 10).map(({ field }) => `${field}: No`);
	expect(wordsOf({ errors: many })).toMatchObject({ fields: first, more: 19_990 });
	const byField = Object.fromEntries(many.map(({ field, message }) => [field, [message]]));
	expect(wordsOf({ errors: byField })).toMatchObject({ fields: first, more: 19_990 });
	const errors = { [long]: Array(1_000).fill(long) };
	expect(wordsOf({ message: long, errors })).toEqual({
		text: `${'n'.repeat(500)}…`,
		fields: [`${'n'.repeat(100)}: ${'n'.repeat(398)}…`],
	});
});

// Read in quadratic time, one of these would outlast jest's timeout by far.
test.each(['<title ', '<a href="', '\\', '&#x41;&amp;', '<h1>', 'no '])(
	'a megabyte of %j is read in time',
	(text) => {
		const body = text.repeat(2 ** 20 / text.length);
		expect(wordsOf(body).text ?? '').toHaveProperty('length');
		expect(wordsOf({ message: body, errors: { [body]: body } })).toHaveProperty('text');
	},
);
