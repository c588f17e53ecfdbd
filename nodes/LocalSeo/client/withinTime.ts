import type { Clock } from './ports';

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
