import { groupBy } from '../../../dev/n8n/groupBy';
import {
	Account,
	type Connection,
	change,
	create,
	DEFAULT_PAGING,
	type JsonObject,
	matchKeyOf,
	readExisting,
	readCompleteList,
	ServiceError,
} from '../../../nodes/LocalSeo/client';
import { VirtualClock } from '../../support/virtualClock';
import type { World } from './dimensions';
import { judge, PATIENCE, type Played, type Report, TIMEOUT } from './judge';
import { fieldsOfRow, Service } from './service';
import { seededRandom } from '../../support/random';

/** After the last row, for backends that act late (ms). */
const AFTERWARDS = 120_000;
/** When an execution is stopped, and how long until a person runs it again (ms). */
const STOPPED_AFTER = 150;
const RUN_AGAIN_AFTER = 30_000;

interface Row {
	name: string;
	fields: JsonObject;
}

export interface Verdict extends Played {
	/** What is wrong; empty where nothing is. */
	wrong: string[];
}

const LIST = { path: '/locations/{locationId}/posts', ids: { locationId: 'loc_1' } };
const requestOf = (method: 'GET' | 'POST') => ({
	...LIST,
	method,
	query: {},
	noun: 'content post',
});

/** Lets the client do the job of a world, and judges what became of it. */
export async function play(world: World): Promise<Verdict> {
	// At no full minute, so that dates show to what they are cut.
	const clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, 250));
	const service = new Service(world, clock);
	const account = new Account(clock, seededRandom(7));
	const connect = (who: string, signal?: AbortSignal): Connection => ({
		account,
		transport: service.transportOf(who),
		patienceMs: PATIENCE,
		timeoutMs: TIMEOUT,
		signal,
	});
	const call = async (
		who: string,
		work: (connection: Connection) => Promise<unknown[]>,
		signal?: AbortSignal,
	): Promise<Report> => {
		const calledAt = clock.now();
		const outcome = await work(connect(who, signal)).then(
			(records) => ({ said: 'done' as const, records }),
			(error: unknown) => failureOf(error as Error, signal),
		);
		const report = { who, calledAt, endedAt: clock.now(), ...outcome };
		service.log(`${who} reported: ${report.said}${'why' in report ? `, ${report.why}` : ''}`);
		return report;
	};
	const played: Played = { world, service, account, reports: [], groups: [] };
	const jobs = { post, list, update: changeOne, delete: changeOne };
	await jobs[world.job](played, call, clock);
	await clock.run(clock.sleep(AFTERWARDS));
	return { ...played, wrong: judge(played) };
}

type Call = (
	who: string,
	work: (connection: Connection) => Promise<unknown[]>,
	signal?: AbortSignal,
) => Promise<Report>;

function failureOf(error: Error, signal?: AbortSignal) {
	const isOwn = error instanceof ServiceError;
	const isOpen = isOwn ? error.mayHaveActed : signal?.aborted;
	// Nothing but its own errors comes out of the client.
	if (!isOwn && !isOpen) throw error;
	const kind = isOwn ? error.kind : undefined;
	return { said: isOpen ? 'unconfirmed' : 'failed', why: error.message, kind } as const;
}

