import { MOST_SLOTS } from './pacer';

/**
 * Runs jobs side by side, at most as many as the pacer lets start, and gives their results in the jobs' order. The
 * first failure rejects, and no further job is begun.
 */
export async function sideBySide<T>(jobs: Array<() => Promise<T>>): Promise<T[]> {
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
	await Promise.all(Array.from({ length: Math.min(MOST_SLOTS, jobs.length) }, work));
	return results;
}
