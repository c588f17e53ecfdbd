import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';

import { prepareHome, ROOT } from '../../dev/n8n/home';
import { loginOf } from '../../dev/n8n/login';

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

test('Ctrl-C ends an installation at once: npm itself ends its step first, which takes minutes', async () => {
	const npm = "#!/bin/sh\ntrap '' INT\nsleep 1\nkill -INT $PPID\nexec sleep 60\n";
	writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
	writeFileSync(join(folder, 'package-lock.json'), '{}');
	const flags = ['-e', `import('${ROOT}/dev/n8n/install.mjs').then((it) => it.install('.', {}))`];
	const env = { PATH: `${folder}:${process.env.PATH}` };
	const { signal } = await execa(process.execPath, flags, { cwd: folder, env, reject: false });
	expect(signal).toBe('SIGINT');
});
