import type { INodeParameters, INodeProperties } from 'n8n-workflow';

import type { Resource } from '../../nodes/LocalSeo/resources';
import type * as Engine from '../support/engine';
import { byId, columns, useSandbox } from '../support/fixture';

const service = useSandbox();

/** The example of CONTRIBUTING.md, but for the file it would stand in. */
const review: Resource = {
	value: 'review',
	displayName: 'Review',
	noun: 'review',
	operations: [
		{
			...{ name: 'Create', value: 'create', action: 'Create a review for a location' },
			description: 'Add a review to a location',
			routing: { request: { method: 'POST', url: '/locations/{locationId}/reviews' } },
			parameters: ['locationId', 'fields', 'ifExists'],
			output: 'record',
		},
		{
			...{ name: 'Get Many', value: 'getAll', action: 'Get many reviews of a location' },
			description: 'List the reviews of a location',
			routing: { request: { method: 'GET', url: '/locations/{locationId}/reviews' } },
			parameters: ['allLocations', 'locationId', 'returnAll', 'limit'],
			output: 'records',
		},
	],
	fields: [{ id: 'text', name: 'Text', type: 'string', isAssumed: true }],
	whyEmpty: 'Check the location: nobody may have reviewed it yet.',
};

/** The node with one more line in the list of resources, in an engine of its own. */
function withReviews(): typeof Engine {
	let engine!: typeof Engine;
	jest.isolateModules(() => {
		jest.doMock('../../nodes/LocalSeo/resources', () => {
			const actual = jest.requireActual<{ resources: Resource[] }>(
				'../../nodes/LocalSeo/resources',
			);
			actual.resources.push(review);
			return actual;
		});
		engine = jest.requireActual('../support/engine');
	});
	return engine;
}

/** The name of the resource goes where posts have theirs: reviews take the same, but for When to Publish. */
function addToPanel(properties: INodeProperties[]): void {
	const taken = new Set<string>(['dryRun', ...review.operations.flatMap((one) => one.parameters)]);
	for (const { name, displayOptions } of properties) {
		const shownFor = displayOptions?.show?.resource;
		if (taken.has(name) && shownFor?.includes('post')) shownFor.push(review.value);
	}
}

let engine: typeof Engine;
beforeAll(() => {
	engine = withReviews();
	addToPanel(new engine.LocalSeo().description.properties);
});

const reviews = [
	{ id: 'rev_1', text: 'Great', stars: 5 },
	{ id: 'rev_2', text: 'Fine', stars: 4 },
];

test.each([false, true])(
	'its list is read, and its records created (as a tool: %p)',
	async (isRoutedByHost) => {
		const { baseUrl, keys, faults } = service.sandbox;
		const [{ id }] = service.sandbox.account.locations;
		const path = `/locations/${id}/reviews`;
		faults.add({
			when: { method: 'GET', path },
			response: { status: 200, body: { data: reviews, meta: { total: 2 } } },
		});
		faults.add({
			when: { method: 'POST', path, body: { text: 'Good' } },
			response: { status: 403 },
		});
		const run = async (more: INodeParameters) =>
			await engine.runNode({
				parameters: { resource: 'review', locationId: byId(id), ...more },
				credential: { baseUrl, apiKey: keys.write },
				isRoutedByHost,
			});
		const { json, error } = await run({ operation: 'getAll' });
		expect([json, error]).toEqual([reviews, undefined]);
		const fields = columns({ text: 'Good' });
		const created = await run({ operation: 'create', fields, ifExists: 'create' });
		expect(created.error?.message).toBe(
			`This API key is not allowed to create a review for location "${id}"`,
		);
	},
);

test('the dropdowns offer it', () => {
	const { properties } = new engine.LocalSeo().description;
	const named = (name: string) => properties.filter((property) => property.name === name);
	expect(named('resource')[0].options).toContainEqual({ name: 'Review', value: 'review' });
	const ofReviews = named('operation').find(
		({ displayOptions }) => displayOptions?.show?.resource?.[0] === 'review',
	);
	expect(ofReviews).toMatchObject({ default: 'getAll', options: [{ name: 'Create' }, {}] });
});
