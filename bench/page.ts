import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { command } from '../harness/command';
import { ROOT } from '../harness/home';
import { N8N_MANIFEST, NODE } from '../harness/host';
import { type Result, sectionOf } from './table';

async function machine(): Promise<string> {
	const node = (await command(NODE, ['--version'], ROOT)).trim();
	const { version } = JSON.parse(readFileSync(N8N_MANIFEST, 'utf8')) as { version: string };
	return `${availableParallelism()} cores, Node ${node.slice(1)}, n8n ${version} with SQLite`;
}

/** The whole page of results, with how they came about. */
export async function pageOf(results: Result[], runs: number): Promise<string> {
	return [
		'# Speed and reliability, measured side by side',
		`Written by \`npm run bench\` (${await machine()}; ${runs} runs each, in turn). Another run on another machine has other seconds; the ratios are what counts.`,
		`- **seconds**: median of the node's own execution time, as n8n records it; of the bare fetch the time from its first request to its last answer. **÷** is the median of the ratios of runs that followed one another.
- **HTTP Request**: n8n's own node as a user sets it up: Header Auth, its pagination for lists (up to the last page, no interval), its body fields filled by expressions, every option unset.
- **bare fetch**: Node's fetch in a process of its own, with 64 requests side by side for rows and 16 for pages.
- **expressions**: how many texts starting with \`=\` the node had n8n's expression engine evaluate.
- **lost, doubled**: over all runs, of the records in the answer, or of the posts that the account has afterwards (a post with other content is lost).
- Each run has a service of its own: this node knows nothing yet of the pace that it allows.`,
		...results.map(sectionOf),
		'',
	].join('\n\n');
}
