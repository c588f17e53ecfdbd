import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from '../n8n/host';
import type { Sandbox } from '../sandbox';
import type { Row } from '../n8n/rows';

const execute = promisify(execFile);

/** Fixed, so that the yardstick does not change with the node: the maximum of version 0.1. */
const CONCURRENT_ROWS = 64;
const CONCURRENT_PAGES = 32;

/** Runs the job with nothing but fetch; without rows, it lists the locations. */
export async function runBare(
	{ baseUrl, keys }: Sandbox,
	rows?: Row[],
): Promise<{ seconds: number; items: Array<{ id: string }> }> {
	const concurrency = rows ? CONCURRENT_ROWS : CONCURRENT_PAGES;
	const job = JSON.stringify({ baseUrl, apiKey: keys.write, rows, concurrency });
	const run = execute(NODE, [join(__dirname, 'bareFetch.mjs')], { maxBuffer: 16 * 1024 * 1024 });
	run.child.stdin?.end(job);
	const { stdout } = await run;
	return JSON.parse(stdout) as { seconds: number; items: Array<{ id: string }> };
}
