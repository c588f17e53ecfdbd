import type { INode, INodeParameters, INodeType } from 'n8n-workflow';
import { Workflow } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';

const type: INodeType = new LocalSeo();
const nodeTypes = {
	getByName: () => type,
	getByNameAndVersion: () => type,
	getKnownTypes: () => ({}),
};

/** What the canvas shows below the name of the node; the editor evaluates it in the same way. */
function subtitleOf(parameters: INodeParameters): unknown {
	const node: INode = {
		...{ id: '1', name: 'Posts', type: 'localSeo', typeVersion: 1, position: [0, 0] as never },
		parameters,
	};
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return workflow.expression.getSimpleParameterValue(
		workflow.getNode('Posts')!,
		type.description.subtitle,
		'internal',
		{},
	);
}

test.each([
	[{ dryRun: true }, 'create: post (dry run)'],
	[{ dryRun: false }, 'create: post'],
	[{}, 'create: post'],
	// It may come out either way, and reads a step that has not run.
	[{ dryRun: "={{ $('Form').first().json.what !== 'Post' }}" }, 'create: post'],
])('with %j, the canvas says %j', (more, said) => {
	const parameters = { resource: 'post', operation: 'create', ...more };
	expect(subtitleOf(parameters as INodeParameters)).toBe(said);
});
