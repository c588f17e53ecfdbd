import { execaSync } from 'execa';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const { forbidden } = jest.requireActual<{ forbidden: Array<{ name: string }> }>(CONFIG);

interface Report {
	summary: { violations: Array<{ rule: { name: string }; from: string; to: string }> };
	modules: unknown[];
}

function cruise(folder: string, ...paths: string[]): Report {
	const depcruise = join(ROOT, 'node_modules', '.bin', 'depcruise');
	const options = ['--config', CONFIG, '--output-type', 'json'];
	const run = execaSync({ cwd: folder, reject: false });
	const { stdout } = run(depcruise, [...options, ...paths]);
	return JSON.parse(stdout) as Report;
}

test('no circle, no arrow upward and no undeclared package among the imports', () => {
	const { summary, modules } = cruise(ROOT, ...['nodes', 'credentials', 'dev', 'examples', 'test']);
	expect(modules.length).toBeGreaterThan(150);
	expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual(
		[],
	);
});

test('each rule finds what it forbids', () => {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-imports-'));
	const room = (name: string) => `nodes/LocalSeo/${name}`;
	const wrong: Record<string, string> = {
		[room('client/index.ts')]: "export * from './http/a';",
		[room('client/http/a.ts')]: "import '../list/a'; import type {} from '../../host/a';",
		[room('client/list/a.ts')]: "import '../create/a';",
		[room('client/create/a.ts')]: '',
		[room('client/same/a.ts')]: "import '../create/a';",
		[room('client/pace/a.ts')]: "import '../http/b';",
		[room('client/http/b.ts')]: '',
		[room('text/a.ts')]: "import type {} from '../host/a';",
		[room('host/a.ts')]: "import type {} from '../rows/a';",
		[room('rows/a.ts')]:
			"import '../client/http/b'; import 'n8n-workflow'; import '../editor/a'; import '../X.node';",
		[room('rows/read/a.ts')]: "import '../plan/a';",
		[room('rows/plan/a.ts')]: "import '../write/a';",
		[room('rows/write/a.ts')]: '',
		[room('editor/a.ts')]: '',
		[room('resources/a.ts')]: "import '../panel/a';",
		[room('lookup/a.ts')]: "import '../panel/a';",
		[room('panel/a.ts')]: "import '../trigger/a';",
		[room('trigger/a.ts')]: "import type {} from './b'; import 'axios';",
		[room('trigger/b.ts')]: "import type {} from './a';",
		[room('X.node.ts')]: "import '../../dev/sandbox/a';",
		'dev/sandbox/a.ts': "import '../../nodes/LocalSeo/client';",
		'dev/sandbox/account/a.ts': "import '../a';",
		'dev/n8n/a.ts': "import '../demo/a';",
		'dev/demo/a.ts': "import '../../test/support/a';",
		'dev/bench/a.ts': "import '../scripts/a';",
		'dev/scripts/a.ts': '',
		'test/support/a.ts': "import '../unit/a.test';",
		'test/unit/a.test.ts': "import '../../dev/n8n/a';",
		'test/node/a.test.ts': "import '../unit/a.test'; import '../../dev/scripts/a';",
		'node_modules/n8n-workflow/index.js': '',
		'node_modules/axios/index.js': '',
		'package.json': '{}',
		'tsconfig.json': '{}',
	};
	for (const [path, text] of Object.entries(wrong)) {
		mkdirSync(join(folder, dirname(path)), { recursive: true });
		writeFileSync(join(folder, path), text);
	}
	const { summary } = cruise(folder, 'nodes', 'dev', 'test');
	rmSync(folder, { recursive: true });
	const found = new Set(summary.violations.map(({ rule }) => rule.name));
	expect([...found].sort()).toEqual(forbidden.map(({ name }) => name).sort());
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
