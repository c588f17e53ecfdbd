import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import { Complaint } from './complaint';
import { EXAMPLES } from './home';
import type { NewWorkflow } from './workflow';

const VERSIONS_BY_PACKAGE: Record<string, string> = {
	'@n8n/n8n-nodes-langchain': 'agent 3, lmChatOpenAi 1.2, outputParserStructured 1.3',
	'n8n-nodes-base':
		'code 2, compression 1.1, convertToFile 1.1, emailSend 2.1, extractFromFile 1.1, filter 2.2, form ' +
		'1, formTrigger 2.2, googleSheets 4.7, if 2.2, manualTrigger 1, merge 3, noOp 1, ' +
		'postgres 2.6, quickChart 1, readWriteFile 1, removeDuplicates 2, scheduleTrigger ' +
		'1.2, set 3.4, slack 2.4, splitOut 1, stickyNote 1, summarize 1.1, ' +
		'switch 3.2',
	'n8n-nodes-local-seo': 'localSeo 1, localSeoTool 1, localSeoTrigger 1',
};

/**
 * The nodes of the example workflows, with the newest version that every n8n of versions/list.json has:
 * each of them has imported and run the examples.
 */
export const TYPE_VERSIONS: Readonly<Record<string, number>> = Object.fromEntries(
	Object.entries(VERSIONS_BY_PACKAGE).flatMap(([name, texts]) =>
		texts.split(', ').map((text) => {
			const [node, version] = text.split(' ');
			return [`${name}.${node}`, Number(version)];
		}),
	),
);

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
