import './hostSettings';

import { createHash, randomUUID } from 'node:crypto';

import {
	DirectoryLoader,
	ExecuteContext,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	PollContext,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import type {
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
// With their extension: the bench runs this with tsx, which would otherwise take the .node.json beside them.
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node.ts';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node.ts';

export { LocalSeo };

/** The node as n8n's loader hands it out: with Batching, Timeout and the like under Options. */
export function asLoaded(type: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(type);
	return type;
}

/** What runs: the sources, or in their place the built package. */
export const running = { node: asLoaded(new LocalSeo()), credential: new LocalSeoApi() };

const triggerType = new LocalSeoTrigger();

/** The tool that n8n makes of it (its "convertNodeToAiTool"), as far as the engine sees. */
const localSeoTool: INodeType = Object.assign(Object.create(running.node) as INodeType, {
	description: { ...running.node.description, name: 'localSeoTool' },
});

/** As n8n runs a declarative node (its NodeTypes): through the routing engine, with the signal to stop. */
function runnable({ isRoutedByHost, isTool }: RunOptions): INodeType {
	const type = isTool ? localSeoTool : running.node;
	return Object.assign(Object.create(type) as INodeType, {
		...(isRoutedByHost || isTool ? { customOperations: undefined } : {}),
		async execute(this: IExecuteFunctions) {
			return (await new RoutingNode(this as ExecuteContext, type).runNode()) ?? [];
		},
	});
}

/** Outputs the rows of a sheet, in place of whatever precedes the node in a workflow. */
const rowsNode = (items: INodeExecutionData[]): INodeType => ({
	description: { name: 'rows', inputs: [], outputs: ['main'], properties: [] } as never,
	execute: async () => [items],
});

export interface RunOptions {
	parameters: INodeParameters;
	credential: { baseUrl: string; apiKey: string } & ICredentialDataDecryptedObject;
	rows?: object[];
	/** The files of each row. */
	files?: IBinaryKeyData[];
	/** Time zone of the workflow; absent: n8n's, which is New York. */
	timezone?: string;
	/** Settings of the node: onError, retryOnFail, … */
	settings?: Partial<INode>;
	/** Leaves every operation to n8n's routing, as if n8n did not support custom operations. */
	isRoutedByHost?: boolean;
	/** As a tool, which n8n runs so, and for which parameters may have other defaults. */
	isTool?: boolean;
	/** Aborts the execution. */
	signal?: AbortSignal;
	/** As n8n runs a tool of its MCP server: without an execution. */
	isOutsideOfExecutions?: boolean;
}

export type RunResult = Awaited<ReturnType<typeof runNode>>;

/** True if the rows, or what is mapped, have a time to publish. */
const hasTimes = ({ rows, parameters }: RunOptions) =>
	JSON.stringify([rows, parameters]).includes('publish_at');

function workflowOf(options: RunOptions): Workflow {
	const { rows = [{}], files = [], parameters, settings = {}, timezone } = options;
	const items = rows.map((json, row) => ({ json: json as IDataObject, binary: files[row] }));
	const nodeTypes = typesOf((name) => (name === 'rows' ? rowsNode(items) : runnable(options)));
	const toNode = { node: 'Local SEO', type: NodeConnectionTypes.Main, index: 0 };
	return new Workflow({
		id: 'test',
		nodes: [
			node('Rows', 'rows', {}),
			{
				...node('Local SEO', options.isTool ? 'localSeoTool' : 'localSeo', {
					// Most tests are about other things than when posts go live.
					...(parameters.operation === 'create' && {
						whenToPublish: hasTimes(options) ? 'scheduled' : 'now',
					}),
					...parameters,
				}),
				credentials: credentialsOf(options),
				...settings,
			},
		],
		connections: { Rows: { main: [[toNode]] } },
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', ...(timezone && { timezone }) },
	});
}

const typesOf = (getByName: (name: string) => INodeType): INodeTypes => ({
	...{ getByName, getByNameAndVersion: getByName, getKnownTypes: () => ({}) },
});

/** What the editor hands to the methods of the node that fill its lists. */
export function editorOf(options: RunOptions): ILoadOptionsFunctions {
	const workflow = workflowOf(options);
	const data = { ...hostData(options.credential), currentNodeParameters: options.parameters };
	return new LoadOptionsContext(workflow, workflow.getNode('Local SEO')!, data, '');
}

/** What n8n hands to the node for its rows; the node before it is called "Rows". */
export function contextOf(options: RunOptions): IExecuteFunctions {
	const workflow = workflowOf(options);
	const node = workflow.getNode('Local SEO')!;
	const { rows = [{}] } = options;
	const items = rows.map((json, item) => ({ json: json as IDataObject, pairedItem: { item } }));
	const data = { main: [items] };
	const runExecutionData = createRunExecutionData();
	const ended = { startTime: 0, executionTime: 0, executionIndex: 0, source: [], data };
	runExecutionData.resultData.runData.Rows = [ended];
	const source = { main: [{ previousNode: 'Rows' }] };
	return new ExecuteContext(
		...([workflow, node, hostData(options.credential), 'manual', runExecutionData, 0] as const),
		...([items, data, { node, data, source }] as const),
		[],
	) as unknown as IExecuteFunctions;
}

/** Runs the node in a workflow of two nodes, through the execution engine of n8n-core. */
export async function runNode(options: RunOptions) {
	const workflow = workflowOf(options);
	const additionalData = hostData(options.credential);
	if (options.isOutsideOfExecutions) additionalData.executionId = undefined;
	const execution = new WorkflowExecute(additionalData, 'manual', createRunExecutionData());
	const promise = start(execution, workflow, workflow.getNode('Rows')!);
	options.signal?.addEventListener('abort', () => promise.cancel());
	const run = await promise;
	const task = run.data.resultData.runData['Local SEO']?.[0];
	const outputs = (task?.data?.main ?? []).map((items) => items ?? []);
	const [items = []] = outputs;
	return {
		/** Items by output: main, and the error output where the node has one. */
		outputs,
		items,
		json: items.map(({ json }) => json),
		hints: (task?.hints ?? []).map(({ message }) => message),
		error: task?.error ?? run.data.resultData.error,
		run,
	};
}

/** Before n8n 2, the engine took the workflow and the node as two arguments. */
function start(execution: WorkflowExecute, workflow: Workflow, startNode: INode) {
	const run = execution.run.bind(execution) as (
		...args: unknown[]
	) => ReturnType<WorkflowExecute['run']>;
	return execution.run.length > 1 ? run(workflow, startNode) : run({ workflow, startNode });
}

export interface PollOptions {
	parameters: INodeParameters;
	credential: RunOptions['credential'];
	/** Milliseconds that a poll may take. */
	budget?: number;
}

/** A trigger in an active workflow, as n8n runs it. */
export class Poller {
	private readonly workflowId = randomUUID();
	private readonly staticData: IDataObject = {};
	private readonly context: PollContext;

	constructor(private readonly options: PollOptions) {
		this.context = this.contextFor('trigger', 'activate');
	}

	/** Polls as n8n's schedule does; returns the items that start the workflow. */
	async poll<T = IDataObject>(): Promise<T[]> {
		const items = await triggerType.poll.call(this.context);
		return (items ?? []).flat().map(({ json }) => json as T);
	}

	/** What the trigger remembers, as it would be written. */
	get stored(): string {
		return JSON.stringify(this.context.getWorkflowStaticData('node'));
	}

	/** Fetch test event, in the editor. */
	async sample<T = IDataObject>(): Promise<T[]> {
		const items = await triggerType.poll.call(this.contextFor('manual', 'manual'));
		return (items ?? []).flat().map(({ json }) => json as T);
	}

	private contextFor(mode: 'trigger' | 'manual', activation: 'activate' | 'manual') {
		const { credential, parameters, budget = 300_000 } = this.options;
		const credentials = credentialsOf(this.options);
		const watching = { ...node('Watch', 'localSeoTrigger', parameters), credentials };
		const workflow = new Workflow({
			...{ id: this.workflowId, nodes: [watching], connections: {}, active: true },
			nodeTypes: typesOf(() => triggerType),
			staticData: { 'node:Watch': this.staticData },
		});
		const context = new PollContext(workflow, watching, hostData(credential), mode, activation);
		// An n8n that tells no budget has the node assume five minutes: too long for a test.
		return Object.assign(context, { getPollBudgetMs: () => budget });
	}
}

/** Like n8n, one id for one credential. */
function credentialsOf({ credential }: Pick<RunOptions, 'credential'>) {
	const id = createHash('sha256').update(JSON.stringify(credential)).digest('hex');
	return { localSeoApi: { id, name: 'Local SEO' } };
}

function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** What n8n itself gives to an execution: here the credential, decrypted, and nothing else. */
function hostData(credential: ICredentialDataDecryptedObject): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => credential,
			preAuthentication: async () => undefined,
			authenticate: async (
				data: ICredentialDataDecryptedObject,
				_type: string,
				requestOptions: IHttpRequestOptions,
			) => await running.credential.authenticate(data, requestOptions),
		},
		hooks: new ExecutionLifecycleHooks('manual', '1', {} as never),
		executionId: randomUUID(),
		currentNodeExecutionIndex: 0,
		variables: {},
		secretsHelpers: {},
		// n8n's own addresses, to which nothing is sent.
		webhookWaitingBaseUrl: 'http://n8n.invalid/',
		formWaitingBaseUrl: 'http://n8n.invalid/',
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
