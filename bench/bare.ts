import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { NODE } from '../harness/host';
import { PAGES_AT_ONCE } from '../nodes/LocalSeo/client/list';
import { MOST_SLOTS } from '../nodes/LocalSeo/client/pacer';
import type { Sandbox } from '../sandbox';
import type { Row } from './rows';

const execute = promisify(execFile);

/** What the job took with nothing but fetch; without rows the locations are listed. */
export async function runBare(
	{ baseUrl, keys }: Sandbox,
	rows?: Row[],
): Promise<{ seconds: number; ids: string[] }> {
	// As many side by side as the node has at most: of rows, and of the pages of one list.
	const sideBySide = rows ? MOST_SLOTS : PAGES_AT_ONCE;
	const job = JSON.stringify({ baseUrl, apiKey: keys.write, rows, sideBySide });
	const run = execute(NODE, [join(__dirname, 'bareFetch.mjs')], { maxBuffer: 16 * 1024 * 1024 });
	run.child.stdin?.end(job);
	const { stdout } = await run;
	return JSON.parse(stdout) as { seconds: number; ids: string[] };
}
