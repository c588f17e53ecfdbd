import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { Complaint } from './complaint';
import { EXAMPLES } from './home';
import versions from './versions/nodes.json';
import type { NewWorkflow } from './workflow';

/**
 * The nodes of the example workflows, with the newest version that every n8n of versions/list.json has:
 * each of them has imported and run the examples.
 */
const TYPE_VERSIONS: Readonly<Record<string, number>> = versions;

/** The example workflows, as paths below examples/: `posts-from-form.json`, `recipes/….json`. */
export function exampleFiles(): string[] {
	return readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.replaceAll(sep, '/'))
		.sort();
}

/** What n8n has exported, as an example that every n8n can import and run. */
export function asExample({ name, nodes, connections, settings }: NewWorkflow) {
	return {
		name,
		// n8n 1 refuses a workflow that does not say so.
		active: false,
		nodes: nodes.map((node) => ({
			...node,
			typeVersion: Math.min(node.typeVersion, newestOf(node.type)),
			credentials: undefined,
		})),
		connections,
		settings,
	};
}

function newestOf(type: string): number {
	const version = TYPE_VERSIONS[type];
	if (version !== undefined) return version;
	throw new Complaint(
		`Add ${type} to dev/n8n/versions/nodes.json, with the newest version that the oldest n8n of list.json has.`,
	);
}
