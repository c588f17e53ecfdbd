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
