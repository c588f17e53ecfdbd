import { execaSync } from 'execa';
import {
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
import { pack } from '../../dev/n8n/nodePackage';

const folder = mkdtempSync(join(tmpdir(), 'local-seo-package-'));
const unpacked = join(folder, 'package');
let tarball: string;
let packed: string[];

beforeAll(async () => {
	// `npm test` has packed it already, for each n8n that it starts.
	tarball = process.env.LOCAL_SEO_TARBALL ?? (await pack(folder));
	// What n8n provides to a package: its peer dependency.
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	execaSync('tar', ['-xzf', tarball, '-C', folder]);
	packed = readdirSync(unpacked, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.map((file) => relative(unpacked, join(file.parentPath, file.name)))
		.sort();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('nothing ships but our own code, and it needs nothing but what n8n provides', () => {
	const shipped = packed.filter((path) => path.startsWith('dist/'));
	for (const path of shipped) {
		expect(path).toMatch(/^dist\/(credentials|icons|nodes)\/.+\.(js|json|svg)$/);
		const source = path.replace(/^dist\//, '').replace(/\.js$/, '.ts');
		expect(existsSync(join(ROOT, source))).toBe(true);
	}
	const others = packed.filter((path) => !shipped.includes(path));
	expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
	const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'));
	expect(manifest).toMatchObject({ peerDependencies: { 'n8n-workflow': '*' } });
	for (const none of ['dependencies', 'overrides']) expect(manifest).not.toHaveProperty(none);
	expect(Object.keys(manifest.scripts).join()).not.toMatch(/prepare|install/);
});

test('installed as the README says, it brings no other package', () => {
	const readme = readFileSync(join(unpacked, 'README.md'), 'utf8');
	const [, flags] = /`npm install (\S+)` with the path of the `.tgz`/.exec(readme)!;
	const nodes = join(folder, 'nodes', 'node_modules');
	mkdirSync(nodes, { recursive: true }); // else npm looks for one above
	execaSync('npm', ['install', flags, tarball], { cwd: join(nodes, '..') });
	expect(readdirSync(nodes).filter((name) => name[0] !== '.')).toEqual(['n8n-nodes-local-seo']);
});

test("n8n's own loader reads it: node, credential, icons and codex", () => {
	const script = `
		import { PackageDirectoryLoader } from 'n8n-core';
		const loader = new PackageDirectoryLoader(${JSON.stringify(unpacked)});
		await loader.loadAll();
		console.log(JSON.stringify(loader.types));
	`;
	const env = { N8N_USER_FOLDER: folder, N8N_LOG_LEVEL: 'silent' };
	const run = execaSync({ cwd: ROOT, env });
	const { stdout } = run(process.execPath, ['--input-type=module', '-e', script]);
	const { nodes, credentials } = JSON.parse(stdout) as Record<string, IDataObject[]>;
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
