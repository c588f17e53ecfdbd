import { chromium, type Browser, type LaunchOptions } from '@playwright/test';
import { Complaint } from '../../dev/n8n/complaint';

/**
 * Root needs --no-sandbox. Optimizing n8n's editor costs a sixth of the processor, and no page stays open long
 * enough to gain by it. The other flags keep the browser from downloading anything by itself.
 */
const OPTIONS: LaunchOptions = {
	timeout: 120_000,
	args: [
		'--no-sandbox',
		'--disable-gpu',
		'--js-flags=--no-opt --no-maglev',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	],
};

/**
 * Where a browser may be installed; the first one that starts is used. The shell without a window needs a
 * third less of the processor for n8n's editor.
 */
const PLACES: LaunchOptions[] = [
	{ executablePath: '/usr/bin/chromium-headless-shell' },
	{}, // Playwright's own download of it
	{ executablePath: '/usr/bin/chromium' },
	{ executablePath: '/usr/bin/chromium-browser' },
	{ executablePath: '/Applications/Chromium.app/Contents/MacOS/Chromium' },
	{ channel: 'chrome' },
	{ channel: 'msedge' },
	{ channel: 'chromium' },
];

export const NO_BROWSER =
	'No browser found. Install Chromium, Chrome or Edge (on Debian: apt-get install chromium), or set CHROMIUM to the path of one.';

let known: LaunchOptions | undefined;

async function start(place: LaunchOptions): Promise<Browser> {
	const browser = await chromium.launch({ ...OPTIONS, ...place });
	known = place;
	return browser;
}

/** Starts Chromium, Chrome or Edge: the one that CHROMIUM names, or the first that is found. */
export async function openBrowser(): Promise<Browser> {
	if (known) return await start(known);
	const { CHROMIUM } = process.env;
	if (CHROMIUM) {
		return await start({ executablePath: CHROMIUM }).catch((error: Error) => {
			throw new Complaint(
				`The browser set in CHROMIUM does not start: ${error.message.split('\n')[0]}`,
			);
		});
	}
	for (const place of PLACES) {
		const browser = await start(place).catch(() => undefined);
		if (browser) return browser;
	}
	throw new Complaint(NO_BROWSER);
}
