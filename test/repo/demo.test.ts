import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { prepareHome, ROOT } from '../../dev/n8n/home';
import { http } from '../../dev/n8n/http';
import { loginOf } from '../../dev/n8n/login';
import { startSandbox } from '../../dev/sandbox';

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

test("no other website can press the button of the sandbox's page, which needs no key", async () => {
	const sandbox = await startSandbox();
	const { port } = new URL(sandbox.origin);
	const [location] = sandbox.account.locations;
	const before = location.last_scan_at;
	const address = `${sandbox.origin}/sandbox/scan/${location.id}`;
	const scan = async (headers: Record<string, string>) =>
		(await http.post(address, undefined, { headers })).status;
	expect(await scan({ host: `evil.example:${port}` })).toBe(421);
	expect(await scan({ origin: 'https://evil.example' })).toBe(403);
	expect(await scan({ 'sec-fetch-site': 'cross-site' })).toBe(403);
	expect(location.last_scan_at).toBe(before);
	expect(await scan({ origin: sandbox.origin })).toBe(204);
	expect(location.last_scan_at).not.toBe(before);
	await sandbox.close();
});

test('Ctrl-C ends an installation at once: npm itself ends its step first, which takes minutes', async () => {
	const npm = "#!/bin/sh\ntrap '' INT\nsleep 1\nkill -INT $PPID\nexec sleep 60\n";
	writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
	writeFileSync(join(folder, 'package-lock.json'), '{}');
	const flags = ['-e', `import('${ROOT}/dev/n8n/install.mjs').then((it) => it.install('.', {}))`];
	const env = { PATH: `${folder}:${process.env.PATH}` };
	const { signal } = await execa(process.execPath, flags, { cwd: folder, env, reject: false });
	expect(signal).toBe('SIGINT');
});
