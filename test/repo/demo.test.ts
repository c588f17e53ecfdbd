import { execa } from 'execa';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { prepareHome, ROOT } from '../../dev/n8n/home';
import { loginOf } from '../../dev/n8n/login';
import { startSandbox } from '../../dev/sandbox';
import { rawRequest } from '../support/rawRequest';

// What `npm start` leaves on a user's machine. That it works: test/e2e/npmStart.test.ts.

const folder = mkdtempSync(join(tmpdir(), 'local-seo-demo-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('each n8n has a password of its own, which only its owner can read', () => {
	const homes = ['one', 'another'].map((name) => prepareHome(join(folder, name)));
	const passwords = homes.map((home) => loginOf(home).password);
	expect(new Set(passwords).size).toBe(2);
	// Of n8n: 8 to 64 characters, a capital letter and a digit.
	for (const password of passwords) expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)[\w-]{20,64}$/);
	expect(loginOf(homes[0]).password).toBe(passwords[0]);
	expect(statSync(join(homes[0].n8n, 'owner-password')).mode & 0o777).toBe(0o600);
});

test('no other website can use the controls of the sandbox, which need no key', async () => {
	const sandbox = await startSandbox();
	const port = Number(new URL(sandbox.origin).port);
	const reset = async (headers: object) =>
		(await rawRequest(port, '/sandbox/reset', { method: 'POST', headers })).status;
	sandbox.faults.add({});
	expect(await reset({ host: `evil.example:${port}` })).toBe(421);
	expect(await reset({ origin: 'https://evil.example' })).toBe(403);
	expect(await reset({ 'sec-fetch-site': 'cross-site' })).toBe(403);
	expect(sandbox.faults.list).toHaveLength(1);
	expect(await reset({ origin: sandbox.origin })).toBe(204);
	expect(sandbox.faults.list).toEqual([]);
	await sandbox.close();
});

test('SIGTERM to npm alone, in the background, ends what npm start runs', async () => {
	const file = (name: string, text: string) => {
		writeFileSync(join(folder, name), text);
		return join(folder, name);
	};
	const own = (...path: string[]) => JSON.stringify(pathToFileURL(join(ROOT, ...path)).href);
	const cleaned = join(folder, 'cleaned');
	// As dev/demo/main.ts, and as dev/scripts/start.mjs.
	const main = file(
		'main.mts',
		`import { runProgram } from ${own('dev', 'n8n', 'program.ts')};
		import { writeFileSync } from 'node:fs';
		void runProgram(async (program) => {
			program.atEnd(async () => writeFileSync(${JSON.stringify(cleaned)}, ''));
			console.log('up');
			await new Promise((resolve) => setTimeout(resolve, 50_000));
			return false;
		});`,
	);
	const start = file(
		'start.mjs',
		`import { run } from ${own('dev', 'n8n', 'install.mjs')};
		const args = ['--import', 'tsx', ${JSON.stringify(main)}];
		await run(process.execPath, args, { cwd: ${JSON.stringify(ROOT)} }).catch(() => {});`,
	);
	const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const script = scripts.start.replace('dev/scripts/start.mjs', start);
	file('package.json', JSON.stringify({ scripts: { start: script } }));
	// A script's job in the background: its shells ignore SIGINT.
	const npm = ['-c', 'trap "" INT; exec npm start --silent'];
	const child = execa({ detached: true, reject: false, cwd: folder })('sh', npm);
	await once(child.stdout, 'data');
	child.kill('SIGTERM');
	expect((await child).stdout).toContain('Stopping');
	expect(existsSync(cleaned)).toBe(true);
});
