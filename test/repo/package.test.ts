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

/** A copy of the source, to build in: what runs beside this test builds in the original. */
function copyOf(name: string): string {
	const copy = join(folder, name);
	mkdirSync(copy, { recursive: true });
	const sources = ['credentials', 'icons', 'nodes', 'gulpfile.js', 'package.json', 'tsconfig.json'];
	for (const source of [...sources, 'LICENSE', 'README.md']) {
		cpSync(join(ROOT, source), join(copy, source), { recursive: true });
	}
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

/** Builds and packs a folder; returns the tarball's path. */
function pack(from: string, env: NodeJS.ProcessEnv = process.env): string {
	const run = execaSync({ cwd: from, env });
	run('npm', ['run', 'build']);
	const { stdout } = run`npm pack --silent --ignore-scripts --pack-destination ${from}`;
	return join(from, stdout);
}

/** What a module script prints, in a process of its own as n8n's tools are run. */
function evaluate(script: string): unknown {
	const print = 'const print = (value) => console.log(JSON.stringify(value));';
	// With jest's own NODE_ENV the linter's rules take every file for one of theirs.
	const env = { NODE_ENV: 'production', N8N_USER_FOLDER: folder, N8N_LOG_LEVEL: 'silent' };
	const { stdout } = execaSync({ cwd: ROOT, env })`node --input-type=module -e ${print + script}`;
	return JSON.parse(stdout);
}

const manifest = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

beforeAll(() => {
	// `npm test` has packed it already, for each n8n that it starts.
	tarball = process.env.LOCAL_SEO_TARBALL ?? pack(copyOf('source'));
	// What n8n provides to a package: its peer dependency.
	symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
	execaSync('tar', ['-xzf', tarball, '-C', folder]);
	const files = readdirSync(unpacked, { recursive: true, withFileTypes: true });
	packed = files
		.filter((file) => file.isFile())
		.map((file) => relative(unpacked, join(file.parentPath, file.name)))
		.sort();
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the package holds dist, README, LICENSE and package.json, and nothing else', () => {
	const others = packed.filter((path) => !path.startsWith('dist/'));
	expect(others).toEqual(['LICENSE', 'README.md', 'package.json']);
	expect(packed.filter((path) => /^dist/.test(path) && !/\.(js|json|svg)$/.test(path))).toEqual([]);
	expect(packed.filter((path) => /test|dev\//.test(path))).toEqual([]);
});

test('nothing ships but our own code', () => {
	const sources = packed
		.filter((path) => path.startsWith('dist/'))
		.map((path) => path.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
	for (const source of sources) {
		expect(source).toMatch(/^(credentials|icons|nodes)\//);
		const text = readFileSync(join(ROOT, source), 'utf8');
		if (source.endsWith('.ts')) continue;
		expect(readFileSync(join(unpacked, 'dist', source), 'utf8')).toBe(text);
	}
});

test('the same source gives the same bytes, wherever and whenever it is packed', () => {
	const copy = copyOf('elsewhere/a copy');
	const before = process.umask(0o077);
	try {
		const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'C' };
		expect(readFileSync(pack(copy, env)).equals(readFileSync(tarball))).toBe(true);
	} finally {
		process.umask(before);
	}
}, 120_000);

test("n8n's own loader reads it: node, credential, icons and codex", async () => {
	const { nodes, credentials } = evaluate(`
		import { PackageDirectoryLoader } from 'n8n-core';
		const loader = new PackageDirectoryLoader(${JSON.stringify(unpacked)});
		await loader.loadAll();
		print(loader.types);
	`) as { nodes: IDataObject[]; credentials: IDataObject[] };
	const [node, trigger] = nodes;
	const [credential] = credentials;
	expect(trigger).toMatchObject({
		name: 'localSeoTrigger',
		codex: { categories: ['Marketing & Content'] },
		polling: true,
	});
	expect(node).toMatchObject({
		name: 'localSeo',
		codex: { categories: ['Marketing & Content'] },
		usableAsTool: true,
	});
	expect(credential).toMatchObject({
		name: 'localSeoApi',
		supportedNodes: ['localSeo', 'localSeoTrigger'],
	});
	const icons = [node, trigger, credential].flatMap(({ iconUrl }) => Object.values(iconUrl!));
	expect(icons).toHaveLength(6);
	for (const icon of icons as string[]) {
		expect(existsSync(join(unpacked, icon.replace('icons/n8n-nodes-local-seo/', '')))).toBe(true);
	}
});

test('shipped code needs nothing at run time but what n8n provides and allows', () => {
	const { dependencies, overrides, peerDependencies, scripts } = manifest();
	expect([dependencies, overrides]).toEqual([undefined, undefined]);
	expect(peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(Object.keys(scripts)).not.toEqual(
		expect.arrayContaining(['prepare', 'preinstall', 'postinstall']),
	);
	const imports = packed
		.filter((path) => path.endsWith('.js'))
		.flatMap((path) => [
			...readFileSync(join(unpacked, path), 'utf8').matchAll(/require\("([^."][^"]*)"\)/g),
		])
		.map(([, name]) => name);
	// Every n8n brings luxon and lodash (docs/dev/n8n-facts.md, section 12).
	const packages = imports.map((name) => name.replace(/^lodash\/.+/, 'lodash'));
	expect([...new Set(packages)].sort()).toEqual([
		...['lodash', 'luxon', 'n8n-workflow', 'node:crypto'],
	]);
});

test('package.json has what verification requires', () => {
	const { author, description, homepage, keywords, license, n8n, name, repository } = manifest();
	expect(name).toMatch(/^n8n-nodes-/);
	expect(keywords).toContain('n8n-community-node-package');
	expect(n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
	const required = [license, author.name, author.email, description, homepage, repository.url];
	expect(required).not.toContain(undefined);
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
}, 120_000);

test('every action that a workflow uses is pinned by its digest', () => {
	const folder = join(ROOT, '.github', 'workflows');
	const uses = readdirSync(folder).flatMap((file) => [
		...readFileSync(join(folder, file), 'utf8').matchAll(/uses: (.*)$/gm),
	]);
	expect(uses.length).toBeGreaterThan(0);
	for (const [, action] of uses) expect(action).toMatch(/^\.\/|^[\w-]+\/[\w-]+@[\da-f]{40} # v\d/);
});
