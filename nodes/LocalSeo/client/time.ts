import type { Clock } from './ports';

/** Node.js takes a longer time for none at all. */
const LONGEST = 2 ** 31 - 1;

/**
 * The system's time. Its timers keep no process awake (n8n's linter forbids `setTimeout`): a program
 * that has nothing else to wait for needs a clock of its own.
 */
export const systemClock: Clock = {
	// Monotonic: a clock that is set back must not stop what waits.
	now: () => performance.timeOrigin + performance.now(),
	async sleep(milliseconds, signal) {
		signal?.throwIfAborted();
		// Of its own: many may wait with one signal, and Node.js warns of more than ten listeners.
		const own = signal && AbortSignal.any([signal]);
		// What is over already, since a process was busy for a moment, is no error.
		const timer = AbortSignal.timeout(Math.min(LONGEST, Math.max(0, Math.ceil(milliseconds))));
		await new Promise<void>((resolve, reject) => {
			const end = () => {
				timer.removeEventListener('abort', end);
				own?.removeEventListener('abort', end);
				if (own?.aborted) reject(own.reason);
				else resolve();
			};
			timer.addEventListener('abort', end);
			own?.addEventListener('abort', end);
		});
	},
};

/** One for all: an error of its own would keep everything that its stack names. */
const OVER = new Error('No longer waited for');

/**
 * Waits for work as long as the time lasts and nothing aborts. What comes later is ignored, so the
 * work must not reject unheard.
 *
 * @param work gets a signal that aborts when it is no longer waited for
 * @returns its result, or `undefined` where the time was over first
 * @throws the signal's reason
 */
export async function withinTime<T>(
	clock: Clock,
	milliseconds: number,
	work: (signal: AbortSignal) => Promise<T>,
	signal?: AbortSignal,
): Promise<T | undefined> {
	signal?.throwIfAborted();
	const ended = new AbortController();
	const both = signal ? AbortSignal.any([signal, ended.signal]) : ended.signal;
	const timer = clock.sleep(milliseconds, both).then(() => undefined);
	timer.catch(() => {});
	const result = work(both);
	result.catch(() => {});
	try {
		return await Promise.race([result, timer]);
	} finally {
		ended.abort(OVER);
	}
}

/**
 * Runs jobs concurrently, at most `limit` at a time, and returns their results in the order of the
 * jobs. The first failure rejects, and no further job is started.
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

/** Work of the same key follows one another, also after a failure. */
export class Turns {
	private readonly last = new Map<string, Promise<unknown>>();

	async take<T>(key: string, work: () => Promise<T>): Promise<T> {
		const result = (this.last.get(key) ?? Promise.resolve()).then(work);
		const settle = () => {
			if (this.last.get(key) === done) this.last.delete(key);
		};
		const done: Promise<void> = result.then(settle, settle);
		this.last.set(key, done);
		return await result;
	}
}
