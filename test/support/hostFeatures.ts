import { WorkflowExecute } from 'n8n-core';
import type { INode } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

const blank = { id: '', name: '', type: '', typeVersion: 1, parameters: {} };
const node: INode = { ...blank, position: [0, 0] };
const isBefore2 = WorkflowExecute.prototype.run.length > 1;

/**
 * What some of the supported versions of n8n do not have, looked for in the engine in use: `npm run
 * test:versions` runs the tests on each. A test that needs one of these expects what happens without it.
 */
export const has = {
	/** An error says in a word for programs why a request failed. */
	failure:
		'failure' in new n8n.NodeApiError(node, {}, { failure: { cause: 'rate-limited' } } as never),
	/** A Date in a parameter that is no expression stays one. n8n stores parameters as JSON, so there is none. */
	dates: !isBefore2,
};

/** What n8n learns of the reason why a request failed. */
export const failure = (facts: object) => (has.failure ? { failure: facts } : {});
