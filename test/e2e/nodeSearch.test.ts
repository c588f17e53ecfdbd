import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

import { N8N_MANIFEST } from '../../dev/n8n/host';
import { ROOT } from '../../dev/n8n/home';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';

interface NodeType {
	displayName: string;
	hidden?: boolean;
	codex?: { alias?: string[] };
}

/** From the packages of the pinned n8n: its editor ranks by this score, and lets popularity add 1 at most. */
const { sublimeSearch } = createRequire(N8N_MANIFEST)('@n8n/utils/search/sublime-search') as {
	sublimeSearch<T>(filter: string, data: T[]): Array<{ item: T }>;
};

const own = [new LocalSeo(), new LocalSeoTrigger()].map((node): NodeType => {
	const file = join(ROOT, 'nodes', 'LocalSeo', `${node.constructor.name}.node.json`);
	const codex = JSON.parse(readFileSync(file, 'utf8')) as NodeType['codex'];
	return { ...node.description, codex };
});
/** The nodes that come with n8n, in all their versions. */
const others = ['n8n-nodes-base', '@n8n/n8n-nodes-langchain']
	.flatMap((name) => {
		const file = join(dirname(N8N_MANIFEST), '..', name, 'dist', 'types', 'nodes.json');
		return JSON.parse(readFileSync(file, 'utf8')) as NodeType[];
	})
	.filter(({ hidden }) => !hidden);

/** The names that n8n's node search lists for what someone types, the first first. */
function found(typed: string): string[] {
	const data = [...others, ...own].map((properties) => ({ properties }));
	const names = sublimeSearch(typed, data).map(({ item }) => item.properties.displayName);
	return [...new Set(names)];
}

test('the nodes of n8n are there, and found first by their own names', () => {
	expect(others.length).toBeGreaterThan(400);
	expect(found('google sheets')[0]).toBe('Google Sheets');
});

test.each([
	...['seo', 'local seo', 'rank tracking', 'content post', 'keyword', 'insights', 'serp'].map(
		(typed) => [typed, 0] as const,
	),
	// Next to the nodes of that name.
	...['google business', 'google my business'].map((typed) => [typed, 2] as const),
])('a search for "%s" lists Local SEO at place %d', (typed, place) => {
	expect(found(typed).findIndex((name) => name.startsWith('Local SEO'))).toBe(place);
});
