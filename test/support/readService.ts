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
export function readService(clock: VirtualClock, shown: Shown, perPage = 100) {
	const asked: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		timeoutMs: 60_000,
		transport: async ({ method, path, query }): Promise<HttpResponse> => {
			asked.push(`${method} ${path}`);
			await clock.sleep(20);
			const data = shown[path] ?? 404;
			const headers = { date: new Date(clock.now()).toUTCString() };
			if (typeof data === 'number') return { status: data, headers, body: '' };
			if (!Array.isArray(data))
				return { status: 200, headers, body: { data: structuredClone(data) } };
			const page = Number(query.page ?? 1);
			const records = structuredClone(data.slice(perPage * (page - 1), perPage * page));
			const meta = { current_page: page, per_page: perPage, total: data.length };
			return { status: 200, headers, body: { data: records, meta } };
		},
	};
	return { connection, asked };
}
