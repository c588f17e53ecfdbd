import type { Connection } from '../account';
import { isRecord } from '../http/records';
import type { Paging } from '../list/page';
import { readList } from '../list/readList';
import type { JsonObject } from '../ports';
import { requestForList, type ServiceRequest } from '../request';
import { withinTime } from '../time';
import type { Entry } from './entry';
import type { Before } from './versions';

/** A reading of the list is given up after so long (ms). */
export const READING_TAKES = 60_000;

/** How a list is read to look for a record. */
export interface Search {
	connection: Connection;
	request: ServiceRequest;
	paging: Paging;
	/** When the search is given up, by the account's clock (ms). */
	deadline: number;
}

/** One reading of a list. */
export interface Snapshot {
	records: JsonObject[];
	isComplete: boolean;
	startedAt: number;
	/** It shows everything up to this time, by the account's clock (ms). */
	asOf: number;
	/** Its records that were not there before; rows of a run ask for the same ones. */
	fresh: WeakMap<Before, JsonObject[]>;
	/** Resolves when the creates that were on their way when it ended have their answers. */
	landed: Promise<unknown>;
}

/** How many wait for a reading; it is stopped when nobody does. */
interface Wanted {
	by: number;
	stop: AbortController;
}

/** The readings of one list, which all who look for a record share. */
export class Readings {
	/** The reading under way, and the queued one: whoever asks now shares that, because it starts after they asked. */
	private current: Promise<unknown> = Promise.resolve();
	private next?: { snapshot: Promise<Snapshot | undefined>; wanted: Wanted };

	constructor(private readonly open: ReadonlySet<Entry>) {}

	/**
	 * Reads the list after the reading under way, once for all who wait; undefined if that fails or takes too
	 * long.
	 */
	async read(search: Search): Promise<Snapshot | undefined> {
		const next = (this.next ??= this.queued(search));
		const { snapshot, wanted } = next;
		wanted.by++;
		try {
			return await inTime(search, async () => await snapshot);
		} finally {
			if (--wanted.by === 0) wanted.stop.abort();
		}
	}

	private queued(search: Search) {
		const wanted: Wanted = { by: 0, stop: new AbortController() };
		const snapshot = this.current.then(async () => {
			this.next = undefined;
			// A failure ends this reading alone.
			return await this.readNow(search, wanted.stop.signal).catch(() => undefined);
		});
		// Without its records, which are many.
		this.current = snapshot.then(() => undefined);
		return { snapshot, wanted };
	}

	/** @param stop its own: whoever is stopped does not spoil what others wait for */
	private async readNow(
		{ connection, request, paging }: Search,
		stop: AbortSignal,
	): Promise<Snapshot | undefined> {
		const { clock } = connection.account;
		const startedAt = clock.now();
		const own: Connection = {
			...connection,
			...{ patienceMs: READING_TAKES, since: undefined, urgency: 'look', noCache: true },
		};
		const whole = { ...paging, limit: undefined };
		const list = await withinTime(
			clock,
			READING_TAKES,
			async (signal) => await readList({ ...own, signal }, requestForList(request), whole),
			stop,
		);
		if (!list) return undefined;
		const records = list.records.filter(isRecord);
		const isComplete = !list.incomplete && records.length === list.records.length;
		const landed = Promise.all([...this.open].map(async ({ answered }) => await answered));
		return { records, isComplete, startedAt, asOf: list.asOf, fresh: new WeakMap(), landed };
	}
}

/** Waits for work until the search is given up; undefined if that comes first. */
export async function inTime<T>(
	{ connection: { account, signal }, deadline }: Search,
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
	return await withinTime(account.clock, deadline - account.clock.now(), work, signal);
}
