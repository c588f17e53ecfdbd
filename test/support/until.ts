import { setTimeout as wait } from 'node:timers/promises';

/** Waits until something holds that happens elsewhere; n8n's polls are a minute apart. */
export async function until(what: string, holds: () => boolean | Promise<boolean>) {
	for (const deadline = Date.now() + 150_000; !(await holds()); ) {
		if (Date.now() > deadline) throw new Error(`${what} did not happen`);
		await wait(100);
	}
}
