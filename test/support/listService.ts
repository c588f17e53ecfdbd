import { Account, type Connection, type JsonObject } from '../../nodes/LocalSeo/client';
import { seededRandom, type VirtualClock } from './virtualClock';

/** A service that shows a list, and nothing else; how often it was asked. */
export function listService(clock: VirtualClock, records: unknown[]) {
	const asked: string[] = [];
	const connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		timeoutMs: 60_000,
		transport: async ({ method }) => {
			asked.push(method);
			await clock.sleep(20);
			const meta = { current_page: 1, per_page: 100, total: records.length };
			const data = structuredClone(records) as JsonObject[];
			const headers = { date: new Date(clock.now()).toUTCString() };
			return { status: 200, headers, body: { data, meta } };
		},
	};
	return { connection, asked };
}
