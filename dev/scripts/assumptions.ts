import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../n8n/home';

export const SOURCE = join(ROOT, 'dev', 'sandbox', 'openapi.yaml');

/** What the interface leaves open and this package assumes, or what it states and `npm run check` checks. */
export interface Assumption {
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

/** A check only reads. */
const WRITES = ['post', 'patch', 'delete', 'requestBodies'];

/** Every `x-assumed` and `x-check` of dev/sandbox/openapi.yaml, in the order of the file. */
export function readChecked(): Assumption[] {
	const found: Assumption[] = [];
	const visit = (value: unknown, isOfWrite: boolean) => {
		if (typeof value !== 'object' || value === null) return;
		const part = value as Record<string, string>;
		const { 'x-assumed': reason = '', 'x-check': check, 'x-option': options = '' } = part;
		if (reason || check) {
			const { description: assumed, 'x-check-reason': because } = part;
			found.push({
				...{ isAssumed: reason !== '', assumed, reason, check, part },
				options: options.split(/,\s*/).filter(Boolean),
				uncheckedBecause: because ?? (isOfWrite ? 'it would need a write' : undefined),
			});
		}
		for (const [key, inner] of Object.entries(part))
			visit(inner, isOfWrite || WRITES.includes(key));
	};
	visit(parse(readFileSync(SOURCE, 'utf8')), false);
	return found;
}

export const readAssumptions = () => readChecked().filter(({ isAssumed }) => isAssumed);

const cell = (text: string) => text.trim().replace(/\s+/g, ' ').replaceAll('|', '\\|');

export function assumptionsPage(): string {
	const rows = readAssumptions().map(({ assumed, reason, options }) => {
		const last = options.length > 0 ? ` Option: **${options.join(', ')}**` : '';
		return `| ${cell(assumed)} | ${cell(reason)}${last} |`;
	});
	return `# What is assumed about the service

Where the interface leaves something open. Made of [dev/sandbox/openapi.yaml](../dev/sandbox/openapi.yaml); in a clone, \`npm run check -- --url https://…\` says what is true of your account.

| Assumed | What the node does |
| --- | --- |
${rows.join('\n')}
`;
}
