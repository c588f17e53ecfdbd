import type { Clock } from '../../nodes/LocalSeo/client';

/** No work that is tested takes longer; what does has no end, and would only show at the end of the test's time. */
const ENDLESS = 4 * 24 * 3_600_000;

/**
 * Time that moves only where nothing else is left to do, so that what takes hours is tested in
 * milliseconds, and the same on any machine.
 */
export class VirtualClock implements Clock {
	private readonly timers: Array<{ at: number; end: () => void }> = [];

	constructor(private time = Date.UTC(2026, 0, 1)) {}

	wall(): number {
		return this.time;
	}

	now(): number {
		return this.time;
	}

	async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
		signal?.throwIfAborted();
		await new Promise<void>((resolve, reject) => {
			const timer = { at: this.time + Math.max(0, milliseconds), end: () => settle(resolve) };
			const abort = () => {
				this.timers.splice(this.timers.indexOf(timer), 1);
				settle(() => reject(signal?.reason));
			};
			const settle = (end: () => void) => {
				signal?.removeEventListener('abort', abort);
				end();
			};
			signal?.addEventListener('abort', abort);
			const later = this.timers.findIndex(({ at }) => at > timer.at);
			this.timers.splice(later < 0 ? this.timers.length : later, 0, timer);
		});
	}

	/** Moves the time on while nothing is waiting. */
	advance(milliseconds: number): void {
		this.time += milliseconds;
	}

	/** Lets so much time pass, and whatever is due in it happen. */
	async pass(milliseconds: number): Promise<void> {
		await this.run(this.sleep(milliseconds));
	}

	/** Lets time pass until the work is done; four days at most. */
	async run<T>(work: Promise<T>): Promise<T> {
		const latest = this.time + ENDLESS;
		let isDone = false;
		const settled = () => (isDone = true);
		work.then(settled, settled);
		for (let idle = 0; ; ) {
			await new Promise(setImmediate);
			if (isDone) return await work;
			const timer = this.timers.shift();
			// Long work lets others have their turn, in real time, and a busy machine takes its own.
			if (!timer && idle++ < 5_000) await new Promise((resolve) => setTimeout(resolve, 1));
			if (!timer && idle > 5_000) throw new Error('Nothing is left that could go on');
			if (!timer) continue;
			idle = 0;
			if (timer.at > latest) throw new Error('It is still going on after four days');
			this.time = timer.at;
			timer.end();
		}
	}
}
