import type { Page } from '@playwright/test';

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
