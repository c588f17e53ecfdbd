import pWaitFor from 'p-wait-for';
import { Complaint } from './complaint';

/** For what n8n's next poll brings, a minute later; the test needs a longer timeout of jest's, too. */
export const AFTER_A_POLL = { seconds: 150 };

/**
 * Polls until there is a result (not undefined, not false), and returns it. It gives up before jest ends
 * the test, after 60 s, so that the failure names what was waited for.
 */
export async function until<T>(
	what: string,
	read: () => T | undefined | Promise<T | undefined>,
	{ seconds = 45, everyMs = 100 } = {},
): Promise<T> {
	const message = new Complaint(`Timed out after ${seconds} s waiting for ${what}`);
	const isFound = async () => {
		const found = await read();
		return found !== undefined && found !== false && pWaitFor.resolveWith(found);
	};
	return await pWaitFor<T>(isFound, {
		interval: everyMs,
		timeout: { milliseconds: seconds * 1000, message },
	});
}
