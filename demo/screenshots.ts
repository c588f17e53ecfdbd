import { chromium, selectors, type Locator, type Page } from '@playwright/test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CHROMIUM } from './browser';
import { ROOT } from './home';
import { LOGIN, logIn } from './rest';

/**
 * Takes the pictures of the documentation from a running demo:
 * `CHROMIUM=<the browser's program> npx tsx demo/screenshots.ts`, or without it Playwright's own.
 */
const { values: flags } = parseArgs({
	options: {
		url: { type: 'string', default: 'http://127.0.0.1:5678' },
		sandbox: { type: 'string', default: 'http://127.0.0.1:4010' },
	},
});

const IMAGES = join(ROOT, 'docs', 'images');
async function shoot(page: Page, name: string): Promise<void> {
	await page.mouse.move(1100, 40, { steps: 20 }); // where hovering shows nothing; leaving what did
	await page.waitForTimeout(1_500); // animations end, toasts of a moment go
	await page.screenshot({ path: join(IMAGES, `${name}.png`) });
	console.log(`docs/images/${name}.png`);
}

/** Closes what n8n shows in a corner after a run. */
async function closeToasts(page: Page): Promise<void> {
	for (const close of await page.locator('.el-notification__closeBtn').all()) {
		await close.click({ timeout: 1_000 }).catch(() => undefined); // gone by itself
	}
}

function nodeOf(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

async function openWorkflow(page: Page, id: string): Promise<void> {
	await page.goto(`${flags.url}/workflow/${id}`);
	await page.getByTestId('execute-workflow-button').waitFor();
	await page.waitForTimeout(2_000);
}

/** Runs the open workflow in the editor and waits for its last node. */
async function execute(page: Page, lastNode: string): Promise<void> {
	await page.getByTestId('execute-workflow-button').click();
	await nodeOf(page, lastNode)
		.getByTestId('canvas-node-status-success')
		.waitFor({ timeout: 60_000 });
	await closeToasts(page);
	await page.getByTestId('zoom-to-fit').click();
}

async function main(): Promise<void> {
	selectors.setTestIdAttribute('data-test-id');
	mkdirSync(IMAGES, { recursive: true });
	const rest = await logIn(flags.url, flags.url);
	const workflows = await rest.get<Array<{ id: string; name: string }>>('/workflows');
	const idOf = (name: string) => workflows.find((workflow) => workflow.name === name)!.id;

	const browser = await chromium.launch(CHROMIUM);
	const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
	await page.goto(flags.sandbox);
	await shoot(page, 'sandbox');

	await page.request.post(`${flags.url}/rest/login`, {
		data: { emailOrLdapLoginId: LOGIN.email, password: LOGIN.password },
	});
	await page.goto(`${flags.url}/home/credentials`);
	await page.getByText('Local SEO sandbox').first().click();
	await page.getByRole('dialog').getByText('successfully').waitFor();
	await shoot(page, 'credential');
	await page.keyboard.press('Escape');

	await openWorkflow(page, idOf('Posts from a spreadsheet'));
	await execute(page, 'Save posts-results.csv');
	await shoot(page, 'posts-from-spreadsheet');
	await nodeOf(page, 'Create the post').dblclick({ force: true }); // it has no size of its own
	await page.getByTestId('output-panel').waitFor();
	await shoot(page, 'node-panel');
	await page.keyboard.press('Escape');

	await openWorkflow(page, idOf('Insights to a table'));
	await execute(page, 'Save insights.csv');
	await shoot(page, 'insights-export');

	await browser.close();
}

void main();
