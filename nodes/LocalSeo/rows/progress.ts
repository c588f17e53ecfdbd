import { type Account, type Clock, type Hindrance, Stopwatch } from '../client';

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
