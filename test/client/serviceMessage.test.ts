import { readServiceMessage } from '../../nodes/LocalSeo/client/http/serviceMessage';

const nothing = { text: undefined, fields: [] };

describe('the message is', () => {
	test.each<[string, unknown, string]>([
		['the first text under a usual name', { message: '', detail: 'Closed' }, 'Closed'],
		['error as text', { error: 'Closed' }, 'Closed'],
		['in error', { error: { code: 7, description: 'Closed' } }, 'Closed'],
		['plain text, on one line', '  Closed\n  on Sunday ', 'Closed on Sunday'],
		['the title of a page', '<html><title>Bad gateway</title><p>nginx</p>', 'Bad gateway'],
		['the heading of a page', '<h1 class="a">Not here</h1>', 'Not here'],
	])('%s', (_, body, text) => {
		expect(readServiceMessage(body)).toEqual({ text, fields: [] });
	});

	test('cut at 500 characters', () => {
		const { text } = readServiceMessage({ message: 'x'.repeat(501) });
		expect(text).toBe(`${'x'.repeat(500)}…`);
		expect(readServiceMessage({ message: 'x'.repeat(500) }).text).toBe('x'.repeat(500));
	});

	test.each([
		['a page without a title', '<p>nginx</p>'],
		['an empty text', ' \n'],
		['a number', 7],
		['null', null],
		['an empty list', []],
		['an object without texts', { code: 7 }],
		['no errors', { errors: null }],
	])('not there in %s', (_, body) => {
		expect(readServiceMessage(body)).toEqual(nothing);
	});
});

describe('the fields are named', () => {
	test.each<[string, unknown, string[]]>([
		['errors as a text', { errors: 'Too long' }, ['Too long']],
		['errors as texts', { errors: ['Too long', 'Too late'] }, ['Too long', 'Too late']],
		['errors by field', { errors: { title: ['Too long', 'Rude'] } }, ['title: Too long, Rude']],
		['texts by field alone', { title: ['Too long'] }, ['title: Too long']],
		['a bare list', [{ field: 'title', message: 'Too long' }], ['title: Too long']],
		['a path as a list', { detail: [{ loc: ['body', 0], msg: 'Wrong' }] }, ['body.0: Wrong']],
		['violations', { violations: [{ propertyPath: 'a', title: 'Wrong' }] }, ['a: Wrong']],
		['details in error', { error: { details: [{ message: 'Wrong' }] } }, ['Wrong']],
		['an error object by field', { errors: { a: { message: 'Wrong' } } }, ['a: Wrong']],
		['an error without a text', { errors: [{ code: 7 }] }, ['{"code":7}']],
		['a number by field', { errors: { a: 7 } }, ['a: 7']],
		['entries that are neither', { errors: [7, null, ['x']] }, []],
	])('%s', (_, body, fields) => {
		expect(readServiceMessage(body).fields).toEqual(fields);
	});

	test.each([
		['as an empty text', { errors: ' ' }],
		['as empty texts', { errors: ['', '  '] }],
	])('not where they come %s', (_, body) => {
		expect(readServiceMessage(body).fields).toEqual([]);
	});

	test('each cut at 500 characters', () => {
		const { fields } = readServiceMessage({ errors: { title: 'x'.repeat(600) } });
		expect(fields).toEqual([`title: ${'x'.repeat(493)}…`]);
	});
});

describe('a page', () => {
	test('shows its title', () => {
		const page = '<html><head><title lang="en">Bad gateway</title></head></html>';
		expect(readServiceMessage(page).text).toBe('Bad gateway');
	});

	test('of megabytes without an end is read in part, and says nothing', () => {
		expect(readServiceMessage('<title'.repeat(2_000_000)).text).toBeUndefined();
		expect(readServiceMessage(`<h1 ${'<'.repeat(1_000_000)}`).text).toBeUndefined();
	});
});
