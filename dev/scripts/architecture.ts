import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../n8n/home';

const PAGE = join(ROOT, 'docs', 'dev', 'architecture.md');
const ROOMS = '^nodes/LocalSeo/[^/]+(?=/)|^credentials';
const PICTURE = /(<!-- rooms -->\n)[^]*?(\n<!-- \/rooms -->)/;

/** The rooms of the node and their arrows, as dependency-cruiser finds them in the code's own imports. */
function drawn(): string {
	const options = ['--config', '.dependency-cruiser.cjs', '--output-type', 'mermaid'];
	const shown = ['--include-only', '^(nodes|credentials)', '--collapse', ROOMS];
	return execFileSync(
		join(ROOT, 'node_modules', '.bin', 'depcruise'),
		[...options, ...shown, 'nodes', 'credentials'],
		{ cwd: ROOT, encoding: 'utf8' },
	);
}

/** docs/dev/architecture.md with the picture of today; the arrows of each room are on one line. */
export function architecturePage(): string {
	const targets = new Map<string, string[]>();
	const others = drawn()
		.split('\n')
		.filter((line) => {
			const [, from, to] = /^(\w+)-->(\w+)$/.exec(line) ?? [];
			if (from) targets.set(from, [...(targets.get(from) ?? []), to]);
			return !from && !/^(subgraph .*|end|\s*)$/.test(line);
		});
	const arrows = [...targets].map(([from, to]) => `${from}-->${to.join(' & ')}`);
	const picture = [...others, ...arrows].join('\n');
	const page = readFileSync(PAGE, 'utf8');
	if (!PICTURE.test(page))
		throw new Error('docs/dev/architecture.md has no <!-- rooms --> markers');
	return page.replace(
		PICTURE,
		(_, start: string, end: string) => `${start}\n\`\`\`mermaid\n${picture}\n\`\`\`\n${end}`,
	);
}
