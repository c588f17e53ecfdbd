import { execaSync } from 'execa';
import {
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { IDataObject } from 'n8n-workflow';

import { ROOT } from '../../dev/n8n/home';

const folder = mkdtempSync(join(tmpdir(), 'local-seo-package-'));
const unpacked = join(folder, 'package');
let tarball: string;
let packed: string[];

/** Builds and packs a copy of the source, since what runs beside this test builds in the original. */
function pack(): string {
	const copy = join(folder, 'source');
	const sources = ['credentials', 'icons', 'nodes', 'gulpfile.js', 'package.json', 'tsconfig.json'];
	for (const source of [...sources, 'LICENSE', 'README.md']) {
		cpSync(join(ROOT, source), join(copy, source), { recursive: true });
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	const run = execaSync({ cwd: copy });
	run('npm', ['run', 'build']);
	return join(copy, run`npm pack --silent --ignore-scripts`.stdout);
}

/** What a module script prints, in a process of its own as n8n's tools are run. */
function evaluate(script: string): unknown {
	const print = 'const print = (value) => console.log(JSON.stringify(value));';
	// With jest's own NODE_ENV the linter's rules take every file for one of theirs.
	const env = { NODE_ENV: 'production', N8N_USER_FOLDER: folder, N8N_LOG_LEVEL: 'silent' };
	const { stdout } = execaSync({ cwd: ROOT, env })`node --input-type=module -e ${print + script}`;
	return JSON.parse(stdout);
}

beforeAll(() => {
	// `npm test` has packed it already, for each n8n that it starts.
	tarball = process.env.LOCAL_SEO_TARBALL ?? pack();
	// What n8n provides to a package: its peer dependency.
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	execaSync('tar', ['-xzf', tarball, '-C', folder]);
	const files = readdirSync(unpacked, { recursive: true, withFileTypes: true });
	packed = files
		.filter((file) => file.isFile())
		.map((file) => relative(unpacked, join(file.parentPath, file.name)))
		.sort();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('nothing ships but our own code', () => {
	const shipped = packed.filter((path) => path.startsWith('dist/'));
	for (const path of shipped.map((one) => one.slice('dist/'.length))) {
		expect(path).toMatch(/^(credentials|icons|nodes)\/.+\.(js|json|svg)$/);
		const text = readFileSync(join(ROOT, path.replace(/\.js$/, '.ts')), 'utf8');
		if (path.endsWith('.js')) continue;
		expect(readFileSync(join(unpacked, 'dist', path), 'utf8')).toBe(text);
	}
	const others = packed.filter((path) => !shipped.includes(path));
	expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
});

test('installed as the README says, it brings no other package', () => {
	const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
	const [, flags] = /`npm install (\S+)` with the path of the `.tgz`/.exec(readme)!;
	const nodes = join(folder, 'nodes', 'node_modules');
	mkdirSync(nodes, { recursive: true }); // else npm looks for one above
	execaSync('npm', ['install', flags, tarball], { cwd: join(nodes, '..') });
	expect(readdirSync(nodes).filter((name) => name[0] !== '.')).toEqual(['n8n-nodes-local-seo']);
});

test('modes, owners and times of the files are the same wherever and whenever it is packed', () => {
	const lines = execaSync('tar', ['-tvzf', tarball], { env: { TZ: 'UTC' } }).stdout.split('\n');
	expect(lines).toHaveLength(packed.length);
	for (const line of lines) expect(line).toMatch(/^-rw-r--r-- 0\/0 +\d+ 1985-10-26 08:15 /);
});

test("n8n's own loader reads it: node, credential, icons and codex", async () => {
	const { nodes, credentials } = evaluate(`
		import { PackageDirectoryLoader } from 'n8n-core';
		const loader = new PackageDirectoryLoader(${JSON.stringify(unpacked)});
		await loader.loadAll();
		print(loader.types);
	`) as { nodes: IDataObject[]; credentials: IDataObject[] };
	const codex = { categories: ['Marketing & Content'] };
	expect(nodes).toMatchObject([
		{ name: 'localSeo', codex, usableAsTool: true },
		{ name: 'localSeoTrigger', codex, polling: true },
	]);
	const supportedNodes = ['localSeo', 'localSeoTrigger'];
	expect(credentials).toMatchObject([{ name: 'localSeoApi', supportedNodes }]);
	const icons = [...nodes, ...credentials].flatMap(({ iconUrl }) => Object.values(iconUrl!));
	expect(icons).toHaveLength(6);
	for (const icon of icons as string[]) {
		expect(existsSync(join(unpacked, icon.replace('icons/n8n-nodes-local-seo/', '')))).toBe(true);
	}
});

test('shipped code needs nothing at run time but what n8n provides and allows', () => {
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	expect(manifest).toMatchObject({ peerDependencies: { 'n8n-workflow': '*' } });
	for (const none of ['dependencies', 'overrides']) expect(manifest).not.toHaveProperty(none);
	expect(Object.keys(manifest.scripts).join()).not.toMatch(/prepare|install/);
	const code = packed.filter((path) => path.endsWith('.js'));
	const imports = code
		.map((path) => readFileSync(join(unpacked, path), 'utf8'))
		.flatMap((text) => [...text.matchAll(/require\("([^."][^"]*)"\)/g)].map(([, name]) => name));
	// Every n8n brings luxon and lodash (docs/dev/n8n-facts.md, section 12).
	const packages = new Set(imports.map((name) => name.replace(/^lodash\/.+/, 'lodash')));
	expect([...packages].sort()).toEqual(['lodash', 'luxon', 'n8n-workflow', 'node:crypto']);
});

test("n8n's verification scan finds nothing, in the package or in the source", () => {
	const results = evaluate(`
		import { analyzePackage, SOURCE_FILE_PATTERNS } from '@n8n/scan-community-package/scanner/scanner.mjs';
		print([
			await analyzePackage(${JSON.stringify(unpacked)}),
			await analyzePackage(${JSON.stringify(ROOT)}, SOURCE_FILE_PATTERNS),
		]);
	`);
	expect(results).toEqual([{ passed: true }, { passed: true }]);
});
