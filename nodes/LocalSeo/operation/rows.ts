import type {
	DeclarativeRestApiSettings,
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
	INodePropertyRouting,
	INodeType,
	IWorkflowDataProxyData,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { MOST_SLOTS } from '../client/pacer';
import { sideBySide } from '../client/sideBySide';
import { hintsFor } from './hints';
import { runItem } from './run';

/** As n8n's routing has it. */
const DEFAULT_TIMEOUT = 300_000;

type Request = DeclarativeRestApiSettings.HttpRequestOptions;

/**
 * Runs the declared operations over all rows, in place of n8n's routing. The routing evaluates every
 * expression of all rows three times before the first request leaves (bench/results.md) and can't
 * say anything beside the items; here an expression is evaluated once, when its row's turn comes,
 * and hints tell what the results mean. Row by row both do the same (`runItem`): where n8n runs the
 * node as a tool of an agent, it is by the routing.
 */
export function runRows(resources: INodeProperties[]): NonNullable<INodeType['customOperations']> {
	return Object.fromEntries(
		resources.map(({ displayOptions, options }) => [
			displayOptions?.show?.resource?.[0],
			Object.fromEntries(
				((options ?? []) as INodePropertyOptions[]).map((operation) => [
					operation.value,
					runOver(operation.routing ?? {}),
				]),
			),
		]),
	);
}

function runOver({ request, output }: INodePropertyRouting) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		// One for all rows: making it costs more than reading what is the same for them (`placeOf`).
		const proxy = this.getWorkflowDataProxy(0);
		const run = async (index: number) => {
			const context = contextOf(this, index, proxy);
			const declare = () => ({ ...request, ...hostSettings(context) });
			return await runItem(context, declare, output?.postReceive ?? []);
		};
		// As the routing does, all rows are run before the first failure stops the node.
		const rows = this.getInputData().map(
			(_, index) => async () => await run(index).catch((error: Error) => error),
		);
		const results = await sideBySide(rows, 2 * MOST_SLOTS);
		const failure = results.find((result) => result instanceof Error);
		if (failure) throw failure;
		const items = results as INodeExecutionData[][];
		const hints = hintsFor(this, items);
		if (hints.length > 0) this.addExecutionHints(...hints);
		return [items.flat()];
	};
}

/** The functions of one row, as the routing makes them; a parameter is read once. */
function contextOf(
	context: IExecuteFunctions,
	index: number,
	proxy: IWorkflowDataProxyData,
): IExecutePaginationFunctions {
	const read = new Map<string, unknown>();
	const own: Partial<IExecutePaginationFunctions> = {
		getItemIndex: () => index,
		getWorkflowDataProxy: () => proxy,
		getInputData: () => context.getInputData()[index],
		getNodeParameter: (name: string, fallback?: unknown, options?: object) => {
			if (!read.has(name)) {
				read.set(name, context.getNodeParameter(name, index, fallback, options));
			}
			return read.get(name) as object;
		},
		getCredentials: async (type: string) => await context.getCredentials(type, index),
	};
	return Object.assign(Object.create(context) as IExecutePaginationFunctions, own);
}

/** n8n's own options of the node (Timeout, Proxy, Ignore SSL Issues), which the routing would read. */
function hostSettings(context: IExecutePaginationFunctions): Partial<Request> {
	const { timeout, proxy, allowUnauthorizedCerts } = context.getNodeParameter(
		'requestOptions',
		{},
	) as { timeout?: number; proxy?: string; allowUnauthorizedCerts?: boolean };
	return {
		timeout: timeout || DEFAULT_TIMEOUT,
		...(proxy ? { proxy: proxyOf(context, proxy) } : {}),
		...(allowUnauthorizedCerts ? { skipSslCertificateValidation: true } : {}),
	};
}

/** @throws NodeOperationError for what is no address */
function proxyOf(context: IExecutePaginationFunctions, text: string) {
	if (!URL.canParse(text)) {
		throw new NodeOperationError(context.getNode(), 'The proxy is not an address', {
			description: 'Enter it as http://host:port in the settings of this node.',
		});
	}
	const { protocol, hostname, port, username, password } = new URL(text);
	return {
		protocol: protocol.replace(':', ''),
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		...(username ? { auth: { username, password } } : {}),
	};
}
