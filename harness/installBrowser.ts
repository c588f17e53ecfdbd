// Installs a browser for the editor tests if there is none; `npm test` runs this first.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { NO_BROWSER, openBrowser } from './browser';
import { Complaint } from './complaint';
import { ROOT } from './home';

type Command = [name: string, ...args: string[]];

const PLAYWRIGHT = join(ROOT, 'node_modules', '.bin', 'playwright');

/** Runs a command for at most so many seconds. Whether it worked is seen when the browser starts. */
async function run([name, ...args]: Command, seconds: number): Promise<void> {
	// Its own process group, so that its child processes end with it.
	const child = spawn(name, args, {
		stdio: 'ignore',
		detached: true,
		env: {
			...process.env,
			DEBIAN_FRONTEND: 'noninteractive',
			PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
		},
	});
	const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), seconds * 1000);
	await new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	clearTimeout(late);
}

async function download(): Promise<void> {
	await run([PLAYWRIGHT, 'install', '--no-shell', 'chromium'], 180);
}

/** Debian's own Chromium, or the libraries that Playwright's download needs. */
async function aptGet(): Promise<void> {
	if (process.getuid?.() !== 0) return;
	await run(['apt-get', 'update'], 120);
	const what: Command = existsSync(chromium.executablePath())
		? [PLAYWRIGHT, 'install-deps', 'chromium']
		: ['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium'];
	await run(what, 600);
}

async function starts(): Promise<boolean> {
	try {
		await (await openBrowser()).close();
		return true;
	} catch (error) {
		if (error instanceof Complaint && error.message === NO_BROWSER) return false;
		throw error;
	}
}

async function main(): Promise<void> {
	if (await starts()) return;
	console.log('Installing Chromium for the editor tests (once, about 1 min) …');
	const started = Date.now();
	for (const way of [download, aptGet]) {
		await way();
		if (!(await starts())) continue;
		console.log(`Installed Chromium in ${Math.round((Date.now() - started) / 1000)} s`);
		return;
	}
	throw new Complaint(NO_BROWSER);
}

main().catch((error: unknown) => {
	console.error(error instanceof Complaint ? error.message : error);
	process.exitCode = 1;
});
