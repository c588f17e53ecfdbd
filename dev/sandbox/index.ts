import type { AddressInfo } from 'node:net';
import { keys } from './access';
import { Contract } from './contract';
import { Exchange } from './exchange';
import { Faults, type RecordedRequest } from './faults';
import { addPage, requireOwnAddress } from './page';
import { SampleAccount } from './sampleAccount';
import { appWithTexts, arrivalOf } from './socket';

export type { Scope } from './access';
export type * from './faults';
export type * from './records';

export interface SandboxOptions {
	/** 0 (default): any free port. */
	port?: number;
	/** How many sample locations there are; 64 by default. */
	locations?: number;
	/** Page size of requests that do not set one; 15 by default. */
	pageSize?: number;
	/** How long each request to /api/v1 takes at least; 0 by default. */
	latencyMs?: number;
	/** A whole number, for each key by itself; no limit by default. */
	requestsPerSecond?: number;
	/** Whether it has its page; it has by default. The page is half of what a start costs. */
	hasPage?: boolean;
	/** Clock of created_at and updated_at; the sample data ends at its time. */
	now?: () => Date;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`; the sandbox's page is here. */
	origin: string;
	/** The origin and `/api/v1`: what goes into a credential. */
	baseUrl: string;
	keys: typeof keys;
	/** The live records: read them, or change them in place. */
	account: SampleAccount;
	/** Every request to /api/v1 since the start or the last reset. */
	requests: RecordedRequest[];
	faults: Faults;
	/** Restores the sample data; created records, faults and recorded requests are gone. */
	reset(): void;
	/** Rejects if a response of the sandbox did not match dev/sandbox/openapi.yaml, and says how. */
	close(): Promise<void>;
}

/** Starts a local stand-in of the service, bound to 127.0.0.1. Rejects if the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { locations = 64, pageSize = 15, now = () => new Date() } = options;
	const { requestsPerSecond: most, latencyMs = 0, hasPage = true } = options;
	const period = { period: 1_000, counts: 'periods from a request on' } as const;
	const limit = most === undefined ? undefined : { most, ...period };
	const account = new SampleAccount({ locations, pageSize, now, limit });
	const controls = { faults: new Faults(), requests: [] as RecordedRequest[] };
	const exchange = new Exchange({
		...controls,
		contract: await Contract.load(),
		service: account.service,
		latencyMs,
	});

	const app = appWithTexts();
	requireOwnAddress(app);
	app.all('/api/v1/*', async (request, reply) => {
		await exchange.handle(arrivalOf(request), reply);
		return reply;
	});
	if (hasPage) addPage(app, account, controls.requests);

	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	const origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
	return {
		...{ origin, keys, account, baseUrl: `${origin}/api/v1` },
		...controls,
		reset: () => {
			controls.requests.length = 0;
			controls.faults.clear();
			account.reset();
		},
		close: async () => {
			await app.close();
			if (exchange.complaints.length > 0) throw new Error(exchange.complaints.join('\n'));
		},
	};
}
