import { groupBy } from '../../../../dev/n8n/groupBy';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type JsonObject,
	matchKeyOf,
	readExisting,
	ServiceError,
} from '../../../../nodes/LocalSeo/client';
import { seededRandom } from '../../../support/random';
import { VirtualClock } from '../../../support/virtualClock';
import type { Simulation } from '../simulation';
import { type World, worlds } from './dimensions';
import { judge, PATIENCE, type Played, type Report, TIMEOUT } from './judge';
import { fieldsOfRow, Service } from './service';

/** After the last row, for backends that act late (ms). */
const AFTERWARDS = 120_000;
/** When an execution is stopped, and how long until a person runs it again (ms). */
const STOPPED_AFTER = 150;
const RUN_AGAIN_AFTER = 30_000;
/** The fields that are compared of posts: the time only where a row has one. */
const MATCHING = { fields: ['title', 'content', 'publish_at'], time: 'publish_at' };
const POSTS = { path: '/locations/{locationId}/posts', ids: { locationId: 'loc_1' }, query: {} };
const CREATE = { ...POSTS, method: 'POST' as const, noun: 'content post' };

interface Row {
	name: string;
	fields: JsonObject;
}

type Existing = Awaited<ReturnType<typeof readExisting>>;

/** Lets the client post the rows of a world, and judges what became of them. */
export async function play(world: World) {
	const run = new Run(world);
	await run.post();
	await run.pass(AFTERWARDS);
	const { played } = run;
	const count = { done: 0, failed: 0, unconfirmed: 0, stopped: 0 };
	for (const { said } of played.reports) {
		// Nobody expects to know what became of an execution that was stopped.
		const isStopped = world.life === 'stopped' && said === 'unconfirmed';
		count[isStopped ? 'stopped' : said]++;
	}
	return { ...played, count, wrong: judge(played) };
}

export const simulation: Simulation<World> = { worlds, play };

class Run {
	readonly played: Played;
	private readonly clock: VirtualClock;
	private readonly service: Service;
	/** The last report of each row. */
	private readonly reports = new Map<string, Report>();
	/** The list that each run saw before it sent anything. */
	private readonly existing = new Map<string, Promise<Existing | undefined>>();

	constructor(private readonly world: World) {
		// At no full minute, so that dates show to what they are cut.
		this.clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, 250));
		this.service = new Service(world, this.clock);
		const account = new Account(this.clock, seededRandom(7));
		this.played = { world, service: this.service, account, reports: [], groups: [] };
	}

	async pass(milliseconds: number): Promise<void> {
		await this.clock.run(this.clock.sleep(milliseconds));
	}

	/** The rows of a sheet become posts. */
	async post(): Promise<void> {
		const { world, clock, played, reports } = this;
		const rows = rowsOf(world);
		const others = rows.map((row) => ({ ...row, name: `${row.name}b` }));
		const isTogether = world.life === 'together';
		const stop = new AbortController();
		if (world.life === 'stopped') void clock.sleep(STOPPED_AFTER).then(() => stop.abort());
		const first = this.runAll('first run', rows, stop.signal);
		const second = isTogether ? this.runAll('other run', others) : undefined;
		await clock.run(Promise.all([first, second]));
		if (world.life === 'stopped') await this.pass(RUN_AGAIN_AFTER);
		const sent = world.life === 'retried-with-time' ? { sent: clock.now() } : {};
		const open = rows
			.filter(({ name }) => reports.get(name)?.said !== 'done')
			.map(({ name, fields }) => ({ name, fields: { ...fields, ...sent } }));
		const again = world.life === 'stopped' ? 'second run' : 'first run';
		const isAgain = world.life !== 'once' && !isTogether;
		if (isAgain) await clock.run(this.runAll(again, open));
		played.reports.push(...reports.values());
		const groups = groupBy([...rows, ...(isTogether ? others : [])], ({ fields }) => fields.title);
		played.groups.push(...[...groups.values()].map((group) => group.map(({ name }) => name)));
	}

	private async runAll(run: string, rows: Row[], signal?: AbortSignal): Promise<void> {
		const { world, service, reports } = this;
		if (!this.existing.has(run)) this.existing.set(run, this.look());
		const seen = await this.existing.get(run);
		// A run that can't read the list sends nothing.
		if (world.readsFirst && (seen === undefined || seen.incomplete)) return;
		const done = rows.map(async (row) => await this.create(run, row, seen, signal));
		for (const report of await Promise.all(done)) reports.set(report.who, report);
	}

	/** The list that a run sees before it sends anything; undefined if it can't be read. */
	private async look(): Promise<Existing | undefined> {
		let seen: Existing | undefined;
		if (!this.world.readsFirst) return undefined;
		await this.call('a look before', async (connection) => {
			seen = await readExisting(connection, CREATE, DEFAULT_PAGING, MATCHING);
			return [];
		});
		return seen;
	}

	private async create(
		run: string,
		{ name, fields }: Row,
		seen?: Existing,
		signal?: AbortSignal,
	): Promise<Report> {
		const unlessMade = this.world.readsFirst;
		const matching = { ...MATCHING, fields: MATCHING.fields.filter((field) => field in fields) };
		const keyOf = (record: unknown) => matchKeyOf(record as JsonObject, matching);
		const skipped = seen?.records.find((record) => keyOf(record) === keyOf(fields));
		const row = { run, row: name };
		const how = { paging: DEFAULT_PAGING, matching, before: seen?.before, row, unlessMade };
		const work = async (connection: Connection) =>
			skipped ? [skipped] : [(await create(connection, { ...CREATE, body: fields }, how)).record];
		return await this.call(name, work, signal);
	}

	/** Lets the client do something, and notes what it says of it. */
	private async call(
		who: string,
		work: (connection: Connection) => Promise<unknown[]>,
		signal?: AbortSignal,
	): Promise<Report> {
		const { clock, played } = this;
		const times = { patienceMs: PATIENCE, timeoutMs: TIMEOUT };
		const transport = this.service.transportOf(who);
		const calledAt = clock.now();
		const said = await work({ account: played.account, transport, signal, ...times }).then(
			(records) => ({ said: 'done' as const, records }),
			(error: unknown) => failureOf(error as Error, signal),
		);
		return { who, calledAt, endedAt: clock.now(), ...said };
	}
}

function failureOf(error: Error, signal?: AbortSignal) {
	const isOwn = error instanceof ServiceError;
	const isOpen = isOwn ? error.mayHaveActed : signal?.aborted;
	// Nothing but its own errors comes out of the client.
	if (!isOwn && !isOpen) throw error;
	return { said: isOpen ? 'unconfirmed' : 'failed' } as const;
}

/** The rows of the sheet; the last ones say the same as the first ones. */
function rowsOf({ count, duplicates, more }: World): Row[] {
	const distinct = Math.max(1, count - duplicates);
	return Array.from({ length: count }, (_, index) => ({
		name: `row ${index + 1}`,
		fields: fieldsOfRow(index % distinct, more),
	}));
}
