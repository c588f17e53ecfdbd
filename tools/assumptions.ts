// `npx tsx tools/assumptions.ts` writes docs/assumptions.md; with --check it only says whether it is current.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const ROOT = join(__dirname, '..');
const SOURCE = join(ROOT, 'api', 'openapi.yaml');
const PAGE = join(ROOT, 'docs', 'assumptions.md');

/** What the interface leaves open and this package takes for granted until told otherwise. */
export interface Assumption {
	/** Where it stands in api/openapi.yaml: `/locations POST 201`, `Post › created_at`. */
	where: string;
	assumed: string;
	reason: string;
	/** Options of the node that change it, by their names in the editor. */
	options: string[];
}

/** Parts of a place in the file that say nothing to a reader. */
const SILENT = new Set([
	'paths',
	'components',
	'schemas',
	'parameters',
	'requestBodies',
	'responses',
	'headers',
	'content',
	'application/json',
	'schema',
	'properties',
]);

/** Every `x-assumed: true` of api/openapi.yaml, in the order of the file. */
export function readAssumptions(): Assumption[] {
	const found: Assumption[] = [];
	const visit = (value: unknown, place: string[]) => {
		if (typeof value !== 'object' || value === null) return;
		const entry = value as Record<string, unknown>;
		if (entry['x-assumed'] === true) {
			found.push({
				where: place.filter((part) => !SILENT.has(part)).join(' › '),
				assumed: String(entry.description ?? ''),
				reason: String(entry['x-reason'] ?? ''),
				options: String(entry['x-option'] ?? '')
					.split(/,\s*/)
					.filter(Boolean),
			});
		}
		for (const [key, inner] of Object.entries(entry)) visit(inner, [...place, key]);
	};
	visit(parse(readFileSync(SOURCE, 'utf8')), []);
	return found;
}

const cell = (text: string) => text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');

/** docs/assumptions.md as it should be. */
export function assumptionsPage(): string {
	const rows = readAssumptions().map(
		({ where, assumed, reason, options }) =>
			`| ${cell(where)} | ${cell(assumed)} | ${cell(reason)} | ${options.join(', ')} |`,
	);
	return `# What is assumed about the service

The interface leaves much open. What this package has to assume is written down once, in [api/openapi.yaml](../api/openapi.yaml) (\`x-assumed: true\`); this page is made from it with \`npx tsx tools/assumptions.ts\`. The sandbox behaves as assumed; the node checks at run time what it can.

| Where | What is assumed | Why, and what the node does about it | Option that changes it |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

if (require.main === module) {
	const isCurrent = readFileSync(PAGE, { encoding: 'utf8', flag: 'a+' }) === assumptionsPage();
	if (!process.argv.includes('--check')) writeFileSync(PAGE, assumptionsPage());
	else if (!isCurrent) {
		console.error('docs/assumptions.md is not current: npx tsx tools/assumptions.ts');
		process.exitCode = 1;
	}
}
