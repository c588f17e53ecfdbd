import type { Browser, Page } from '@playwright/test';

import { startSandbox, type Sandbox } from '../../dev/sandbox';
import { openBrowser } from '../support/browser';
import { until } from '../../dev/n8n/until';

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

test('a post has its state, and is published by a button, or when it is due', async () => {
	const publish_at = new Date(Date.now() + 3_600_000).toISOString();
	const [location] = sandbox.account.locations;
	const card = (title: string) => page.locator('article', { hasText: title });
	sandbox.account.addPost(location, { title: 'At once', content: 'A' });
	await card('At once').getByText('published', { exact: true }).waitFor();
	sandbox.account.addPost(location, { title: 'In an hour', content: 'A', publish_at });
	await card('In an hour')
		.getByText(/^scheduled for/)
		.waitFor();
	await card('In an hour').getByRole('button', { name: 'publish now' }).click();
	await card('In an hour').getByText('published', { exact: true }).waitFor();
	expect(await card('In an hour').getByRole('button').count()).toBe(0);
	const soon = new Date(Date.now() + 2_000).toISOString();
	sandbox.account.addPost(location, { title: 'In a moment', content: 'A', publish_at: soon });
	await card('In a moment').getByText('published', { exact: true }).waitFor();
});

test('a rank can be dropped, and keywords be scanned', async () => {
	const [location] = sandbox.account.locations;
	const row = page.locator(`#list li[title="${location.id}"]`);
	const [{ id }] = sandbox.account.keywordsOf(location.id);
	const { rank_score } = location;
	const scans = sandbox.account.scansOf(id).length;
	await row.getByRole('button', { name: 'drop the rank' }).click();
	await until('the drop', () => location.rank_score < rank_score);
	await row.getByText(`rank score ${location.rank_score}`).waitFor();
	await row.getByRole('button', { name: 'scan now' }).click();
	await until('the scan', () => sandbox.account.scansOf(id).length === scans + 1);
});
