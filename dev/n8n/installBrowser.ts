// Installs a browser for the editor tests if there is none; `npm test` runs this first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { aptInstall, attempt, isRoot } from './attempt';
import { NO_BROWSER, openBrowser } from './browser';
import { Complaint } from './complaint';
import { ROOT } from './home';

const PLAYWRIGHT = join(ROOT, 'node_modules', '.bin', 'playwright');

async function download(): Promise<void> {
	await attempt([PLAYWRIGHT, 'install', '--no-shell', 'chromium'], 180);
}

/** Debian's own Chromium, or the libraries that Playwright's download needs. */
async function aptGet(): Promise<void> {
	if (!existsSync(chromium.executablePath())) return await aptInstall('chromium');
	if (!isRoot()) return;
	await attempt(['apt-get', 'update'], 120);
	await attempt([PLAYWRIGHT, 'install-deps', 'chromium'], 600);
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
