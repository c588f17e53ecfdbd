import groupBy from 'lodash/groupBy';
import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	duringRun,
	type JsonObject,
	matchKeyOf,
	noteReader,
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
	// At no full minute, so that dates show to what they are cut.
	const clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, 250));
	const service = new Service(world, clock);
	const account = new Account(clock, seededRandom(7));
	const run = new Run(world, clock, service, account);
	const rows = rowsOf(world);
	const others = rows.map((row) => ({ ...row, name: `${row.name}b` }));
	const all = world.life === 'together' ? [...rows, ...others] : rows;
	await clock.run(run.post(rows, others));
	await clock.run(clock.sleep(AFTERWARDS));
	const ofTitle = groupBy(all, ({ fields }) => fields.title);
	const groups = Object.values(ofTitle).map((group) => group.map(({ name }) => name));
	const played: Played = { world, service, account, reports: [...run.reports.values()], groups };
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
	/** The last report of each row. */
	readonly reports = new Map<string, Report>();
	/** The list that each run saw before it sent anything. */
	private readonly existing = new Map<string, Promise<Existing | undefined>>();

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
		private readonly service: Service,
		private readonly account: Account,
	) {}

	/** The rows of a sheet become posts. */
	async post(rows: Row[], others: Row[]): Promise<void> {
		const { clock, reports } = this;
		const { life } = this.world;
		const stop = new AbortController();
		if (life === 'stopped') void clock.sleep(STOPPED_AFTER).then(() => stop.abort());
		const first = this.runAll('first run', rows, stop.signal);
		await Promise.all([first, life === 'together' && this.runAll('other run', others)]);
		if (life === 'once' || life === 'together') return;
		if (life === 'stopped') await clock.sleep(RUN_AGAIN_AFTER);
		const sent = life === 'retried-with-time' ? { sent: clock.now() } : {};
		// With Create Another One, a person looks for what could not be confirmed: a new execution sends it again.
		const isLookedFor = life === 'stopped' && !this.world.readsFirst;
		const isOpen = (said?: string) => said !== 'done' && !(isLookedFor && said === 'unconfirmed');
		const open = rows
			.filter(({ name }) => isOpen(reports.get(name)?.said))
			.map(({ name, fields }) => ({ name, fields: { ...fields, ...sent } }));
		await this.runAll(life === 'stopped' ? 'second run' : 'first run', open);
	}

	private async runAll(run: string, rows: Row[], signal?: AbortSignal): Promise<void> {
		const { readsFirst } = this.world;
		const connection = this.connectionFor('a look before');
		const key = { execution: run, run };
		const look = async () => await readExisting(connection, CREATE, DEFAULT_PAGING);
		if (readsFirst && !this.existing.has(run)) {
			this.existing.set(
				run,
				look().catch((error: Error) => void failureOf(error)),
			);
		}
		const seen = await this.existing.get(run);
		// A run that can't read the list sends nothing.
		if (readsFirst && (seen === undefined || seen.incomplete)) return;
		// Of rows that say the same, the later ones wait for the first: the plan of a run sees to that.
		const groups = readsFirst
			? Object.values(groupBy(rows, ({ fields }) => matchKeyOf(fields, MATCHING)))
			: rows.map((row) => [row]);
		const work = async () => {
			if (seen) noteReader(this.account, key, CREATE, seen.before);
			await Promise.all(
				groups.map(async (group) => await this.createFirst(run, group, seen, signal)),
			);
		};
		await duringRun(this.account, key, work);
	}

	private async createFirst(run: string, group: Row[], seen?: Existing, signal?: AbortSignal) {
		const [first, ...others] = group;
		await this.create(run, first, seen, signal);
		const report = this.reports.get(first.name)!;
		for (const { name } of others) this.reports.set(name, { ...report, who: name });
	}

	private connectionFor(who: string, signal?: AbortSignal): Connection {
		const times = { patienceMs: PATIENCE, timeoutMs: TIMEOUT };
		return { account: this.account, transport: this.service.transportOf(who), signal, ...times };
	}

	/** Creates a row, and notes what the client says of it. */
	private async create(run: string, row: Row, seen?: Existing, signal?: AbortSignal) {
		const { name, fields } = row;
		const { readsFirst } = this.world;
		const matching = { ...MATCHING, fields: MATCHING.fields.filter((field) => field in fields) };
		const keyOf = (record: unknown) => matchKeyOf(record as JsonObject, matching);
		const skipped = seen?.records.find((record) => keyOf(record) === keyOf(fields));
		const how = {
			...{ paging: DEFAULT_PAGING, matching, before: readsFirst ? seen?.before : undefined },
			row: { execution: run, run, row: name },
		};
		const calledAt = this.clock.now();
		const connection = this.connectionFor(name, signal);
		const work = skipped
			? Promise.resolve({ record: skipped, became: 'equal' })
			: create(connection, { ...CREATE, body: fields }, how);
		const said = await work.then(
			// What another run has made is a question, unless it is equal: nothing was sent.
			({ record, became }) =>
				['created', 'equal'].includes(became)
					? { said: 'done' as const, record }
					: { said: 'failed' as const },
			(error: unknown) => failureOf(error as Error, signal),
		);
		this.reports.set(name, { who: name, calledAt, endedAt: this.clock.now(), ...said });
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
