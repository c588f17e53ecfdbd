import type { IExecuteFunctions } from 'n8n-workflow';

import { type Account, type Clock, type Hindrance, Stopwatch } from '../client';

/** Milliseconds between two lines in n8n's log. */
const LOG_EVERY = 15_000;
/** From so many milliseconds on, and so much of the run, waiting is worth a word. */
const LONG_WAIT = 5_000;
const LARGE_PART = 1 / 3;
/** Why a create that failed takes a minute or two (docs/guarantees.md). */
const CHECKED = 'after a failure of the service, the list is checked before anything is sent again';

type Waited = Readonly<Record<Hindrance, number>>;

/** How far a run has come, and what held it up: for n8n's log while it lasts, and for a hint at its end. */
export class Progress {
	private readonly startedAt: number;
	readonly looking: Stopwatch;
	private readonly waitedBefore = new Map<Account, Waited>();
	private readonly ended = new AbortController();
	private done = 0;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'logger' | 'getNode'>,
		private readonly rows: number,
		private readonly clock: Clock,
	) {
		this.startedAt = clock.now();
		this.looking = new Stopwatch(clock);
		void this.log().catch(() => {});
	}

	/** A row is sent with this account. */
	uses(account: Account): void {
		if (!this.waitedBefore.has(account)) {
			this.waitedBefore.set(account, account.governor.pace.waitedMs);
		}
	}

	rowEnded(): void {
		this.done++;
	}

	/**
	 * Ends the log.
	 *
	 * @returns what held the run up, where it waited for long
	 */
	end(): string | undefined {
		this.ended.abort();
		const why = this.whatHoldsUp();
		return why && `This run took ${inWords(this.tookMs)}: ${why}.`;
	}

	private async log(): Promise<void> {
		for (;;) {
			await this.clock.sleep(LOG_EVERY, this.ended.signal);
			const left = (this.tookMs / this.done) * (this.rows - this.done);
			const why = this.whatHoldsUp();
			// The last rows wait for their proof, however fast the others were.
			const isKnown = this.done > 0 && why !== CHECKED;
			const rest = isKnown ? `, about ${inWords(left)} left` : '';
			this.context.logger.info(
				`${this.context.getNode().name}: ${this.done} of ${this.rows} rows done in ${inWords(this.tookMs)}${rest}${why ? ` (${why})` : ''}`,
			);
		}
	}

	private get tookMs(): number {
		return this.clock.now() - this.startedAt;
	}

	private whatHoldsUp(): string | undefined {
		const [longest] = [...this.waitedBefore]
			.flatMap(([account, before]) => this.waitsFor(account, before))
			.sort((a, b) => b.waitedMs - a.waitedMs);
		if (!longest || longest.waitedMs < Math.max(LONG_WAIT, LARGE_PART * this.tookMs))
			return undefined;
		return longest.why;
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
			{ waitedMs: this.looking.ms, why: CHECKED },
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
