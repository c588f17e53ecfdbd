import { machine } from '../n8n/machine';
import { type Result, sectionOf } from './table';

/** The whole page of results, with how they were measured. */
export async function pageOf(results: Result[], runs: number): Promise<string> {
	return [
		'# Speed and reliability, measured side by side',
		`Written by \`npm run bench\` (${await machine()} with SQLite; ${runs} runs each, in turn). The seconds depend on the machine; the ratios are what counts.`,
		`- **seconds**: median of the own execution time of the node (with that of the Code node where one is needed), as n8n records it; for the bare fetch, the time from its first request to its last response. **÷** is the median of the ratios of consecutive runs.
- **HTTP Request**: n8n's own node as a user sets it up: Header Auth, its pagination for lists (up to the last page, no interval), its body fields filled by expressions, no options set. Where it does not come to the same result by itself, a Code node after it does the rest.
- **bare fetch**: Node's fetch in a process of its own, with 64 requests in parallel for rows and 32 for pages.
- **n8n's request helper alone**: a node that does nothing but call it, once a row and 96 at a time: the floor under any node. What this node takes beyond it is its own share.
- **after …**: what the same key did before; the bound compares it with a new key in the same run.
- **expressions**: how many texts starting with \`=\` n8n's expression engine evaluated for the node.
- **lost, doubled**: over all runs, among the records in the response, or among the posts of the account afterwards (a post with different content counts as lost).
- Each run has a service of its own, so the node knows nothing about the rate limit yet, unless the line says what came before.`,
		...results.map(sectionOf),
		'',
	].join('\n\n');
}
