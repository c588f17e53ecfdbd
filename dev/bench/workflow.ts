import { randomUUID } from 'node:crypto';
import type { TestedNode } from './contenders';

/** A workflow that runs one node when its webhook is called, as one in production does. */
export interface Workflow {
	definition: object;
	/** Of the webhook, below /webhook/. */
	path: string;
	/** Names of the nodes that are measured, in their order. */
	measured: string[];
}

const START = 'Start';
const ROWS = 'Rows';
const MEASURED = 'Measured';
const THEN = 'Then';

function node(name: string, type: string, typeVersion: number, parameters: object) {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

/** Webhook, rows from a Code node where there are any, and the nodes that are measured. */
export function workflowOf(
	{ code: then, retryOnFail, ...tested }: TestedNode,
	credential: { id: string; name: string },
	rows?: object[],
): Workflow {
	const path = randomUUID();
	const webhook = {
		httpMethod: 'POST',
		path,
		responseMode: 'lastNode',
		responseData: 'noData',
		options: {},
	};
	const code = `return ${JSON.stringify(rows)}.map((json) => ({ json }));`;
	const measured = {
		...node(MEASURED, tested.type, tested.typeVersion, tested.parameters),
		credentials: { [tested.credential.type]: credential },
		retryOnFail,
	};
	const nodes = [
		{ ...node(START, 'n8n-nodes-base.webhook', 2.1, webhook), webhookId: path },
		...(rows ? [node(ROWS, 'n8n-nodes-base.code', 2, { jsCode: code })] : []),
		measured,
		...(then === undefined ? [] : [node(THEN, 'n8n-nodes-base.code', 2, { jsCode: then })]),
	];
	const next = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const connections = Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, next(name)]),
	);
	return {
		definition: { name: path, nodes, connections, settings: { executionOrder: 'v1' } },
		path,
		measured: then === undefined ? [MEASURED] : [MEASURED, THEN],
	};
}
