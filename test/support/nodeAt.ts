import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { type JsonObject, systemClock } from '../../nodes/LocalSeo/client';
import { VirtualClock } from './virtualClock';

/** A request that reached the service, with the key of its credential. */
export type Sent = IHttpRequestOptions & { key: string };

/** What the service answers a request: a status, or what is in `data` of a success. */
export type Respond = (sent: Sent) => number | unknown[] | JsonObject;

/** The process's own clock as a virtual one, for a file of tests. */
export function useVirtualTime(): VirtualClock {
	const clock = new VirtualClock();
	beforeEach(() => {
		jest.spyOn(systemClock, 'now').mockImplementation(() => clock.now());
		jest.spyOn(systemClock, 'sleep').mockImplementation(async (...of) => await clock.sleep(...of));
	});
	afterEach(() => jest.restoreAllMocks());
	return clock;
}

let accountsUsed = 0;

/**
 * What n8n gives a node that sends requests: a service that answers as a test wants after 20 ms, and
 * credentials of an account that no other test uses. `requests` are those that reached the service.
 */
export function hostAt(clock: VirtualClock, respond: Respond) {
	const requests: Sent[] = [];
	const host = {
		requests,
		key: `key ${++accountsUsed}`,
		stop: undefined as AbortSignal | undefined,
		continues: false,
		credentialsRead: 0,
	};
	const credential = () => ({
		apiKey: host.key,
		baseUrl: 'https://api.example.com/v1',
	});
	const own = {
		continueOnFail: () => host.continues,
		getCredentials: async () => {
			host.credentialsRead++;
			return credential();
		},
		getExecutionCancelSignal: () => host.stop,
		getTimezone: () => 'UTC',
		helpers: {
			async httpRequestWithAuthentication(
				this: { getCredentials: (type: string) => Promise<{ apiKey: string }> },
				type: string,
				options: IHttpRequestOptions,
			) {
				const { apiKey: key } = await this.getCredentials(type);
				const sent = { ...options, key };
				requests.push(sent);
				await clock.sleep(20);
				const answer = respond(sent);
				const headers = { date: new Date(clock.now()).toUTCString() };
				if (typeof answer === 'number') return { statusCode: answer, headers, body: {} };
				const data = structuredClone(answer);
				if (!Array.isArray(data)) return { statusCode: 200, headers, body: { data } };
				const meta = { current_page: 1, per_page: 100, total: data.length };
				return { statusCode: 200, headers, body: { data, meta } };
			},
		},
	};
	/** `POST /locations`, of each. */
	const asked = () => requests.map(({ method, url }) => `${method} ${url}`);
	return Object.assign(host, { own, asked });
}

/** A run of the node over all its rows; expressions that only read a column are resolved by the node. */
export function executionAt(
	{ own }: ReturnType<typeof hostAt>,
	parameters: IDataObject,
	rows: object[] = [{}],
	node: object = {},
) {
	const items = rows.map((json) => ({ json }));
	const hints: string[] = [];
	const context = {
		...own,
		getNode: () => ({ id: 'node', name: 'Local SEO', type: 'localSeo', parameters, ...node }),
		getInputData: () => items,
		getNodeParameter: (name: string, _index: number, fallback?: unknown) =>
			parameters[name] ?? fallback,
		getExecutionId: () => 'run',
		getWorkflowDataProxy: () => ({ $runIndex: 0 }),
		getExecuteData: () => ({ data: { main: [items] } }),
		addExecutionHints: (...added: Array<{ message: string }>) =>
			hints.push(...added.map(({ message }) => message)),
	};
	return { context: context as unknown as IExecuteFunctions, hints };
}
