import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../n8n/home';

export const SOURCE = join(ROOT, 'dev', 'sandbox', 'openapi.yaml');

/** Something that the interface leaves open, and that this package has to assume. */
export interface Assumption {
	/** Where it is in dev/sandbox/openapi.yaml: `/locations › post › 201`, `Post › created_at`. */
	where: string;
	/** False for what the interface states, and `npm run check` checks all the same. */
	isAssumed: boolean;
	assumed: string;
	reason: string;
	/** Options of the node that change it, by their names in the editor. */
	options: string[];
	/** The name of its check in dev/scripts/check, or why there is none. */
	check?: string;
	uncheckedBecause?: string;
	/** The part of dev/sandbox/openapi.yaml that says it: of a record, its schema. */
	part: Record<string, unknown>;
}

/** Keys of the file that mean nothing to a reader. */
const HIDDEN_KEYS = [
	...['paths', 'components', 'schemas', 'parameters', 'requestBodies', 'responses', 'headers'],
	...['content', 'application/json', 'schema', 'properties', '200', '201', '204'],
];

const WRITES = ['post', 'patch', 'delete', 'requestBodies'];

/** A check only reads. */
const reasonAt = (path: string[]) =>
	path.some((key) => WRITES.includes(key)) ? 'it would need a write' : undefined;

/** Every `x-assumed` of dev/sandbox/openapi.yaml, in the order of the file. */
export function readAssumptions(): Assumption[] {
	return readChecked().filter(({ isAssumed }) => isAssumed);
}

/** The same, and what else has an `x-check`. */
export function readChecked(): Assumption[] {
	const found: Assumption[] = [];
	const visit = (value: unknown, path: string[]) => {
		if (typeof value !== 'object' || value === null) return;
		const entry = value as Record<string, unknown>;
		const isAssumed = 'x-assumed' in entry;
		if (isAssumed || 'x-check' in entry) {
			found.push({
				where: path
					.filter((key) => !HIDDEN_KEYS.includes(key))
					.join(' › ')
					.replace('/api/v1', ''),
				isAssumed,
				assumed: String(entry.description ?? ''),
				reason: String(entry['x-assumed'] ?? ''),
				options: String(entry['x-option'] ?? '')
					.split(/,\s*/)
					.filter(Boolean),
				check: entry['x-check'] as string | undefined,
				uncheckedBecause: (entry['x-check-reason'] ?? reasonAt(path)) as string | undefined,
				part: entry,
			});
		}
		for (const [key, inner] of Object.entries(entry)) visit(inner, [...path, key]);
	};
	visit(parse(readFileSync(SOURCE, 'utf8')), []);
	return found;
}

const cell = (text: string) => text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');

export function assumptionsPage(): string {
	const rows = readAssumptions().map(
		({ where, assumed, reason, options }) =>
			`| ${cell(where)} | ${cell(assumed)} | ${cell(reason)} | ${options.join(', ')} |`,
	);
	return `# What is assumed about the service

The interface leaves much open. This page lists what the package assumes, as [dev/sandbox/openapi.yaml](../dev/sandbox/openapi.yaml) has it (\`npm run generate\`). In a clone, \`npm run check -- --url https://…\` says what is true of your account.

| Where | What is assumed | Why, or what the node does | Option |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
