// `npm run generate` writes the files that are made from others; with `--check` it only says which are old.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Complaint } from '../n8n/complaint';
import { ROOT } from '../n8n/home';
import { runProgram } from '../n8n/program';
import { assumptionsPage } from './assumptions';
import { exampleTexts } from './examples';
import { outputSchemas, SCHEMAS } from './schemas';

/** What is made, by its path below the root. */
async function generated(): Promise<Map<string, string>> {
	return new Map([
		['docs/assumptions.md', assumptionsPage()],
		...(await exampleTexts()),
		...(await outputSchemas()),
	]);
}

/** The schemas that are there; nothing else is in their folder. */
const schemasThere = () =>
	readdirSync(join(ROOT, SCHEMAS), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => `${SCHEMAS}/${name}`);

/** The files that are not as they would be made, with their texts; without one, they are not made any more. */
export async function outdated(): Promise<Map<string, string | undefined>> {
	const files = await generated();
	const isOld = ([path, text]: [string, string]) =>
		!existsSync(join(ROOT, path)) || readFileSync(join(ROOT, path), 'utf8') !== text;
	const gone = schemasThere().filter((path) => !files.has(path));
	return new Map([
		...[...files].filter(isOld),
		...gone.map((path): [string, undefined] => [path, undefined]),
	]);
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
