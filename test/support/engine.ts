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
	IRun,
	ITaskData,
	IWorkflowExecuteAdditionalData,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
// With their extension: the bench runs this with tsx, which would otherwise take the .node.json beside them.
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node.ts';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node.ts';

export { LocalSeo };

const credentialType = new LocalSeoApi();

/** The node as n8n's loader hands it out: with Batching, Timeout and the like under Options. */
const localSeo: INodeType = new LocalSeo();
DirectoryLoader.applyDeclarativeNodeOptionParameters(localSeo);

const trigger = new LocalSeoTrigger();

/** The tool that n8n makes of it (its "convertNodeToAiTool"), as far as the engine sees. */
export const localSeoTool: INodeType = Object.assign(Object.create(localSeo) as INodeType, {
	description: { ...localSeo.description, name: 'localSeoTool' },
});

/** As n8n runs a declarative node (its NodeTypes): through the routing engine, with the signal to stop. */
function runnable({ isRoutedByHost, isTool }: RunOptions): INodeType {
	const type = isTool ? localSeoTool : localSeo;
	return Object.assign(Object.create(type) as INodeType, {
		...(isRoutedByHost || isTool ? { customOperations: undefined } : {}),
		async execute(this: IExecuteFunctions) {
			return (await new RoutingNode(this as ExecuteContext, type).runNode()) ?? [];
		},
	});
}

