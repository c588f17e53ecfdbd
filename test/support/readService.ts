import {
	Account,
	type Connection,
	type HttpResponse,
	type JsonObject,
} from '../../nodes/LocalSeo/client';
import { seededRandom, type VirtualClock } from './virtualClock';

/** What a service shows at a path: a list, a record, or a status. */
export type Shown = Record<string, unknown[] | JsonObject | number>;

/** A service that is only read, and what it was asked for: what is not shown at a path is not found. */
export function readService(clock: VirtualClock, shown: Shown) {
	const asked: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		timeoutMs: 60_000,
		transport: async ({ method, path }): Promise<HttpResponse> => {
			asked.push(`${method} ${path}`);
			await clock.sleep(20);
			const data = shown[path] ?? 404;
			const headers = { date: new Date(clock.now()).toUTCString() };
			if (typeof data === 'number') return { status: data, headers, body: '' };
			const meta = Array.isArray(data)
				? { current_page: 1, per_page: 100, total: data.length }
				: undefined;
			return { status: 200, headers, body: { data: structuredClone(data), meta } };
		},
	};
	return { connection, asked };
}

/** A service that shows the same list wherever it is asked. */
export function listService(clock: VirtualClock, records: unknown[]) {
	return readService(clock, new Proxy<Shown>({}, { get: () => records }));
}
