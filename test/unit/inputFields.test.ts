import type { IDataObject } from 'n8n-workflow';

import { withColumns, withInputFields } from '../../nodes/LocalSeo/rows/inputFields';

const join = (row: object, result: object) =>
	withColumns(row as IDataObject, result as IDataObject);

test('the columns of a row come first, with dates as text, and the result after them', () => {
	const joined = join({ shop: 'Leeds', at: new Date(0) }, { id: 'post_1' });
	expect(joined).toEqual({ shop: 'Leeds', at: '1970-01-01T00:00:00.000Z', id: 'post_1' });
	expect(Object.keys(joined)).toEqual(['shop', 'at', 'id']);
});

test('a column that the result has with another value keeps a name of its own', () => {
	expect(join({ title: 'Sent' }, { title: 'Stored' })).toEqual({
		input_title: 'Sent',
		title: 'Stored',
	});
	expect(join({ title: 'Same', tags: ['a'] }, { title: 'Same', tags: ['a'] })).toEqual({
		title: 'Same',
		tags: ['a'],
	});
	expect(join({ title: 'Sent' }, { title: undefined })).toEqual({
		input_title: 'Sent',
		title: undefined,
	});
});

test('a name that is taken by either is not taken again', () => {
	const row = { title: 'Sent', input_title: 'A column' };
	expect(join(row, { title: 'Stored', input_input_title: 'A field' })).toEqual({
		input_input_input_title: 'Sent',
		input_title: 'A column',
		title: 'Stored',
		input_input_title: 'A field',
	});
});

test.each(['skipped', 'deleted', 'dryRun', 'error'])(
	'what an earlier step calls "%s" is not taken for what this one says',
	(name) => {
		expect(join({ [name]: true }, { id: 1 })).toEqual({ [`input_${name}`]: true, id: 1 });
	},
);

test.each(['created', 'updated', 'unchanged'])(
	'nor is "%s" in the result of Create or Update; with others, it is a column',
	(name) => {
		expect(join({ [name]: 'x' }, { unchanged: true })).toMatchObject({ [`input_${name}`]: 'x' });
		expect(join({ [name]: 'x' }, { created: true })).toMatchObject({ [`input_${name}`]: 'x' });
		expect(join({ [name]: 'x' }, { updated: true })).toMatchObject({ [`input_${name}`]: 'x' });
		expect(join({ [name]: 'x' }, { id: 1, updated: 'yesterday' })).toHaveProperty(
			name === 'updated' ? 'input_updated' : name,
			'x',
		);
	},
);

test('the error of an earlier try of the row is left out, another one is a column', () => {
	const error = { message: 'It rained', description: null, httpCode: null };
	expect(join({ error }, { id: 1 })).toEqual({ id: 1 });
	expect(join({ problem: error }, { id: 1 })).toEqual({ problem: error, id: 1 });
	for (const other of [{ message: 'A' }, { httpCode: 1 }, 'It rained', null]) {
		expect(join({ error: other }, { id: 1 })).toEqual({ input_error: other, id: 1 });
	}
});

test('each item of a row gets its columns, and stays paired', () => {
	const items = [1, 2].map((id) => ({ json: { id }, pairedItem: { item: 0 } }));
	expect(withInputFields({ json: { shop: 'Leeds' } }, items)).toEqual(
		[1, 2].map((id) => ({ json: { shop: 'Leeds', id }, pairedItem: { item: 0 } })),
	);
});
