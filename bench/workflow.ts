import { randomUUID } from 'node:crypto';
import type { TestedNode } from './contenders';
import type { Row } from './rows';

/** A workflow that runs one node when its webhook is called, as one in production does. */
export interface Workflow {
	definition: object;
	/** Of the webhook, below /webhook/. */
	path: string;
	/** Name of the node that is measured. */
	measured: string;
}

const START = 'Start';
const ROWS = 'Rows';
const MEASURED = 'Measured';

function node(name: string, type: string, typeVersion: number, parameters: object) {
	return { id: randomUUID(), name, type, typeVersion, position: [0, 0], parameters };
}

/** Webhook, rows from a Code node where there are any, and the node that is measured. */
export function workflowOf(
	tested: TestedNode,
	credential: { id: string; name: string },
	rows?: Row[],
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
	const nodes = [
		{ ...node(START, 'n8n-nodes-base.webhook', 2.1, webhook), webhookId: path },
		...(rows ? [node(ROWS, 'n8n-nodes-base.code', 2, { jsCode: code })] : []),
		{
			...node(MEASURED, tested.type, tested.typeVersion, tested.parameters),
			credentials: { [tested.credential.type]: credential },
		},
	];
	const next = (name: string) => ({ main: [[{ node: name, type: 'main', index: 0 }]] });
	const connections = rows
		? { [START]: next(ROWS), [ROWS]: next(MEASURED) }
		: { [START]: next(MEASURED) };
	return {
		definition: { name: path, nodes, connections, settings: { executionOrder: 'v1' } },
		path,
		measured: MEASURED,
	};
}
