import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { Complaint } from './complaint';
import { EXAMPLES } from './home';
import type { NewWorkflow } from './workflow';

/**
 * The nodes of the example workflows, with the newest version that every n8n of versions/list.json has:
 * each of them has imported and run the examples.
 */
export const TYPE_VERSIONS: Readonly<Record<string, number>> = {
	'@n8n/n8n-nodes-langchain.agent': 3,
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 1.2,
	'@n8n/n8n-nodes-langchain.outputParserStructured': 1.3,
	'n8n-nodes-base.code': 2,
	'n8n-nodes-base.convertToFile': 1.1,
	'n8n-nodes-base.emailSend': 2.1,
	'n8n-nodes-base.extractFromFile': 1.1,
	'n8n-nodes-base.filter': 2.2,
	'n8n-nodes-base.form': 1,
	'n8n-nodes-base.formTrigger': 2.2,
	'n8n-nodes-base.googleSheets': 4.7,
	'n8n-nodes-base.if': 2.2,
	'n8n-nodes-base.manualTrigger': 1,
	'n8n-nodes-base.merge': 3,
	'n8n-nodes-base.noOp': 1,
	'n8n-nodes-base.postgres': 2.6,
	'n8n-nodes-base.quickChart': 1,
	'n8n-nodes-base.readWriteFile': 1,
	'n8n-nodes-base.removeDuplicates': 2,
	'n8n-nodes-base.scheduleTrigger': 1.2,
	'n8n-nodes-base.set': 3.4,
	'n8n-nodes-base.slack': 2.4,
	'n8n-nodes-base.splitOut': 1,
	'n8n-nodes-base.stickyNote': 1,
	'n8n-nodes-local-seo.localSeo': 1,
	'n8n-nodes-local-seo.localSeoTool': 1,
	'n8n-nodes-local-seo.localSeoTrigger': 1,
};

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
		`Add ${type} to TYPE_VERSIONS in dev/n8n/example.ts, with the newest version that the oldest n8n of versions/list.json has.`,
	);
}
