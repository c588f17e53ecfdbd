import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepareHome, ROOT } from '../../dev/n8n/home';
import { loginOf } from '../../dev/n8n/login';
import { filesIn } from '../../dev/scripts/files';

const folders: string[] = [];
function newHome() {
	folders.push(mkdtempSync(join(tmpdir(), 'local-seo-login-')));
	return prepareHome(folders[folders.length - 1]);
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

test('each state folder has a password of its own, which n8n accepts', () => {
	const passwords = Array.from({ length: 20 }, () => loginOf(newHome()).password);
	expect(new Set(passwords).size).toBe(20);
	// Of n8n: 8 to 64 characters, a capital letter and a digit.
	for (const password of passwords) expect(password).toMatch(/^(?=.*[A-Z])(?=.*\d)[\w-]{20,64}$/);
});

test('it stays the same, and only its owner can read it', () => {
	const home = newHome();
	const login = loginOf(home);
	const file = join(home.n8n, 'owner-password');
	expect(statSync(file).mode & 0o777).toBe(0o600);
	chmodSync(file, 0o644);
	expect(loginOf(home)).toEqual(login);
	expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('no file of the demo has a password', () => {
	const files = filesIn('dev').filter((path) => /\.([cm]?[jt]s|ya?ml)$/.test(path));
	const known = ['main.ts', 'queue/stores.ts', 'queue/compose.yaml'];
	expect(files).toEqual(expect.arrayContaining(known.map((name) => `dev/demo/${name}`)));
	// A value in quotes; in YAML and in the commands in it, any that is not a variable.
	const inQuotes = /password\w*['"]?\s*[:=]\s*(['"]|`(?!\$))/i;
	const inYaml = /(password\w*:|requirepass|redis-cli -a)[ \t]+["']?[^\s"'$]/i;
	for (const path of files) {
		const text = readFileSync(join(ROOT, path), 'utf8');
		expect([path, text.match(inQuotes)?.[0]]).toEqual([path, undefined]);
		if (/ya?ml$/.test(path)) expect([path, text.match(inYaml)?.[0]]).toEqual([path, undefined]);
	}
});
