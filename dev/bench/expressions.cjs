/*
 * A hook file of n8n (EXTERNAL_HOOK_FILES) that counts expressions: every parameter text starting
 * with "=" that n8n hands to its expression engine, by node. Nothing but the counting is added.
 * After each execution a line is written to the file that BENCH_EXPRESSIONS names:
 * { "workflowId": "...", "counts": { "<node>": <number> } }
 */
const { appendFileSync } = require('node:fs');
const { createRequire } = require('node:module');

// n8n's own copy, not the one that this project is built with.
const { WorkflowExpression } = createRequire(process.argv[1])('n8n-workflow');

const byWorkflow = new Map();
const { prototype } = WorkflowExpression;
const resolve = prototype.resolveSimpleParameterValue;

prototype.resolveSimpleParameterValue = function (value, siblings, data, run, item, node, ...rest) {
	if (typeof value === 'string' && value.startsWith('=')) {
		const { id } = this.workflow;
		if (!byWorkflow.has(id)) byWorkflow.set(id, {});
		const counts = byWorkflow.get(id);
		counts[node] = (counts[node] ?? 0) + 1;
	}
	return resolve.call(this, value, siblings, data, run, item, node, ...rest);
};

module.exports = {
	workflow: {
		postExecute: [
			async function (_run, { id }) {
				const line = { workflowId: id, counts: byWorkflow.get(id) ?? {} };
				appendFileSync(process.env.BENCH_EXPRESSIONS, `${JSON.stringify(line)}\n`);
				byWorkflow.delete(id);
			},
		],
	},
};
