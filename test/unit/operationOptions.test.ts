import type { INodeParameters } from 'n8n-workflow';

import { ifExistsOf, isDryRun, readOptions } from '../../nodes/LocalSeo/rows/options';
import { rowContext } from '../support/rowContext';

const withParameters = (parameters: object) =>
	rowContext({ parameters: parameters as INodeParameters });

describe('a record that already exists', () => {
	test.each<[object, string]>([
		[{ operation: 'upsert' }, 'update'],
		[{ operation: 'upsert', ifExists: 'create' }, 'update'],
		[{ operation: 'create', ifExists: 'create' }, 'create'],
		[{ operation: 'create', ifExists: 'skip' }, 'skip'],
		[{ operation: 'create' }, 'skip'],
		[{ operation: 'create', ifExists: 'Create' }, 'skip'],
		[{ operation: 'create', ifExists: '' }, 'skip'],
		[{}, 'skip'],
	])('means, with %j, "%s"', (parameters, expected) => {
		expect(ifExistsOf(withParameters(parameters))).toBe(expected);
	});
});

describe('a dry run', () => {
	test.each([true, 'true', '', 'no', 0, null, undefined, 'falsee'])(
		'is one where the option is there and gives %p: anything but a clear no',
		(dryRun) => expect(isDryRun(withParameters({ options: { dryRun } }))).toBe(true),
	);

	test.each([false, 'false', ' False\n', 'FALSE'])('is none with %p', (dryRun) => {
		expect(isDryRun(withParameters({ options: { dryRun } }))).toBe(false);
	});

	test('is none without the option', () => {
		expect(isDryRun(withParameters({ options: {} }))).toBe(false);
		expect(isDryRun(withParameters({}))).toBe(false);
	});
});

test('options that were never touched are none', () => {
	expect(readOptions(withParameters({}))).toEqual({});
	expect(readOptions(withParameters({ options: { simplify: true } }))).toEqual({ simplify: true });
});
