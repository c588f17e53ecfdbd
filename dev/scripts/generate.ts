// `npm run generate` writes the files that are made from others; with `--check` it only says which are old.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { Complaint } from '../n8n/complaint';
import { asExample, exampleFiles } from '../n8n/example';
import { EXAMPLES, ROOT } from '../n8n/home';
import { runProgram } from '../n8n/program';
import type { NewWorkflow } from '../n8n/workflow';
import { assumptionsPage } from './assumptions';
import { outputSchemas, SCHEMAS } from './schemas';

/**
 * The workflow of an example, whether by hand or as n8n exports it, with the versions of nodes that every
 * supported n8n has, and without what belongs to one n8n alone.
 */
async function exampleText(name: string): Promise<string> {
	const file = join(EXAMPLES, name);
	const example = asExample(JSON.parse(readFileSync(file, 'utf8')) as NewWorkflow);
	const options = { ...(await resolveConfig(file)), parser: 'json' };
	return await format(JSON.stringify(example, undefined, 2), options);
}

/** The schemas that are there; nothing else is in their folder. */
const schemasThere = () =>
	readdirSync(join(ROOT, SCHEMAS), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${SCHEMAS}/${name}`);

/** The files that are not as they would be made, with their texts; without one, they are not made any more. */
export async function outdated(): Promise<Map<string, string | undefined>> {
	const files = new Map<string, string | undefined>(
		schemasThere().map((path) => [path, undefined]),
	);
	files.set('docs/assumptions.md', assumptionsPage());
	for (const name of exampleFiles()) files.set(`examples/${name}`, await exampleText(name));
	for (const [path, text] of await outputSchemas()) files.set(path, text);
	const isOld = ([path, text]: [string, string | undefined]) =>
		!existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== text;
	return new Map([...files].filter(isOld));
}

async function main(): Promise<boolean> {
	const old = await outdated();
	if (old.size > 0 && process.argv.includes('--check')) {
		throw new Complaint(`Old: ${[...old.keys()].join(', ')}. Run: npm run generate`);
	}
	for (const [path, text] of old) {
		const file = join(ROOT, path);
		console.log(path);
		mkdirSync(dirname(file), { recursive: true });
		if (text === undefined) rmSync(file);
		else writeFileSync(file, text);
	}
	return true;
}

if (require.main === module) void runProgram(main);
