// `npx gulp release:check`: what a maintainer runs before the tag. It checks what the tag would publish: the
// changelog, n8n's scan, the same tarball twice, and both jobs of the README in a fresh n8n with it.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { command } from '../n8n/command';
import { Complaint } from '../n8n/complaint';
import { ROOT } from '../n8n/home';
import { pack } from '../n8n/nodePackage';
import { freePort } from '../n8n/port';
import { runProgram, type Program } from '../n8n/program';

function versionOf(): string {
	const manifest = readFileSync(join(ROOT, 'package.json'), 'utf8');
	return (JSON.parse(manifest) as { version: string }).version;
}

/** The changelog names the version and its day, and the lock file agrees. */
function checkTexts(version: string): void {
	const [heading] = /^## .*$/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? [''];
	const isDated = /^## \S+ \(\d{4}-\d{2}-\d{2}\)$/.test(heading);
	if (!heading.startsWith(`## ${version} `) || !isDated) {
		throw new Complaint(
			`The first heading in CHANGELOG.md is "${heading}". For this release it has to be "## ${version} (${new Date().toISOString().slice(0, 10)})".`,
		);
	}
	const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
	if ((JSON.parse(lock) as { version: string }).version !== version) {
		throw new Complaint(
			`package-lock.json is not of ${version}. Run: npm install --ignore-scripts`,
		);
	}
}

async function checkCommitted(version: string): Promise<void> {
	const { stdout: changed } = await command('git', ['status', '--porcelain'], { cwd: ROOT });
	if (changed !== '') throw new Complaint(`These changes are not committed:\n${changed}`);
	const { stdout: tags } = await command('git', ['tag', '--list', version], { cwd: ROOT });
	if (tags !== '') throw new Complaint(`The tag ${version} exists already.`);
}

async function releaseCheck(program: Program): Promise<boolean> {
	const version = versionOf();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-release-'));
	program.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
	const step = async <T>(label: string, run: () => T | Promise<T>): Promise<T> => {
		const result = await run();
		console.log(`✓ ${label}`);
		return result;
	};

	console.log(`Checking ${version} …`);
	await step('everything is committed, and the tag is free', async () => {
		await checkCommitted(version);
	});
	await step('CHANGELOG.md and package-lock.json name the version', () => checkTexts(version));
	await step("n8n's scan, what ships, and the same bytes from another folder", async () => {
		await command('gulp', ['test:repo', '--testPathPatterns', 'package'], {
			cwd: ROOT,
			preferLocal: true,
		});
	});
	const tarball = await step('packed', async () => await pack(folder));
	await step('both jobs in a fresh n8n with this tarball', async () => {
		const ports = [await freePort(), await freePort()].map(String);
		const flags = ['--once', '--state', folder, '--port', ports[0], '--sandbox-port', ports[1]];
		const env = { LOCAL_SEO_TARBALL: tarball };
		await command('npm', ['start', '--', ...flags], { cwd: ROOT, env });
	});
	const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
	console.log(`\n${basename(tarball)}\nSHA-256 ${digest}\n
The publish workflow makes the same bytes. To publish: git tag ${version} && git push origin ${version}`);
	return true;
}

void runProgram(releaseCheck);
