import { BoundedMap } from './boundedMap';
import { Pacer } from './governor/pacer';
import type { Clock, Random, Transport } from './ports';

/** A pacer that no one has used for this long has nothing to say about the service any more. */
const PACE_FORGOTTEN_AFTER = 600_000;
const MB = 1024 * 1024;

/** A create whose outcome is not known. */
export interface Doubt {
	/** When it was first sent; milliseconds since 1970, by this machine. */
	since?: number;
	/** Whether the record may be there although no response said so. */
	mayExist: boolean;
}

/** What is remembered of one API key, by all who use it: its pace, and what became of its creates. */
export class Account {
	/** When it was last used; milliseconds since 1970. */
	usedAt: number;
	/** Milliseconds that the service's clock is ahead, once a response has said its time. */
	serviceClockOffset?: number;
	/**
	 * Creates whose outcome is not known, by content. Who sends the same again within minutes (a
	 * retry of the whole run, a person, a model) wants that record, and not a second one.
	 */
	readonly doubts: BoundedMap<Doubt>;
	/** Records that were created here, by list and ID: they belong to the rows that got them. */
	readonly claimed: BoundedMap<true>;
	/** Creates of the same content follow one another: each must know what became of the last. */
	readonly creating = new Map<string, Promise<unknown>>();
	private currentPacer: Pacer;

	constructor(
		readonly clock: Clock,
		readonly random: Random,
	) {
		this.usedAt = clock.now();
		this.doubts = new BoundedMap({ maxBytes: 4 * MB, forgetAfterMs: 600_000, since: 'set' }, clock);
		this.claimed = new BoundedMap({ maxBytes: 4 * MB, forgetAfterMs: 3_600_000 }, clock);
		this.currentPacer = new Pacer(clock, random);
	}

	get pacer(): Pacer {
		const { isIdle, usedAt } = this.currentPacer;
		if (isIdle && this.clock.now() - usedAt > PACE_FORGOTTEN_AFTER) {
			this.currentPacer = new Pacer(this.clock, this.random);
		}
		return this.currentPacer;
	}

	/** Whether nothing is under way or waiting. */
	get isIdle(): boolean {
		return this.currentPacer.isIdle && this.creating.size === 0;
	}
}

/** The way of one caller to the service. */
export interface Connection {
	account: Account;
	transport: Transport;
	/** Milliseconds that a request may wait in all while the service does not accept or answer it. */
	patienceMs: number;
	/** Milliseconds for one attempt; absent: the transport's default. */
	timeoutMs?: number;
	/** Aborts when the caller is stopped. */
	signal?: AbortSignal;
}
