import type { IHttpRequestOptions } from 'n8n-workflow';

import { addressWithin, apiRoot, assertPrivate, isPlainHttp } from '../client';
import type { HostContext } from './context';

/** An agent as n8n makes it: for a proxy, for whatever the environment says, or Node.js's own. */
interface Agent {
	proxy?: unknown;
	router?: { resolve(target: { hostname: string; port: string }): unknown };
}

type Settings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'>;

/**
 * Refuses a request whose key a proxy could read. A proxy in the settings is left to `authenticate`,
 * which sees it as well; one in the environment of n8n is visible to neither, so n8n is asked.
 *
 * @throws AddressError
 */
export async function assertPrivateRoute(
	{ helpers }: HostContext,
	baseUrl: unknown,
	{ proxy, skipSslCertificateValidation: isUnverified = false }: Settings,
): Promise<void> {
	const address = addressWithin(apiRoot(baseUrl), '');
	if (proxy || (!isUnverified && !isPlainHttp(address))) return;
	assertPrivate(address, { isProxied: await askForProxy(helpers, address), isUnverified });
}

/**
 * Asks n8n for the way to an address (docs/n8n-facts.md, section 5): a request that is aborted before
 * it begins fails with the agents that were made for it. Nothing is sent. An agent of a kind that is
 * not known counts as a proxy.
 */
async function askForProxy(helpers: HostContext['helpers'], address: string): Promise<boolean> {
	const { hostname, port } = new URL(address);
	const request = { url: address, abortSignal: AbortSignal.abort() };
	const failure: unknown = await helpers.httpRequest(request).catch((error) => error);
	const { config } = failure as { config?: { httpAgent?: Agent; httpsAgent?: Agent } };
	const agent = isPlainHttp(address) ? config?.httpAgent : config?.httpsAgent;
	// n8n refuses the address for a reason of its own, and would refuse the request.
	if (!agent) throw failure;
	if (agent.proxy) return true;
	if (!agent.router) return agent.constructor.name !== 'Agent';
	return agent.router.resolve({ hostname: hostname.replace(/[[\]]/g, ''), port }) !== undefined;
}
