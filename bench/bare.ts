import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from '../harness/host';
import type { Sandbox } from '../sandbox';
import type { Row } from './rows';

const execute = promisify(execFile);

/** A yardstick that stays as it is, whatever the node does: as many as version 0.1 had at most. */
const ROWS_AT_ONCE = 64;
const PAGES_AT_ONCE = 16;

/** What the job took with nothing but fetch; without rows the locations are listed. */
export async function runBare(
	{ baseUrl, keys }: Sandbox,
	rows?: Row[],
): Promise<{ seconds: number; ids: string[] }> {
	const sideBySide = rows ? ROWS_AT_ONCE : PAGES_AT_ONCE;
	const job = JSON.stringify({ baseUrl, apiKey: keys.write, rows, sideBySide });
	const run = execute(NODE, [join(__dirname, 'bareFetch.mjs')], { maxBuffer: 16 * 1024 * 1024 });
	run.child.stdin?.end(job);
	const { stdout } = await run;
	return JSON.parse(stdout) as { seconds: number; ids: string[] };
}
