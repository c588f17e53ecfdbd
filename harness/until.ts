import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';

/** Polls until there is a result (not undefined, not false), and returns it. */
export async function until<T>(
	what: string,
	read: () => T | undefined | Promise<T | undefined>,
	{ seconds = 150, everyMs = 100 } = {}, // n8n's polls are a minute apart
): Promise<T> {
	for (const deadline = Date.now() + seconds * 1000; ; ) {
		const found = await read();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline)
			throw new Complaint(`Timed out after ${seconds} s waiting for ${what}`);
		await wait(everyMs);
	}
}
