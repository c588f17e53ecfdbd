import { join } from 'node:path';
import { command } from '../n8n/command';
import { NODE } from '../n8n/host';
import type { Sandbox } from '../sandbox';
import type { Row } from '../n8n/rows';

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
	const { stdout } = await command(NODE, [join(__dirname, 'bareFetch.mjs')], { input: job });
	return JSON.parse(stdout) as { seconds: number; items: Array<{ id: string }> };
}