/** Outputs the rows of a sheet, in place of whatever precedes the node in a workflow. */
const rowsNode = (rows: object[], files: IBinaryKeyData[]): INodeType => ({
	description: {
		displayName: 'Rows',
		name: 'rows',
		group: ['input'],
		version: 1,
		description: '',
		defaults: { name: 'Rows' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		properties: [],
	},
	async execute() {
		return [rows.map((json, row) => ({ json: json as IDataObject, binary: files[row] }))];
	},
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

export interface RunResult {
	/** Items by output: main, and the error output where the node has one. */
	outputs: INodeExecutionData[][];
	items: INodeExecutionData[];
	json: IDataObject[];
	/** Texts of the hints. */
	hints: string[];
	error?: ITaskData['error'];
	run: IRun;
}

function workflowOf(options: RunOptions): Workflow {
	const { rows = [{}], files = [], parameters, settings = {}, timezone } = options;
	const types: Record<string, INodeType> = {
		rows: rowsNode(rows, files),
		localSeo: runnable(options),
		localSeoTool: runnable(options),
	};
	const nodeTypes: INodeTypes = {
		getByName: (name) => types[name],
		getByNameAndVersion: (name) => types[name],
		getKnownTypes: () => ({}),
	};
	return new Workflow({
		id: 'test',
		nodes: [
			node('Rows', 'rows', {}),
			{
				...node('Local SEO', options.isTool ? 'localSeoTool' : 'localSeo', {
					// Most tests are about other things than when posts go live.
					...(parameters.operation === 'create' && { whenToPublish: 'either' }),
					...parameters,
				}),
				credentials: { localSeoApi: { id: credentialId(options), name: 'Local SEO' } },
				...settings,
			},
		],
		connections: {
			Rows: { main: [[{ node: 'Local SEO', type: NodeConnectionTypes.Main, index: 0 }]] },
		},
		active: false,
		nodeTypes,
		settings: { executionOrder: 'v1', ...(timezone && { timezone }) },
	});
}

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
	const [startTime, executionTime, executionIndex] = [0, 0, 0];
	runExecutionData.resultData.runData.Rows = [
		{ startTime, executionTime, executionIndex, source: [], data },
	];
	const source = { main: [{ previousNode: 'Rows' }] };
	return new ExecuteContext(
		...([workflow, node, hostData(options.credential), 'manual', runExecutionData, 0] as const),
		...([items, data, { node, data, source }] as const),
		[],
	) as unknown as IExecuteFunctions;
}

/** Runs the node in a workflow of two nodes, through the execution engine of n8n-core. */
export async function runNode(options: RunOptions): Promise<RunResult> {
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
	/** As with n8n's durable scheduler: each poll only gets what was saved. */
	isForgetful?: boolean;
}

/** A trigger in an active workflow, as n8n runs it. */
export class Poller {
	private workflowId = randomUUID();
	private staticData: IDataObject = {};
	private context!: PollContext;
	/** n8n writes what a trigger remembers when it is activated, and when it starts a workflow. */
	private database = '{}';
	private isActivating = true;

	constructor(private readonly options: PollOptions) {
		this.start('activate');
	}

	/** Polls as n8n's schedule does; returns the items that start the workflow. */
	async poll<T = IDataObject>(): Promise<T[]> {
		if (this.options.isForgetful) {
			this.staticData = JSON.parse(this.database) as IDataObject;
			this.context = this.contextFor('trigger', 'update');
		}
		const items = await trigger.poll.call(this.context);
		if (items || this.isActivating) this.database = this.stored;
		this.isActivating = false;
		return (items ?? []).flat().map(({ json }) => json as T);
	}

	/** Restarts n8n: what it had not saved is lost. */
	restart(): void {
		// The process is still the same here; with another name, the trigger's memory is not found.
		this.workflowId = randomUUID();
		this.staticData = JSON.parse(this.database) as IDataObject;
		this.isActivating = true;
		this.start('init');
	}

	/** What the trigger remembers, as it would be written. */
	get stored(): string {
		return JSON.stringify(this.context.getWorkflowStaticData('node'));
	}

	/** Fetch test event, in the editor. */
	async sample<T = IDataObject>(): Promise<T[]> {
		const items = await trigger.poll.call(this.contextFor('manual', 'manual'));
		return (items ?? []).flat().map(({ json }) => json as T);
	}

	private start(activation: WorkflowActivateMode): void {
		this.context = this.contextFor('trigger', activation);
	}

	private contextFor(mode: WorkflowExecuteMode, activation: WorkflowActivateMode): PollContext {
		const { credential, parameters, budget = 300_000 } = this.options;
		const watching: INode = {
			...node('Watch', 'localSeoTrigger', parameters),
			credentials: { localSeoApi: { id: credentialId({ credential }), name: 'Local SEO' } },
		};
		const workflow = new Workflow({
			id: this.workflowId,
			nodes: [watching],
			connections: {},
			active: true,
			nodeTypes: {
				getByName: () => trigger,
				getByNameAndVersion: () => trigger,
				getKnownTypes: () => ({}),
			},
			staticData: { 'node:Watch': this.staticData },
		});
		const context = new PollContext(
			...([workflow, watching, hostData(credential), mode, activation] as const),
			...([undefined, undefined, undefined, undefined, undefined, () => budget] as const),
		);
		// An n8n that tells no budget has the node assume five minutes: too long for a test.
		return Object.assign(context, { getPollBudgetMs: () => budget });
	}
}

/** Like n8n, one id for one credential. */
function credentialId({ credential }: Pick<RunOptions, 'credential'>): string {
	return createHash('sha256').update(JSON.stringify(credential)).digest('hex');
}

function node(name: string, type: string, parameters: INodeParameters): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

/** The host's own address; nothing is sent there. */
const ORIGIN = 'http://n8n.invalid/';

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
			) => await credentialType.authenticate(data, requestOptions),
		},
		hooks: new ExecutionLifecycleHooks('manual', '1', {} as never),
		executionId: randomUUID(),
		currentNodeExecutionIndex: 0,
		variables: {},
		secretsHelpers: {},
		restApiUrl: ORIGIN,
		instanceBaseUrl: ORIGIN,
		webhookBaseUrl: ORIGIN,
		webhookWaitingBaseUrl: ORIGIN,
		webhookTestBaseUrl: ORIGIN,
		formWaitingBaseUrl: ORIGIN,
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
	} as unknown as IWorkflowExecuteAdditionalData;
}
