import { Memory, type RunMemory } from './create/memory';
import type { ErrorFacts } from './errors';
import { Pace } from './pace/pace';
import type { Clock, Random } from './ports';

/** One account of the service: the pace of its API key, and what became of its creates. */
export class Account {
	/** The time of the last use, by the account's clock. */
	usedAt: number;
	/** The reasons that keep posts from being sent: an account with any is kept until n8n restarts. */
	readonly stops = new Set<object>();
	readonly pace: Pace<ErrorFacts>;
	readonly memory: Memory;

	constructor(
		readonly clock: Clock,
		readonly random: Random,
	) {
		this.usedAt = clock.now();
		this.pace = new Pace(clock, random);
		this.memory = new Memory(clock);
	}

	/** True if nothing would be lost with it but what was learned. */
	get isIdle(): boolean {
		return this.stops.size === 0 && this.pace.isIdle;
	}

	/**
	 * Begins a try of a run of a node.
	 *
	 * @param key identifies the run over all its tries; absent: it is not tried again
	 */
	run(key?: string): RunMemory {
		this.usedAt = this.clock.now();
		return this.memory.run(key);
	}
}
