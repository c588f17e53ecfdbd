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
