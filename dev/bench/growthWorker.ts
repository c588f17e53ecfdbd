import { once } from 'node:events';
import { setImmediate as passing } from 'node:timers/promises';
import { runNode } from '../../test/support/engine';
import { createPosts } from '../../test/support/sheet';
import type { Cost, Job } from './growthJob';
import { rowsFor } from '../n8n/rows';

/**
 * Records and rows before those that are measured: by then all code is compiled. With fewer, small
 * sizes look so expensive that a large one may cost twice as much unnoticed.
 */
const WARM_UP = { list: 100_000, rows: 3_000 };

async function run({ kind, service, count }: Job, rows: object[]): Promise<unknown[]> {
	const { baseUrl, apiKey } = service;
	const returnAll = count === service.locationIds.length;
	const list = { resource: 'location', operation: 'getAll', returnAll, limit: count };
	const parameters = kind === 'list' ? { ...list, options: {} } : { ...createPosts, options: {} };
	const { json, error } = await runNode({
		credential: { baseUrl, apiKey },
		parameters,
		rows: kind === 'list' ? [{}] : rows,
	});
	if (error) throw error;
	// A run that did less would be cheap.
	const different = new Set(json.map(({ id }) => id)).size;
	if (different !== count) throw new Error(`${different} of ${count} records came out`);
	return json;
}

/** Bytes of heap in use; twice, since what is released by a finalizer is only collected the next time. */
async function heap(): Promise<number> {
	for (let times = 0; times < 2; times++) {
		globalThis.gc?.();
		await passing();
	}
	return process.memoryUsage().heapUsed;
}

async function measure(job: Job): Promise<Cost> {
	const locations = job.service.locationIds.map((id) => ({ id }));
	const warmUp = WARM_UP[job.kind];
	const few = Math.min(warmUp, job.count);
	for (let done = 0; done < warmUp; done += few) {
		await run({ ...job, count: few }, rowsFor(locations, few));
	}
	const rows = rowsFor(locations, job.count);
	await heap();

	const cpu = process.cpuUsage();
	const startedAt = performance.now();
	let result: unknown[] | undefined = await run(job, rows);
	const seconds = (performance.now() - startedAt) / 1_000;
	const { user, system } = process.cpuUsage(cpu);

	const full = await heap();
	if (result.length === 0) throw new Error('Nothing to measure');
	result = undefined;
	return {
		seconds,
		cpuSeconds: (user + system) / 1_000_000,
		held: full - (await heap()),
		peak: process.resourceUsage().maxRSS * 1_024,
	};
}

async function main(): Promise<void> {
	const [job] = (await once(process, 'message')) as [Job];
	process.send?.(await measure(job));
	process.disconnect();
}

void main();
