// Installs a browser for the editor tests if there is none; `npm test` runs this first.
import { join } from 'node:path';
import { aptInstall, attempt, isRoot } from '../../dev/n8n/attempt';
import { NO_BROWSER, openBrowser } from './browser';
import { Complaint } from '../../dev/n8n/complaint';
import { ROOT } from '../../dev/n8n/home';

const PLAYWRIGHT = join(ROOT, 'node_modules', '.bin', 'playwright');

/** Debian's own, Playwright's download, and the libraries that the latter needs. */
const WAYS = [
	async () => await aptInstall('chromium-headless-shell'),
	async () => await attempt([PLAYWRIGHT, 'install', '--only-shell', 'chromium'], 180),
	async () => isRoot() && (await attempt([PLAYWRIGHT, 'install-deps', 'chromium'], 600)),
	async () => await aptInstall('chromium'),
];

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
	for (const way of WAYS) {
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
