import { randomUUID } from 'node:crypto';
import { inARow, type Named, type NewWorkflow, step } from '../n8n/workflow';
import type { TestedNode } from './contenders';

/** A workflow that runs one node when its webhook is called, as one in production does. */
export interface Workflow {
	definition: NewWorkflow;
	/** Of the webhook, below /webhook/. */
	path: string;
	/** Names of the nodes that are measured, in their order. */
	measured: string[];
}

const START = 'Start';
const ROWS = 'Rows';
const MEASURED = 'Measured';
const THEN = 'Then';

/** Webhook, rows from a Code node where there are any, and the nodes that are measured. */
export function workflowOf(
	{ code: then, retryOnFail, ...tested }: TestedNode,
	credential: Named,
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
	const measured = step(MEASURED, tested.type, tested.typeVersion, tested.parameters, {
		credentials: { [tested.credential.type]: credential },
		retryOnFail,
	});
	const nodes = [
		step(START, 'n8n-nodes-base.webhook', 2.1, webhook, { webhookId: path }),
		...(rows ? [step(ROWS, 'n8n-nodes-base.code', 2, { jsCode: code })] : []),
		measured,
		...(then === undefined ? [] : [step(THEN, 'n8n-nodes-base.code', 2, { jsCode: then })]),
	];
	return {
		definition: inARow(path, nodes),
		path,
		measured: then === undefined ? [MEASURED] : [MEASURED, THEN],
	};
}
