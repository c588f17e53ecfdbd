import type { INodeParameters } from 'n8n-workflow';

import type { JsonObject } from '../../nodes/LocalSeo/client';
import type { InputError } from '../../nodes/LocalSeo/host/errors';
import { requireKnownColumn } from '../../nodes/LocalSeo/rows/requireKnownColumn';
import { readService } from '../support/readService';
import { rowContext } from '../support/rowContext';
import { VirtualClock } from '../support/virtualClock';

const clock = new VirtualClock();
const POSTS = '/locations/loc_1/posts';
const automatic = { mappingMode: 'autoMapInputData', value: null };

/** What is said of a row, if it is refused; and whether the service was asked. */
async function check(
	body: JsonObject | string,
	{ fields = automatic as object, posts = [] as unknown[], row = body } = {},
) {
	const { connection, asked } = readService(clock, { [POSTS]: posts, '/locations': [] });
	const parameters = { resource: 'post', operation: 'create', options: {}, fields };
	const context = rowContext({
		parameters: parameters as unknown as INodeParameters,
		rows: [row as object],
	});
	const request = {
		method: 'POST' as const,
		path: '/locations/{locationId}/posts',
		ids: { locationId: 'loc_1' },
		query: {},
		body,
		noun: 'content post',
	};
	const error = await clock.run(
		requireKnownColumn(context, connection, request).catch((thrown: InputError) => thrown),
	);
	return { message: error?.message, description: error?.description, isAsked: asked.length > 0 };
}

test.each<[string, JsonObject | string, object]>([
	['with a field of the service', { title: 'A', colour: 'red' }, {}],
	['with a column that the editor offers', { colour: 'red' }, { schema: [{ id: 'colour' }] }],
	['that is JSON', '{"colour":"red"}', {}],
	['that is mapped by hand', { colour: 'red' }, { mappingMode: 'defineBelow' }],
])('a row %s is fine, without a look at the service', async (_, body, more) => {
	expect(await check(body, { fields: { ...automatic, ...more } })).toEqual({
		message: undefined,
		description: undefined,
		isAsked: false,
	});
});

test('a row with a field that records have is fine', async () => {
	const { message, isAsked } = await check(
		{ colour: 'red' },
		{ posts: [{ id: 1, colour: 'blue' }] },
	);
	expect([message, isAsked]).toEqual([undefined, true]);
});

test('a row without any is refused, with its columns and the fields of the records', async () => {
	const posts = [{ id: 1, headline: 'A', text: 'B', views_count: 7 }];
	const row = { Titel: 'A', Inhalt: 'B' };
	// A field that the user added in the options is no column.
	expect(await check({ ...row, extra: 1 }, { posts, row })).toEqual({
		message:
			'Your columns: Titel, Inhalt. The service expects: headline, text. Rename them or map each column.',
		description:
			'Nothing was sent. To map each column, set Mapping Column Mode to Map Each Column Manually.',
		isAsked: true,
	});
});
