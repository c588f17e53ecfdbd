import { WorkflowExecute } from 'n8n-core';
import type { INode } from 'n8n-workflow';
import * as n8n from 'n8n-workflow';

/**
 * What some of the supported versions of n8n do not have, looked for in the engine in use: `npm run
 * test:versions` runs the tests on each. A test that needs one of these expects what happens without it.
 */
interface Evaluator {
	resolveSimpleParameterValue(...args: unknown[]): unknown;
}

/** What evaluates expressions; earlier versions have one class for it. */
export const evaluator = (n8n.WorkflowExpression ?? n8n.Expression)
	.prototype as unknown as Evaluator;

const node: INode = {
	id: '',
	name: '',
	type: '',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const { getCredentialAllowedDomains: allowedDomains } = n8n as {
	getCredentialAllowedDomains?: (...args: unknown[]) => unknown;
};
/** Later versions take an object that has the credential, earlier ones the credential. */
const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };
const takesOptions = allowedDomains?.({ ...restricted, node, credentialData: {} }) === undefined;
const isBefore2 = WorkflowExecute.prototype.run.length > 1;

export const has = {
	/** An error says in a word for programs why a request failed. */
	failure:
		'failure' in new n8n.NodeApiError(node, {}, { failure: { cause: 'rate-limited' } } as never),
	/** A credential can be restricted to domains for its own node as well. */
	domains: allowedDomains !== undefined,
	/** A credential that no HTTP Request node may use can be used by its own node as a tool. */
	ownUse: takesOptions || allowedDomains === undefined || allowedDomains.length > 1,
	/** A Date in a parameter that is no expression stays one. n8n stores parameters as JSON, so there is none. */
	dates: !isBefore2,
};

/** What n8n learns of the reason why a request failed. */
export const failure = (facts: object) => (has.failure ? { failure: facts } : {});
