import type { Browser, Page } from '@playwright/test';

import { startSandbox, type Sandbox } from '../../sandbox';
import { openBrowser } from '../../harness/browser';
import { until } from '../../harness/until';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	browser = await openBrowser();
	page = await browser.newPage();
	page.setDefaultTimeout(45_000);
	await page.goto(sandbox.origin);
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.close();
});

const send = async (title: string) =>
	await fetch(`${sandbox.baseUrl}/locations/${sandbox.account.locations[0].id}/posts`, {
		method: 'POST',
		headers: {
			Authorization: `Bearer ${sandbox.keys.write}`,
			'Content-Type': 'application/json',
		},
		body: JSON.stringify({ title, content: 'From 8 to 12.' }),
	});

test('the sandbox shows its locations', async () => {
	await page.getByText(sandbox.account.locations[0].name).first().waitFor();
	await page.getByText('64').first().waitFor();
});

test('it shows its address and its API keys', async () => {
	const { baseUrl, keys } = sandbox;
	for (const text of [baseUrl, ...Object.values(keys)]) {
		await page.locator('#access').getByText(text, { exact: true }).waitFor();
	}
});

test('a post appears as it arrives, without a reload', async () => {
	await send('Open on Sunday');
	await page.getByText('Open on Sunday').waitFor();
});

test('a post is shown as text, whatever it contains', async () => {
	const title = '<img src=x onerror="document.title=\'taken\'"> & more';
	await send(title);
	await page.getByText(title).waitFor();
	expect(await page.title()).not.toBe('taken');
});

test('it can do what other services do', async () => {
	await page.getByLabel(/Answers 202/).check();
	await until('the habit', () => sandbox.habits.answers202);
	expect((await send('Open on Monday')).status).toBe(202);
	await page.getByText('Open on Monday').waitFor();
	sandbox.reset();
	await page.getByText('Open on Monday').waitFor({ state: 'detached' });
	expect(await page.getByLabel(/Answers 202/).isChecked()).toBe(false);
});
