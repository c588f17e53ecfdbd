import type { ILoadOptionsFunctions, INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { editorOf, Poller, type PollOptions, runNode, type RunOptions } from './engine';

export interface Fixture {
	readonly sandbox: Sandbox;
	/** Runs the node against the sandbox, with a key with the write scope. */
	run(
		parameters: INodeParameters,
		more?: Partial<RunOptions> & { scope?: 'read' | 'write' },
	): ReturnType<typeof runNode>;
	/** A trigger in an active workflow. */
	poller(parameters: INodeParameters, more?: Partial<PollOptions>): Poller;
	/** The editor, with the node open and set to these parameters. */
	editor(parameters: INodeParameters, credential?: RunOptions['credential']): ILoadOptionsFunctions;
	/** `METHOD /path?query` of every request since the test began, in order of arrival. */
	requests(): string[];
}

/** The system may assign the same port again. */
const used = new Set<string>();

/** A sandbox for each test of a file: on a port of its own, so that nothing is known about its rate limit. */
export function useSandbox(options: SandboxOptions = {}): Fixture {
	let sandbox: Sandbox;
	beforeEach(async () => {
		for (sandbox = await startSandbox(options); used.has(sandbox.origin); ) {
			await sandbox.close();
			sandbox = await startSandbox(options);
		}
		used.add(sandbox.origin);
	});
	afterEach(async () => await sandbox.close());
	return {
		get sandbox() {
			return sandbox;
		},
		run: async (parameters, { scope = 'write', ...more } = {}) =>
			await runNode({
				credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys[scope] },
				parameters,
				...more,
			}),
		poller: (parameters, more = {}) =>
			new Poller({
				credential: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.read },
				parameters: { locationIds: [], options: {}, ...parameters },
				...more,
			}),
		editor: (parameters, credential = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.read }) =>
			editorOf({ credential, parameters }),
		requests: () =>
			sandbox.requests.map(({ method, path, query }) => {
				const text = new URLSearchParams(query).toString();
				return `${method} ${path}${text && `?${text}`}`;
			}),
	};
}

/** A resource locator as a workflow holds it. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

/** The same with a name in place of the ID. */
export const byName = (value: unknown) => ({ __rl: true, mode: 'name', value }) as INodeParameters;

/** The column mapper set to send the incoming row. */
export const incomingRow = { mappingMode: 'autoMapInputData', value: null };

/** The column mapper with columns filled by hand. */
export const columns = (value: Record<string, unknown>) =>
	({ mappingMode: 'defineBelow', value }) as unknown as INodeParameters;
