import type { Clock } from './ports';

/** The longest timer of Node.js (ms); a longer one fires at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * The system's time. Its timers keep no process awake (n8n's linter forbids `setTimeout`): a program
 * that has nothing else to wait for needs a clock of its own.
 */
export const systemClock: Clock = {
	// Monotonic, so that a clock that is set back does not stop waiting work.
	now: () => performance.timeOrigin + performance.now(),
	// A computer that slept may have stopped the other clock.
	wall: () => Date.now(),
	async sleep(milliseconds, signal) {
		const until = this.now() + milliseconds;
		// A timer counts whole milliseconds, and may fire early by a part of one.
		do await timer(Math.max(0, until - this.now()), signal);
		while (this.now() < until);
	},
};

async function timer(milliseconds: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	const over = AbortSignal.timeout(Math.min(LONGEST, Math.ceil(milliseconds)));
	await new Promise<void>((resolve, reject) => {
		const end = () => {
			over.removeEventListener('abort', end);
			signal?.removeEventListener('abort', end);
			if (signal?.aborted) reject(signal.reason);
			else resolve();
		};
		over.addEventListener('abort', end);
		signal?.addEventListener('abort', end);
	});
}

/** Shared by all calls, because an error keeps its stack, and everything that it references, alive. */
const OVER = new Error('No longer waited for');

/**
 * Waits for work until the time is over or the signal aborts. A later result or error is ignored.
 *
 * @param work gets a signal that aborts when its result is no longer awaited
 * @param signal with few listeners (`withOwnSignal`)
 * @returns the result of the work, or `undefined` if the time was over first
 * @throws the signal's reason
 */
export async function withinTime<T>(
	clock: Clock,
	milliseconds: number,
	work: (signal: AbortSignal) => Promise<T>,
	signal?: AbortSignal,
): Promise<T | undefined> {
	signal?.throwIfAborted();
	// `AbortSignal.any` takes five times as long.
	const ended = new AbortController();
	const stop = () => ended.abort(signal?.reason);
	signal?.addEventListener('abort', stop);
	const timer = clock.sleep(milliseconds, ended.signal).then(() => undefined);
	timer.catch(() => {});
	const result = work(ended.signal);
	result.catch(() => {});
	try {
		return await Promise.race([result, timer]);
	} finally {
		signal?.removeEventListener('abort', stop);
		ended.abort(OVER);
	}
}

/**
 * Runs jobs concurrently, at most `limit` at a time, and returns their results in the order of the
 * jobs. The first failure rejects and stops further jobs from starting.
 */
export async function concurrently<T>(jobs: Array<() => Promise<T>>, limit: number): Promise<T[]> {
	const results = new Array<T>(jobs.length);
	let next = 0;
	let hasFailed = false;
	const work = async () => {
		while (next < jobs.length && !hasFailed) {
			const index = next++;
			const job = jobs[index]();
			job.catch(() => (hasFailed = true));
			results[index] = await job;
		}
	};
	await Promise.all(Array.from({ length: Math.min(limit, jobs.length) }, work));
	return results;
}
