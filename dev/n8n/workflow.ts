import type {
	IConnections,
	INode,
	INodeConnections,
	INodeParameters,
	IWorkflowBase,
	NodeConnectionType,
} from 'n8n-workflow';

/** A workflow as n8n's REST API accepts it. */
export type NewWorkflow = Pick<IWorkflowBase, 'name' | 'nodes' | 'connections' | 'settings'>;

/** What n8n has stored: a workflow, a credential. */
export interface Named {
	id: string;
	name: string;
}

/** A node; its type with the package's name: `n8n-nodes-base.webhook`. */
export function step(
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more: Partial<INode> = {},
): INode {
	const all = parameters as INodeParameters;
	return { id: name, name, type, typeVersion, position: [0, 0], parameters: all, ...more };
}

/** A node's arrow to the next one; a tool or a model is connected to its agent by its own kind. */
export function to(node: string, type: NodeConnectionType = 'main'): INodeConnections {
	return { [type]: [[{ node, type, index: 0 }]] };
}

/** A workflow of nodes from left to right, each connected to the next one. */
export function inARow(name: string, nodes: INode[]): NewWorkflow {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => {
		connections[nodes[index].name] = to(node.name);
	});
	const placed = nodes.map((node, index): INode => ({ ...node, position: [index * 208, 0] }));
	return { name, nodes: placed, connections, settings: { executionOrder: 'v1' } };
}
