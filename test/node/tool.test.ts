import type { INode, INodeParameters } from 'n8n-workflow';
import { NodeHelpers, Workflow } from 'n8n-workflow';

import { byId, useSandbox } from '../support/fixture';
import { LocalSeo, localSeoTool } from '../support/engine';

const service = useSandbox();
const insights = { resource: 'insight', operation: 'get' };
const ofAll = { ...insights, allLocations: true };

test('as a tool, insights are one row for each location unless another output is chosen', async () => {
	const { json } = await service.run(ofAll, { isTool: true });
	expect(json).toHaveLength(64);
	expect(json[0]).toHaveProperty('views');
	// What a model has to read. In a workflow, the same settings give a row for each day.
	expect(JSON.stringify(json).length).toBeLessThan(30_000);
	const { json: days } = await service.run(ofAll);
	expect(JSON.stringify(days).length).toBeGreaterThan(300_000);

	const { id } = service.sandbox.account.locations[0];
	const ofOne = { ...insights, locationId: byId(id), output: 'rows' };
	const { json: chosen } = await service.run(ofOne, { isTool: true });
	expect(chosen).toHaveLength(30);
});

/** What a model is told of a tool that someone has set up so, as n8n holds it in a workflow. */
function descriptionOf(parameters: INodeParameters): string {
	const node: INode = {
		id: '1',
		name: 'Insights',
		type: 'localSeoTool',
		typeVersion: 1,
		position: [0, 0],
		parameters,
	};
	const nodeTypes = {
		getByName: () => localSeoTool,
		getByNameAndVersion: () => localSeoTool,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return NodeHelpers.getToolDescriptionForNode(workflow.getNode('Insights')!, localSeoTool);
}

test('a model is told so; what someone writes takes its place, and other tools are called by their operation', () => {
	expect(descriptionOf(insights)).toMatch(/insights of a location.*: one row per location/i);
	expect(descriptionOf({ ...insights, output: 'rows' })).toBe('Get insights in Local SEO');
	expect(descriptionOf({ ...insights, toolDescription: 'Views of shops' })).toBe('Views of shops');
	expect(descriptionOf({ resource: 'post', operation: 'create' })).toBe(
		'Create content post in Local SEO',
	);
});

test('outside of tools, there is no such parameter', () => {
	const { description } = new LocalSeo();
	const node = { type: 'localSeo', typeVersion: 1 } as INode;
	const shown = NodeHelpers.getNodeParameters(
		description.properties,
		insights,
		true,
		false,
		node,
		description,
	);
	expect(shown).not.toHaveProperty('toolDescription');
	expect(shown).toMatchObject({ output: 'rows' });
});
