import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { command } from './command';
import { N8N_MANIFEST, NODE } from './host';

/** Where something was measured: `2 cores, Node 24.21.0, n8n 2.41.1`. */
export async function machine(): Promise<string> {
	const { stdout: node } = await command(NODE, ['--version']);
	const { version } = JSON.parse(readFileSync(N8N_MANIFEST, 'utf8')) as { version: string };
	return `${availableParallelism()} cores, Node ${node.slice(1)}, n8n ${version}`;
}
