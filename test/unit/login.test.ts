import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { prepareHome } from '../../harness/home';
import { loginOf } from '../../harness/login';

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
	for (const folder of ['demo', 'harness', 'tools', 'bench']) {
		const path = join(__dirname, '..', '..', folder);
		const files = readdirSync(path).filter((name) => /\.([cm]?[jt]s)$/.test(name));
		expect(files.length).toBeGreaterThan(2);
		for (const name of files) {
			expect(readFileSync(join(path, name), 'utf8')).not.toMatch(/password\w*['"]?\s*[:=]\s*['"]/i);
		}
	}
});
