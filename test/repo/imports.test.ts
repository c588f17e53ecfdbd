import { execaSync } from 'execa';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../dev/n8n/home';

interface Report {
	summary: { violations: Array<{ rule: { name: string }; from: string; to: string }> };
	modules: unknown[];
}

test('no circle, no arrow upward and no undeclared package among the imports', () => {
	const depcruise = join(ROOT, 'node_modules', '.bin', 'depcruise');
	const options = ['--config', join(ROOT, '.dependency-cruiser.cjs'), '--output-type', 'json'];
	const folders = ['nodes', 'credentials', 'dev', 'examples', 'test'];
	const run = execaSync({ cwd: ROOT, reject: false });
	const { stdout } = run(depcruise, [...options, ...folders]);
	const { summary, modules } = JSON.parse(stdout) as Report;
	expect(modules.length).toBeGreaterThan(150);
	const violations = summary.violations.map(
		({ rule, from, to }) => `${rule.name}: ${from} → ${to}`,
	);
	expect(violations).toEqual([]);
});

test('the files that docs/dev/architecture.md names are there', () => {
	const page = readFileSync(join(ROOT, 'docs', 'dev', 'architecture.md'), 'utf8');
	const rows = page.split('\n').filter((line) => /^\| .*\| `[a-z/]+\/` /.test(line));
	const named = rows.flatMap((row) => [...row.split('|')[3].matchAll(/`(\w+)`/g)]);
	const files = readdirSync(join(ROOT, 'nodes'), { recursive: true, encoding: 'utf8' });
	const missing = named.filter(([, name]) => !files.some((file) => file.endsWith(`/${name}.ts`)));
	expect(named.length).toBeGreaterThan(30);
	expect(missing.map(([, name]) => name)).toEqual([]);
});
