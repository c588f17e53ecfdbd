import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './home';
import { withBlock } from './markdown';
import { type Version, VERSIONS } from './versions';

/** What was run on a version of n8n, and what differs there. */
export interface Findings {
	/** `npx gulp test:versions`: its engine alone. */
	engine?: { passed: number; failed: number; differs: string[] };
	/** `npx gulp test:hosts`: the whole of it, by the version of Node.js. */
	hosts?: Record<string, { passed: string[]; failed: string[]; differs: string[] }>;
}

type AllFindings = Record<string, Findings>;

const FILE = join(__dirname, 'versions', 'findings.json');
const PAGE = join(ROOT, 'docs', 'dev', 'evidence.md');

const read = () => JSON.parse(readFileSync(FILE, 'utf8')) as AllFindings;

/** Remembers what was found on a version, and writes its table in docs/dev/evidence.md anew. */
export async function note({ n8n }: Version, { engine, hosts }: Findings): Promise<void> {
	const all = read();
	const known = all[n8n] ?? {};
	all[n8n] = {
		engine: engine ?? known.engine,
		hosts: { ...known.hosts, ...hosts },
	};
	const { format, resolveConfig } = await import('prettier');
	const write = async (file: string, text: string, parser: string) =>
		writeFileSync(file, await format(text, { ...(await resolveConfig(file)), parser }));
	await write(FILE, JSON.stringify(all), 'json');
	await write(PAGE, pageWith(readFileSync(PAGE, 'utf8'), all), 'markdown');
}

/** The page with the table of the versions in the list. */
export function pageWith(page: string, all = read()): string {
	const lines = VERSIONS.map(({ n8n, nodes }) => rowOf(n8n, nodes, all[n8n] ?? {}));
	const table = [['n8n', 'Tests on its engine', 'In the whole n8n', 'What differs'], [], ...lines];
	table[1] = table[0].map(() => '---');
	const text = table.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
	return withBlock(page, 'versions', text);
}

function rowOf(n8n: string, nodes: string[], { engine, hosts = {} }: Findings): string[] {
	const inHosts = nodes.map((node) => {
		const host = hosts[node];
		if (!host) return `Node.js ${node}: not run yet`;
		const failed = host.failed.map((what) => `; **failed: ${what}**`).join('');
		return `Node.js ${node}: ${host.passed.join(', ')}${failed}`;
	});
	const differs = [engine?.differs ?? [], ...Object.values(hosts).map((host) => host.differs)];
	const inEngine = engine
		? `${engine.passed} passed${engine.failed ? `, **${engine.failed} failed**` : ''}`
		: 'not run yet';
	const what = [...new Set(differs.flat())].map((one) => `${one}.`);
	return [n8n, inEngine, inHosts.join('<br>'), what.join('<br>') || '–'];
}
