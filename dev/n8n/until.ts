import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';

/** For what n8n's next poll brings, on a busy machine. */
export const AFTER_A_POLL = { seconds: 150 };

/**
 * Polls until there is a result (not undefined, not false), and returns it. It gives up before jest ends
 * the test, so that the failure names what was waited for. Not by p-wait-for 6: with a timeout it leaves
 * a listener behind at each look, of which Node warns on the terminal.
 */
export async function until<T>(
	what: string,
	read: () => T | undefined | Promise<T | undefined>,
	{ seconds = 120, everyMs = 100 } = {},
): Promise<T> {
	for (const deadline = Date.now() + seconds * 1000; ; ) {
		const found = await read();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline)
			throw new Complaint(`Timed out after ${seconds} s waiting for ${what}`);
		await wait(everyMs);
	}
}
