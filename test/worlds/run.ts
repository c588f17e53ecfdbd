import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type JsonObject,
	ServiceError,
} from '../../nodes/LocalSeo/client';
import { seededRandom, VirtualClock } from '../support/virtualClock';
import type { World } from './dimensions';
import { judge, type Report } from './judge';
import { fieldsOfRow, Service } from './service';

/** Milliseconds. */
const PATIENCE = 300_000;
const TIMEOUT = 60_000;
/** After the last row, for backends that act late. */
const AFTERWARDS = 120_000;
/** When an execution is stopped, and how long until a person runs it again. */
const STOPPED_AFTER = 150;
const RUN_AGAIN_AFTER = 30_000;

interface Row {
	name: string;
	fields: JsonObject;
}

export interface Verdict {
	/** What is wrong; empty where nothing is. */
	wrong: string[];
	reports: Report[];
	service: Service;
}

/** Posts the rows of a world through the client, and judges what became of them. */
export async function play(world: World): Promise<Verdict> {
	const clock = new VirtualClock();
	const service = new Service(world, clock);
	const account = new Account(clock, seededRandom(7));
	const rows = rowsOf(world);
	const runAll = async (run: string, todo: Row[], signal?: AbortSignal) =>
		await clock.run(
			Promise.all(
				todo.map(async ({ name, fields }): Promise<Report> => {
					const connection: Connection = {
						account,
						transport: service.transportOf(name),
						patienceMs: PATIENCE,
						timeoutMs: TIMEOUT,
						signal,
					};
					const report = await post(connection, run, name, fields);
					service.log(
						`${name} reported: ${report.said}${'why' in report ? `, ${report.why}` : ''}`,
					);
					return report;
				}),
			),
		);

	const stop = new AbortController();
	if (world.life === 'stopped') {
		void clock.sleep(STOPPED_AFTER).then(() => stop.abort());
	}
	const reports = new Map<string, Report>();
	const keep = (some: Report[]) => some.forEach((report) => reports.set(report.row, report));
	keep(await runAll('first run', rows, stop.signal));

	const isOpen = ({ name }: Row) => reports.get(name)?.said !== 'created';
	if (world.life === 'retried') keep(await runAll('first run', rows.filter(isOpen)));
	if (world.life === 'retried-with-time') {
		const later = rows.map(({ name, fields }) => ({
			name,
			fields: { ...fields, sent: clock.now() },
		}));
		keep(await runAll('first run', later.filter(isOpen)));
	}
	if (world.life === 'stopped') {
		await clock.run(clock.sleep(RUN_AGAIN_AFTER));
		keep(await runAll('second run', rows.filter(isOpen)));
	}
	await clock.run(clock.sleep(AFTERWARDS));
	const all = [...reports.values()];
	return { wrong: judge(service, all, groupsOf(rows)), reports: all, service };
}

/** The rows of the sheet; the last ones say the same as the first ones. */
function rowsOf({ rows, duplicates }: World): Row[] {
	const distinct = Math.max(1, rows - duplicates);
	return Array.from({ length: rows }, (_, index) => ({
		name: `row ${index + 1}`,
		fields: fieldsOfRow(index % distinct),
	}));
}

/** The names of the rows that say the same. */
function groupsOf(rows: Row[]): string[][] {
	const contents = [...new Set(rows.map(({ fields }) => fields.title))];
	return contents.map((title) =>
		rows.filter(({ fields }) => fields.title === title).map(({ name }) => name),
	);
}

async function post(
	connection: Connection,
	run: string,
	row: string,
	fields: JsonObject,
): Promise<Report> {
	const request = {
		method: 'POST' as const,
		path: '/locations/{locationId}/posts',
		ids: { locationId: 'loc_1' },
		query: {},
		body: { ...fields },
		noun: 'content post',
	};
	try {
		const [record] = await create(connection, request, DEFAULT_PAGING, { run, row });
		return { row, said: 'created', record };
	} catch (error) {
		const why = (error as Error).message;
		const isOpen = error instanceof ServiceError ? error.mayHaveActed : connection.signal?.aborted;
		if (!(error instanceof ServiceError) && !isOpen) throw error;
		return isOpen ? { row, said: 'unconfirmed', why } : { row, said: 'failed', why };
	}
}
