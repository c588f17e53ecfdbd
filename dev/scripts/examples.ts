import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { asExample, exampleFiles } from '../n8n/example';
import { EXAMPLES } from '../n8n/home';
import type { NewWorkflow } from '../n8n/workflow';

/**
 * Makes examples of the workflows in examples/, as n8n exports them: `npx tsx dev/scripts/examples.ts`. They
 * get the versions of nodes that every supported n8n has, and lose what belongs to one n8n alone.
 */
async function make(): Promise<void> {
	for (const name of exampleFiles()) {
		const file = join(EXAMPLES, name);
		const example = asExample(JSON.parse(readFileSync(file, 'utf8')) as NewWorkflow);
		const options = { ...(await resolveConfig(file)), parser: 'json' };
		writeFileSync(file, await format(JSON.stringify(example, undefined, 2), options));
	}
}

void make();
