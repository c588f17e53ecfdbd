import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { asExample, exampleFiles } from '../n8n/example';
import { EXAMPLES } from '../n8n/home';
import type { NewWorkflow } from '../n8n/workflow';

/**
 * The workflows of examples/, whether by hand or as n8n exports them, with the versions of nodes that every
 * supported n8n has, and without what belongs to one n8n alone. By file: `examples/posts-from-form.json`.
 */
export async function exampleTexts(): Promise<Map<string, string>> {
	const texts = new Map<string, string>();
	for (const name of exampleFiles()) {
		const file = join(EXAMPLES, name);
		const example = asExample(JSON.parse(readFileSync(file, 'utf8')) as NewWorkflow);
		const options = { ...(await resolveConfig(file)), parser: 'json' };
		texts.set(`examples/${name}`, await format(JSON.stringify(example, undefined, 2), options));
	}
	return texts;
}
