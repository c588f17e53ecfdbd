import groupBy from 'lodash/groupBy';

import { Account, type JsonObject, ServiceError } from '../../../../nodes/LocalSeo/client';
import { operationOf, resourceOf } from '../../../../nodes/LocalSeo/resources';
import type { RowEnd } from '../../../../nodes/LocalSeo/rows/outcome';
import { readRow, type Row } from '../../../../nodes/LocalSeo/rows/read/row';
import { runRows } from '../../../../nodes/LocalSeo/rows/way';
import { contextTo, sourceOf } from '../../../support/plainRows';
import { seededRandom } from '../../../support/random';
import { VirtualClock } from '../../../support/virtualClock';
import type { Simulation } from '../simulation';
import { type World, worlds, ZONE } from './dimensions';
import { judge, PATIENCE, type Played, type Report, timeoutOf } from './judge';
import { fieldsOfRow, Service } from './service';

/** After the last row, for backends that act late (ms). */
const AFTERWARDS = 120_000;
/** When an execution is stopped, and how long until a person runs it again (ms). */
const STOPPED_AFTER = 150;
const RUN_AGAIN_AFTER = 30_000;
const POST = resourceOf('post');
const CREATE = operationOf(POST, 'create');
const MATCHING = ['title', 'content', 'publish_at'];

interface NamedRow {
	name: string;
	fields: JsonObject;
}

/** Lets the node post the rows of a world, all the way but for n8n, and judges what became of them. */
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
	await clock.pass(AFTERWARDS);
	if (service.mistake) throw service.mistake;
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

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
		private readonly service: Service,
		private readonly account: Account,
	) {}

	async post(rows: NamedRow[], others: NamedRow[]): Promise<void> {
		const { clock, reports } = this;
		const { life, readsFirst } = this.world;
		const stop = new AbortController();
		if (life === 'stopped') void clock.sleep(STOPPED_AFTER).then(() => stop.abort());
		const first = this.runAll('first run', rows, stop.signal);
		await Promise.all([first, life === 'together' && this.runAll('other run', others)]);
		if (life === 'once' || life === 'together') return;
		if (life !== 'stopped') {
			const sent = life === 'retried-with-time' ? { sent: clock.now() } : {};
			const again = rows.map(({ name, fields }) => ({ name, fields: { ...fields, ...sent } }));
			return await this.runAll('first run', again);
		}
		await clock.sleep(RUN_AGAIN_AFTER);
		// With Create Another One, a person runs what has failed, and looks for what could not be confirmed.
		const isOpen = ({ name }: NamedRow) => readsFirst || reports.get(name)?.said === 'failed';
		await this.runAll('second run', rows.filter(isOpen));
	}

	private async runAll(run: string, named: NamedRow[], signal?: AbortSignal): Promise<void> {
		const { clock, account, service, world } = this;
		if (named.length === 0) return;
		const calledAt = clock.now();
		const endedAt: number[] = [];
		const ended = new Proxy<RowEnd[]>([], {
			set: (ends, index, end: RowEnd) => {
				endedAt[Number(index)] = clock.now();
				return Reflect.set(ends, index, end);
			},
		});
		const rows = this.rowsFor(run, named);
		const data = { baseUrl: 'https://service.example', apiKey: 'key' };
		const shared = {
			credential: { account, data },
			contextOf: ({ index }: Row) =>
				contextTo(service.transportOf(named[index].name), { timeout: timeoutOf(world), signal }),
			signal,
		};
		await runRows(rows, ended, shared).catch((thrown: Error) => {
			for (const index of rows.keys()) ended[index] ??= thrown;
		});
		for (const [index, { name: who }] of named.entries()) {
			const said = saidBy(ended[index], signal);
			const wasOpen = said.said === 'unconfirmed' || this.reports.get(who)?.wasOpen === true;
			const report = { who, calledAt, endedAt: endedAt[index], wasOpen, ...said };
			// What another execution does not send may be there all the same.
			const isOfOther = run === 'second run' && report.said === 'failed' && this.reports.has(who);
			if (!isOfOther) this.reports.set(who, report);
		}
	}

	/** The rows as n8n hands them over, mapped by hand. */
	private rowsFor(run: string, named: NamedRow[]): Row[] {
		const { readsFirst, namesTime, namesMatchFields, listedWithout, showsTime } = this.world;
		const isListed = (name: string) =>
			name !== listedWithout && !(name === 'publish_at' && showsTime === 'never');
		const isOfAll = (name: string) => named.every(({ fields }) => name in fields);
		// Records like rows are none of them, and what the list does not show tells nothing apart.
		const matchFields = MATCHING.filter((name) => isListed(name) && isOfAll(name));
		const items = named.map(({ fields }) => fields);
		return named.map(({ fields }, index) => {
			const panel: JsonObject = {
				whenToPublish: 'publish_at' in fields ? 'scheduled' : 'now',
				ifExists: readsFirst ? 'skip' : 'create',
				fields: { mappingMode: 'defineBelow', value: fields },
				options: {
					maxWait: PATIENCE / 1_000,
					...(namesMatchFields && { matchFields }),
					...(namesTime && { publishTimeField: 'publish_at' }),
				},
			};
			const source = sourceOf(items, index, panel, { zone: ZONE, run });
			return readRow(source, POST, CREATE, false);
		});
	}
}

/** What a row came to, for whoever reads its item. */
function saidBy(end: RowEnd, signal?: AbortSignal) {
	if (!(end instanceof Error)) return { said: 'done' as const, record: end.record! };
	// A mistake of our own is no end.
	if (['TypeError', 'RangeError', 'ReferenceError'].includes(end.name)) throw end;
	const isOpen = end instanceof ServiceError ? end.mayHaveActed : signal?.aborted;
	return { said: isOpen ? ('unconfirmed' as const) : ('failed' as const) };
}

/** The rows of the sheet; the last ones say the same as the first ones. */
function rowsOf({ count, duplicates, more }: World): NamedRow[] {
	const distinct = Math.max(1, count - duplicates);
	return Array.from({ length: count }, (_, index) => ({
		name: `row ${index + 1}`,
		fields: fieldsOfRow(index % distinct, more),
	}));
}
