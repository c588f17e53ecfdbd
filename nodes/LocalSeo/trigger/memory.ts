import { BoundedMap, type Clock, systemClock } from '../client';

/** The state after the last poll, which n8n may not have saved. */
export interface LastState {
	/** Of quiet polls: the stamp of the state that n8n had when they began. */
	after?: string;
	/** The stamp of this state; the same for all quiet polls in a row. */
	stamp: string;
	/** The state as JSON. */
	text: string;
}

/**
 * Room for about 30 of the largest accounts that are supported (5,000 locations with 20 keywords
 * each), or for thousands of ordinary ones.
 */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Milliseconds (100 days): a schedule that polls once a quarter finds its state again, and what
 * deleted triggers have left goes in the end.
 */
const FORGOTTEN_AFTER = 100 * 24 * 3_600_000;

/**
 * What this process knows of its triggers beside what n8n stores for them. A state that is
 * forgotten costs no event: the next poll starts from the state that n8n has saved, like the first
 * poll after a restart (docs/trigger.md, "What cannot be guaranteed").
 */
export class ProcessMemory {
	/** By trigger. */
	readonly lastStates: BoundedMap<LastState>;
	/** Triggers with a poll under way; there are as many as there are such polls. */
	private readonly polling = new Set<string>();
	/** Activations that have polled; each is released together with its context. */
	private readonly polled = new WeakSet<object>();

	constructor(clock: Clock) {
		const bounds = { maxBytes: MAX_BYTES, forgetAfterMs: FORGOTTEN_AFTER };
		this.lastStates = new BoundedMap(bounds, clock);
	}

	/** Runs a poll, unless one of the same trigger is under way: that one reports everything. */
	async unlessPolling<T>(triggerKey: string, poll: () => Promise<T>): Promise<T | null> {
		if (this.polling.has(triggerKey)) return null;
		this.polling.add(triggerKey);
		try {
			return await poll();
		} finally {
			this.polling.delete(triggerKey);
		}
	}

	/** Whether an activation has not polled yet; from now on it has. */
	isFirstPollOf(activation: object): boolean {
		const isFirst = !this.polled.has(activation);
		this.polled.add(activation);
		return isFirst;
	}
}

export const processMemory = new ProcessMemory(systemClock);
