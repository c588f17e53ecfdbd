import type { LaunchOptions } from '@playwright/test';

/** Debian's Chromium, without anything that it would fetch by itself. */
export const CHROMIUM: LaunchOptions = {
	timeout: 120_000,
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: [
		'--no-sandbox',
		'--disable-gpu',
		'--disable-quic',
		'--no-first-run',
		'--disable-background-networking',
		'--disable-component-update',
		'--disable-sync',
	],
};
