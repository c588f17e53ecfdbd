import type { INodeParameters } from 'n8n-workflow';

import type { Sandbox, SandboxOptions } from '../../dev/sandbox';
import { startSandbox } from '../../dev/sandbox';
import {
	editorOf,
	Poller,
	type PollOptions,
	runNode,
	type RunOptions,
	type RunResult,
} from './engine';

export type Fixture = ReturnType<typeof fixtureOf>;

/** The system may assign the same port again. */
const used = new Set<string>();

/** On a port that no other test has used, so that nothing is known about its rate limit. */
export async function freshSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const sandbox = await startSandbox({ hasPage: false, ...options });
	if (used.has(sandbox.origin)) {
		await sandbox.close();
		return await freshSandbox(options);
	}
	used.add(sandbox.origin);
	return sandbox;
}

/** A sandbox for each test of a file. */
export function useSandbox(options: SandboxOptions = {}): Fixture {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await freshSandbox(options);
	});
	afterEach(async () => await sandbox.close());
	return fixtureOf(() => sandbox);
}

export function fixtureOf(current: () => Sandbox) {
	return {
		get sandbox() {
			return current();
		},
		account: () => current().account,
		/** Runs the node against the sandbox, with a key with the write scope. */
		run: async (
			parameters: INodeParameters,
			{ scope = 'write', ...more }: Partial<RunOptions> & { scope?: 'read' | 'write' } = {},
		) =>
			byNumber(
				await runNode({
					credential: { baseUrl: current().baseUrl, apiKey: current().keys[scope] },
					parameters,
					...more,
				}),
			),
		/** A trigger in an active workflow. */
		poller: (parameters: INodeParameters, more: Partial<PollOptions> = {}) =>
			new Poller({
				credential: readerOf(current()),
				parameters: { locationIds: [], options: {}, ...parameters },
				...more,
			}),
		/** The editor, with the node open and set to these parameters. */
		editor: (
			parameters: INodeParameters,
			credential: RunOptions['credential'] = readerOf(current()),
		) => editorOf({ credential, parameters }),
		/** `METHOD /path?query` of every request since the test began, in order of arrival. */
		requests: () =>
			current().requests.map(({ method, path, query }) => {
				const text = new URLSearchParams(query).toString();
				return `${method} ${path}${text && `?${text}`}`;
			}),
	};
}

const readerOf = ({ baseUrl, keys }: Sandbox) => ({ baseUrl, apiKey: keys.read });

/** A resource locator as a workflow holds it. */
export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;

export const byName = (value: unknown) => ({ __rl: true, mode: 'name', value }) as INodeParameters;

/** A failed row comes out beside the others, with its reason. */
export const goOn = { settings: { onError: 'continueRegularOutput' as const } };

/** The column mapper set to send the incoming row. */
export const incomingRow = { mappingMode: 'autoMapInputData', value: null };

/** The column mapper with columns filled by hand. */
export const columns = (value: Record<string, unknown>) =>
	({ mappingMode: 'defineBelow', value }) as unknown as INodeParameters;

const TITLE = /((?:row|item) \d+) \(\\?".*?\\?"\)/gi;
const untitled = <T>(said: T): T =>
	JSON.parse(JSON.stringify(said ?? null).replace(TITLE, '$1')) as T;

/** What a run says, with rows called by their numbers alone: most tests are not about their titles. */
function byNumber({ error, outputs, hints, ...more }: RunResult): RunResult {
	for (const name of ['message', 'description'] as const) {
		if (error?.[name]) Object.assign(error, { [name]: untitled(error[name]) });
	}
	const said = { outputs: untitled(outputs), hints: untitled(hints) };
	const [items = []] = said.outputs;
	return { ...more, ...said, items, json: items.map(({ json }) => json), error };
}
