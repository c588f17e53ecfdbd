import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Account,
	BoundedMap,
	type Clock,
	type Connection,
	getOrMake,
	type Hindrance,
	isRecord,
	jsonBytes,
	type JsonObject,
	type Paging,
	readRecords,
	type ServiceRequest,
	Stopwatch,
} from '../client';
import { PerAccount } from '../host/accounts';

/**
 * Identifies a run of a node, by execution, node and run index. n8n's Retry On Fail repeats the node
 * under the same key; a loop, another execution or another node has a key of its own. Undefined
 * outside of executions, which is how n8n runs the tools of its MCP server.
 */
export function runKeyOf(context: IExecutePaginationFunctions): string | undefined {
	const execution = context.getExecutionId() as string | undefined;
	if (!execution) return undefined;
	const { $runIndex } = context.getWorkflowDataProxy(context.getItemIndex());
	return JSON.stringify([execution, context.getNode().id, $runIndex]);
}

/** What the rows of a run share: lists, mostly; the latest one stays, however large it is. */
const shared = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<unknown>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * What is read, or done, once for a run and not once for each of its rows; after a failure, the next
 * row tries again. Outside of executions, each call is a run of its own.
 *
 * @param what tells it from all else that the run shares
 * @param bytesOf what it takes in memory, roughly
 */
export async function oncePerRun<T>(
	context: IExecutePaginationFunctions,
	account: Account,
	what: unknown[],
	make: () => Promise<T>,
	bytesOf: (value: T) => number = jsonBytes,
): Promise<T> {
	const run = runKeyOf(context);
	if (run === undefined) return await make();
	const store = shared.of(account) as BoundedMap<Promise<T>>;
	return await getOrMake(store, JSON.stringify([run, ...what]), make, bytesOf);
}

/**
 * What is at a path, of a list the first entry; asked for once per run.
 *
 * @throws ServiceError as `readRecords` does
 */
export async function readFirst(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	paging: Paging,
): Promise<JsonObject> {
	const read = async () => {
		const [record] = await readRecords(connection, request, { ...paging, limit: 1 });
		return isRecord(record) ? record : {};
	};
	return await oncePerRun(context, connection.account, [request.path, request.ids], read);
}

/** From so many milliseconds on, and so much of the run, waiting is worth a word. */
const LONG_WAIT = 5_000;
const LARGE_PART = 1 / 3;

type Waited = Readonly<Record<Hindrance, number>>;

/** What holds a run up, for a hint at its end. */
export class Progress {
	readonly looking: Stopwatch;
	private readonly startedAt: number;
	private readonly waitedBefore = new Map<Account, Waited>();

	constructor(private readonly clock: Clock) {
		this.startedAt = clock.now();
		this.looking = new Stopwatch(clock);
	}

	/** A row is sent with this account. */
	uses(account: Account): void {
		if (this.waitedBefore.has(account)) return;
		this.waitedBefore.set(account, account.governor.pace.waitedMs);
	}

	/** What has held the run up, where it waited for long. */
	get hindrance(): string | undefined {
		const tookMs = this.clock.now() - this.startedAt;
		const [longest] = [...this.waitedBefore]
			.flatMap(([account, before]) => this.waitsFor(account, before))
			.sort((a, b) => b.waitedMs - a.waitedMs);
		if (!longest || longest.waitedMs < Math.max(LONG_WAIT, LARGE_PART * tookMs)) return undefined;
		return `This run took ${inWords(tookMs)}: ${longest.why}.`;
	}

	private waitsFor(account: Account, before: Waited): Array<{ waitedMs: number; why: string }> {
		const { waitedMs, perSecond, atOnce } = account.governor.pace;
		const since = (hindrance: Hindrance) => waitedMs[hindrance] - before[hindrance];
		const down = since('down');
		const requests = atOnce === 1 ? 'one request' : `about ${atOnce} requests`;
		return [
			{ waitedMs: since('limit'), why: limitInWords(perSecond) },
			{ waitedMs: since('capacity'), why: `the service handles ${requests} at a time` },
			{ waitedMs: down, why: `the service did not respond for ${inWords(down)}` },
			{
				waitedMs: this.looking.ms,
				why: 'after a failure of the service, the list is checked before anything is sent again',
			},
		];
	}
}

function limitInWords(perSecond: number | undefined): string {
	if (perSecond === undefined) return 'the service limits the number of requests';
	const [count, unit] = perSecond >= 1 ? [perSecond, 'second'] : [60 * perSecond, 'minute'];
	const rounded = Math.max(1, Math.round(count));
	return `the service allows about ${rounded} request${rounded === 1 ? '' : 's'} a ${unit}`;
}

function inWords(milliseconds: number): string {
	const seconds = Math.round(milliseconds / 1000);
	if (seconds < 120) return `${seconds} s`;
	return `${Math.round(seconds / 60)} min`;
}