/** The rows of a sheet become posts. */
async function post(played: Played, call: Call, clock: VirtualClock): Promise<void> {
	const { world, service } = played;
	const rows = rowsOf(world);
	const reports = new Map<string, Report>();
	const existing = new Map<string, Existing | undefined>();
	const paging = asked(world);
	/** What a run sees before it sends anything; undefined if it can't be read: then no row is sent. */
	const look = async (run: string) => {
		const known = existing.get(run);
		if (known) return known;
		let seen: Existing | undefined;
		await call('a look before', async (connection) => {
			seen = await readExisting(connection, requestOf('POST'), paging, OF_LIST);
			return [];
		});
		existing.set(run, seen);
		return seen;
	};
	const runAll = async (run: string, todo: Row[], signal?: AbortSignal) => {
		const seen = world.readsFirst ? await clock.run(look(run)) : undefined;
		if (world.readsFirst && (seen === undefined || seen.incomplete)) return;
		if (world.records.ids === 'reused' && run === 'first run' && reports.size === 0) {
			// What was seen before is gone, and its ID is given again.
			service.remove(service.records.filter(({ row }) => row === undefined).pop());
		}
		const work = todo.map(async ({ name, fields }) => {
			const request = { ...requestOf('POST'), body: { ...fields } };
			const matching = matchingOf(fields);
			const how = { paging, matching, before: seen?.before, row: { run, row: name } };
			const key = matchKeyOf(fields, matching);
			const skipped = seen?.records.find((one) => matchKeyOf(one as JsonObject, matching) === key);
			return await call(
				name,
				async (connection) => {
					if (skipped) return [skipped];
					const unlessMade = world.readsFirst;
					return [(await create(connection, request, { ...how, unlessMade })).record];
				},
				signal,
			);
		});
		for (const report of await clock.run(Promise.all(work))) reports.set(report.who, report);
	};
	const open = (some = rows) => some.filter(({ name }) => reports.get(name)?.said !== 'done');

	const stop = new AbortController();
	if (world.life === 'stopped') void clock.sleep(STOPPED_AFTER).then(() => stop.abort());
	const others =
		world.life === 'together' ? rows.map((row) => ({ ...row, name: `${row.name}b` })) : [];
	await Promise.all([
		runAll('first run', rows, stop.signal),
		...(others.length > 0 ? [runAll('other run', others)] : []),
	]);
	if (world.life === 'retried') await runAll('first run', open());
	if (world.life === 'retried-with-time') {
		const sent = clock.now();
		await runAll(
			'first run',
			open().map((row) => ({ ...row, fields: { ...row.fields, sent } })),
		);
	}
	if (world.life === 'stopped') {
		await clock.run(clock.sleep(RUN_AGAIN_AFTER));
		await runAll('second run', open());
	}
	played.reports.push(...reports.values());
	played.groups.push(...groupsOf([...rows, ...others]));
}

type Existing = Awaited<ReturnType<typeof readExisting>>;

/** What is compared of posts: the time only where a row has one. */
const OF_LIST = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
const matchingOf = (fields: JsonObject) => ({
	...OF_LIST,
	fields: OF_LIST.fields.filter((name) => name !== OF_LIST.time || name in fields),
});

async function list({ world, reports }: Played, call: Call, clock: VirtualClock): Promise<void> {
	const read = async (connection: Connection) =>
		await readCompleteList(connection, requestOf('GET'), asked(world));
	reports.push(await clock.run(call('a reading', read)));
}

/** Updates or deletes the latest record. */
async function changeOne(
	{ world, service, reports }: Played,
	call: Call,
	clock: VirtualClock,
): Promise<void> {
	const last = service.records[service.records.length - 1];
	// Without an ID it can't be named.
	if (last?.shownId === undefined) return;
	const ids = { postId: String(last.shownId) };
	const one = { path: '/posts/{postId}', ids, query: {}, noun: 'content post' };
	const request =
		world.job === 'update'
			? {
					...one,
					method: 'PATCH' as const,
					body: { title: 'Another title for it', content: 'New' },
				}
			: { ...one, method: 'DELETE' as const };
	const work = async (connection: Connection) => [await change(connection, request)];
	reports.push(await clock.run(call('a change', work)));
}

function asked({ list: { asksFor } }: World) {
	return { ...DEFAULT_PAGING, pageSize: asksFor };
}

/** The rows of the sheet; the last ones say the same as the first ones. */
export function rowsOf({ rows: { count, duplicates, more } }: World): Row[] {
	const distinct = Math.max(1, count - duplicates);
	return Array.from({ length: count }, (_, index) => ({
		name: `row ${index + 1}`,
		fields: fieldsOfRow(index % distinct, more),
	}));
}

function groupsOf(rows: Row[]): string[][] {
	const groups = [...groupBy(rows, ({ fields }) => fields.title).values()];
	return groups.map((group) => group.map(({ name }) => name));
}
