import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';

/** Looks until there is something (not undefined, not false), and returns it. */
export async function until<T>(
	what: string,
	look: () => T | undefined | Promise<T | undefined>,
	{ seconds = 150, everyMs = 100 } = {}, // n8n's polls are a minute apart
): Promise<T> {
	for (const deadline = Date.now() + seconds * 1000; ; ) {
		const found = await look();
		if (found !== undefined && found !== false) return found;
		if (Date.now() > deadline) throw new Complaint(`${what} did not come within ${seconds} s`);
		await wait(everyMs);
	}
}
