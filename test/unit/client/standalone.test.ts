import { execa } from 'execa';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { useSandbox } from '../../support/fixture';

const ROOT = join(__dirname, '..', '..', '..');
const CLIENT = join(ROOT, 'nodes', 'LocalSeo', 'client');

const service = useSandbox();
const folder = mkdtempSync(join(tmpdir(), 'local-seo-client-'));

/** All that the client needs of others; every n8n has them. */
const PACKAGES = ['lodash', 'luxon'];

// Compiled apart, into a folder with these packages alone: whatever else it would need is missing.
beforeAll(async () => {
	mkdirSync(join(folder, 'node_modules'));
	for (const name of PACKAGES) {
		symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
	}
	const options = ['--module', 'node16', '--target', 'es2022', '--lib', 'es2022,dom'];
	const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules', '@types')];
	const checks = ['--strict', '--skipLibCheck'];
	const index = join(CLIENT, 'index.ts');
	const run = execa({ preferLocal: true, localDir: ROOT });
	await run`tsc ${options} ${types} ${checks} --rootDir ${CLIENT} --outDir ${folder} ${index}`;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function runScript() {
	const { baseUrl, keys } = service.sandbox;
	const script = join(__dirname, 'plainScript.mjs');
	const { stdout } = await execa(process.execPath, [script, folder, baseUrl, keys.write]);
	return JSON.parse(stdout) as { ids: string[]; post: object; kind: string; status: number };
}

test('a program without n8n lists, creates, and gets plain errors', async () => {
	const { ids, post, kind, status } = await runScript();
	const { account } = service.sandbox;
	expect(ids).toEqual(account.locations.map(({ id }) => id));
	expect(account.postsOf(ids[0])).toContainEqual(post);
	expect({ kind, status }).toEqual({ kind: 'rejected', status: 404 });
});

test('it creates once where the response is lost', async () => {
	service.sandbox.faults.add({ when: { method: 'POST' }, actFirst: true, dropConnection: true });
	const { ids } = await runScript();
	const posts = service.sandbox.account.postsOf(ids[0]);
	expect(posts.filter(({ title }) => title === 'From a plain script')).toHaveLength(1);
});
