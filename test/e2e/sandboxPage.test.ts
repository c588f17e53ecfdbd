import type { Page } from '@playwright/test';

import { until } from '../../dev/n8n/until';
import { startSandbox, type Sandbox } from '../../dev/sandbox';
import { openPage } from '../support/n8n';

/** The page that `npm start` opens beside n8n: it stands in for the service's dashboard. */
let sandbox: Sandbox;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	page = await openPage();
	await page.goto(sandbox.origin);
});
afterAll(async () => {
	await page?.close();
	await sandbox?.close();
});

const anyLocation = () => sandbox.account.locations[0];
const card = (title: string) => page.locator('article', { hasText: title });
const add = (title: string, publish_at?: string) =>
	sandbox.account.addPost(anyLocation(), {
		...{ title, content: 'From 8 to 12.' },
		...(publish_at && { publish_at }),
	});

test('it shows the locations, its address and its API keys', async () => {
	await page.getByText(anyLocation().name).first().waitFor();
	await page.getByText('64').first().waitFor();
	for (const text of [sandbox.baseUrl, ...Object.values(sandbox.keys)]) {
		await page.locator('#access').getByText(text, { exact: true }).waitFor();
	}
});

test('a post appears without a reload, as text, whatever it contains', async () => {
	const title = '<img src=x onerror="document.title=\'taken\'"> & more';
	add(title);
	await card(title).getByText('published', { exact: true }).waitFor();
	expect(await page.title()).not.toBe('taken');
});

test('a post is published by a button, or when it is due', async () => {
	add('In an hour', new Date(Date.now() + 3_600_000).toISOString());
	const scheduled = card('In an hour');
	await scheduled.getByText(/^scheduled for/).waitFor();
	await scheduled.getByRole('button', { name: 'publish now' }).click();
	await scheduled.getByText('published', { exact: true }).waitFor();
	expect(await scheduled.getByRole('button').count()).toBe(0);
	add('In a moment', new Date(Date.now() + 2_000).toISOString());
	await card('In a moment').getByText('published', { exact: true }).waitFor();
});

test('a rank can be dropped, and keywords be scanned', async () => {
	const location = anyLocation();
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
