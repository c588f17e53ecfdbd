import { execa } from 'execa';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { ROOT } from '../../dev/n8n/home';

const folder = mkdtempSync(join(tmpdir(), 'local-seo-signals-'));
const script = (name: string, text: string) => {
	const file = join(folder, name);
	writeFileSync(file, text);
	return file;
};
afterAll(() => rmSync(folder, { recursive: true }));

/** As dev/demo/main.ts: it cleans up and says so, however often it is interrupted. */
const program = (cleaned: string) => `
import { runProgram } from ${JSON.stringify(join(ROOT, 'dev', 'n8n', 'program.ts'))};
import { writeFileSync } from 'node:fs';
void runProgram(async (program) => {
	program.atEnd(async () => writeFileSync(${JSON.stringify(cleaned)}, ''));
	program.isUp();
	console.log('up');
	await new Promise((resolve) => setTimeout(resolve, 50_000));
	return false;
});`;

/** As dev/scripts/start.mjs: it runs a program, and ends with it. */
const starter = (file: string) => `
import { run } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dev', 'n8n', 'install.mjs')).href)};
await run(process.execPath, ['--import', 'tsx', ${JSON.stringify(file)}], { cwd: ${JSON.stringify(ROOT)} });`;

test.each([
	['SIGINT', 'to it alone', 1],
	['SIGTERM', 'to it alone', 1],
	['SIGHUP', 'to it alone', 1],
	['SIGINT', 'to the whole group, as Ctrl-C', -1],
] as const)('%s %s ends what npm start runs, in order', async (signal, _, sign) => {
	const cleaned = join(folder, `cleaned-${signal}${sign}`);
	const main = script(`main-${signal}${sign}.mts`, program(cleaned));
	const start = script(`start-${signal}${sign}.mjs`, starter(main));
	// A group of its own, as a shell's job; in the background if the signal is to it alone.
	const child = execa({ detached: true, reject: false })(process.execPath, [start]);
	await once(child.stdout, 'data');
	process.kill(sign * child.pid!, signal);
	expect((await child).exitCode).toBe(0);
	expect(existsSync(cleaned)).toBe(true);
});

test('SIGTERM to npm alone, in the background, ends what npm start runs', async () => {
	const cleaned = join(folder, 'cleaned-npm');
	const start = script('start-npm.mjs', starter(script('main-npm.mts', program(cleaned))));
	const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
	const own = { scripts: { start: scripts.start.replace('dev/scripts/start.mjs', start) } };
	script('package.json', JSON.stringify(own));
	// A script's job in the background: its shells ignore SIGINT.
	const npm = ['-c', 'trap "" INT; exec npm start --silent'];
	const child = execa({ detached: true, reject: false, cwd: folder })('sh', npm);
	await once(child.stdout, 'data');
	child.kill('SIGTERM');
	expect((await child).stdout).toContain('Stopping');
	expect(existsSync(cleaned)).toBe(true);
});

test('what takes longer than its limit is stopped, with all that it started', async () => {
	const pid = join(folder, 'pid');
	const file = script(
		'limited.mjs',
		`import { run } from ${JSON.stringify(pathToFileURL(join(ROOT, 'dev', 'n8n', 'install.mjs')).href)};
const options = { cwd: '/', quiet: true, minutes: 1 / 60 };
await run('sh', ['-c', 'echo so far; sleep 50 & echo $! > ${pid}; wait'], options);`,
	);
	const { stderr, exitCode } = await execa(process.execPath, [file], { reject: false });
	expect(exitCode).toBe(1);
	expect(stderr).toContain('so far');
	expect(stderr).toContain('was stopped after');
	const left = await execa('ps', ['-o', 'stat=', '-p', readFileSync(pid, 'utf8').trim()], {
		reject: false,
	});
	// Gone, or dead and waiting for someone to ask how it ended.
	expect(left.stdout).toMatch(/^(Z.*)?$/);
});
