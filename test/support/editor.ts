import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectors, type Browser, type Locator, type Page } from '@playwright/test';

import { openBrowser } from './browser';
import type { RealN8n } from './n8n';

/** Where `npx gulp pictures` saves them; otherwise none are taken. */
export const IMAGES = process.env.PICTURES;

selectors.setTestIdAttribute('data-test-id');

/** n8n's editor in a browser, logged in, used as a person would. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly url: string,
		private readonly browser: Browser,
	) {}

	static async open(
		{ url, login }: RealN8n,
		viewport = { width: 1440, height: 900 },
	): Promise<Editor> {
		const browser = await openBrowser();
		const page = await browser.newPage({ viewport });
		page.setDefaultTimeout(60_000);
		// Otherwise n8n opens a dialog with an explanation behind the one that publishes a workflow.
		await page.addInitScript(() => localStorage.setItem('N8N_HIDE_ACTIVATION_ALERT', 'true'));
		await page.request.post(`${url}/rest/login`, {
			data: { emailOrLdapLoginId: login.email, password: login.password },
		});
		return new Editor(page, url, browser);
	}

	async close(): Promise<void> {
		await this.browser.close();
	}

	async goTo(path: string): Promise<void> {
		await this.page.goto(this.url + path);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await this.page.getByTestId('execute-workflow-button').waitFor();
	}

	nodeOf(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<void> {
		await this.nodeOf(name).dblclick({ force: true }); // it has no size of its own
		await this.page.getByTestId('output-panel').waitFor();
	}

	/** Runs the workflow and waits for its last node. */
	async executeWorkflow(lastNode: string): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.nodeOf(lastNode).getByTestId('canvas-node-status-success').waitFor();
		await this.closeToasts();
	}

	/** Adds the Local SEO node after the last node, by its action. */
	async addNode(action: string, picture?: string): Promise<void> {
		const { page } = this;
		await page.getByTestId('canvas-handle-plus').last().click();
		await page.getByTestId('node-creator-search-bar').fill('local seo');
		const items = page.getByTestId('item-iterator-item');
		await items.filter({ hasText: 'Local SEO' }).first().click();
		await items.filter({ hasText: action }).waitFor();
		if (picture) await this.picture(picture, page.getByTestId('node-creator'));
		await items.filter({ hasText: action }).click();
		await page.getByTestId('output-panel').waitFor();
	}

	/** An empty canvas. */
	async newWorkflow(): Promise<void> {
		await this.goTo('/workflow/new');
		await this.page.getByTestId('canvas-plus-button').waitFor();
	}

	/** Adds the Local SEO node to an empty canvas, by its action, and waits for its fields. */
	async addFirstNode(action: string): Promise<void> {
		const { page } = this;
		await page.getByTestId('canvas-plus-button').click();
		await page.getByTestId('node-creator-search-bar').fill('local seo');
		const items = page.getByTestId('item-iterator-item');
		await items.filter({ hasText: 'Local SEO' }).first().click();
		// The triggers come first here, and the list of actions is closed.
		await page.getByText(/^Actions \(/).click();
		await items.filter({ hasText: action }).first().click();
		await this.mappedFields().waitFor();
	}

	/** Creates the first credential from the open node. */
	async createCredential(baseUrl: string, apiKey: string): Promise<void> {
		await this.page.getByText('Connect to Local SEO').click();
		await this.parameter('baseUrl').locator('input').fill(baseUrl);
		await this.parameter('apiKey').locator('input').fill(apiKey);
		const save = this.page.getByTestId('credential-save-button');
		await save.click();
		await save.waitFor({ state: 'hidden' });
		await this.page.getByTestId('node-credentials-select').waitFor();
		await this.closeToasts();
	}

	/** The column mapper, where it shows fields. */
	mappedFields(): Locator {
		return this.page.getByTestId('mapping-fields-container');
	}

	async fieldLabels(): Promise<string[]> {
		const labels = await this.mappedFields().locator('.parameter-item label').allInnerTexts();
		return labels.map((label) => label.split('\n')[0].trim());
	}

	async chooseCredential(name: string): Promise<void> {
		await this.page.getByTestId('node-credentials-select').click();
		await this.page.locator('.el-select-dropdown__item:visible').getByText(name).click();
	}

	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	/** Searches in a list and picks the first result. */
	async pick(name: string, search: string, picture?: string): Promise<void> {
		await this.parameter(name).locator('input').last().click();
		await this.page.getByTestId('rlc-search').fill(search);
		await this.page.waitForTimeout(1_000); // the editor waits for the end of typing
		await this.page.getByTestId('rlc-item').first().waitFor();
		if (picture) await this.picture(picture);
		await this.page.getByTestId('rlc-item').first().click();
	}

	/** How the value of a resource locator is given: "From List", "By ID" or "Name". */
	async chooseMode(name: string, mode: string): Promise<void> {
		await this.parameter(name).getByTestId('rlc-mode-selector').click();
		await this.page.locator('.el-select-dropdown__item:visible').getByText(mode).click();
	}

	/** What Options offers, in its order. */
	async optionsOffered(): Promise<string[]> {
		// The tab of settings has such a list too, which is hidden, and there before this one.
		const add = this.page.getByTestId('collection-parameter-add').filter({ visible: true });
		await add.click();
		const options = this.page.locator('.el-select-dropdown__item:visible');
		await options.first().waitFor();
		return (await options.allInnerTexts()).map((text) => text.trim());
	}

	async addOption(name: string): Promise<void> {
		await this.optionsOffered();
		const options = this.page.locator('.el-select-dropdown__item:visible');
		await options.getByText(name, { exact: true }).click();
	}

	/** Sends the incoming columns as they are. */
	async mapAutomatically(): Promise<void> {
		await this.leaveField();
		await this.page.getByTestId('mapping-mode-select').click();
		const modes = this.page.locator('.el-select-dropdown__item:visible');
		await modes.getByText('Map Automatically').click();
	}

	/** Closes what n8n shows of an expression above the fields below it, a moment after one was drawn. */
	private async leaveField(): Promise<void> {
		const result = this.page.getByTestId('inline-expression-editor-output');
		for (let calm = 0; calm < 3; calm++) {
			await this.page.waitForTimeout(200);
			if (!(await result.isVisible())) continue;
			await this.page.evaluate(() => (document.activeElement as HTMLElement).blur());
			await result.waitFor({ state: 'hidden' });
			calm = 0;
		}
	}

	/** Drags a column of the incoming data onto a field; tries again if the panel moved meanwhile. */
	async map(column: string, field: string): Promise<void> {
		const mapped = this.parameter(field).getByText(`$json.${column}`);
		for (let draws = 1; draws < 5; draws++) {
			await this.draw(column, field);
			const isMapped = await mapped.waitFor({ timeout: 15_000 }).then(
				() => true,
				() => false,
			);
			if (isMapped) return;
		}
		await this.picture('not-mapped');
		throw new Error(`the column ${column} can not be drawn to ${field}`);
	}

	private async draw(column: string, field: string): Promise<void> {
		const { mouse } = this.page;
		const source = this.page.getByTestId('ndv-input-panel').getByText(column, { exact: true });
		// The first input of a resource locator is its mode.
		const target = this.parameter(field).locator('input, textarea').last();
		await target.scrollIntoViewIfNeeded();
		await this.page.waitForTimeout(500); // what moves comes to rest
		const from = (await source.first().boundingBox())!;
		const to = (await target.boundingBox())!;
		await mouse.move(from.x + 5, from.y + 5);
		await mouse.down();
		await mouse.move(from.x + 40, from.y + 20, { steps: 5 });
		await mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 15 });
		await this.page.waitForTimeout(200);
		await mouse.up();
	}

	/** Runs the open node and returns the text of its output panel. */
	async executeStep(): Promise<Locator> {
		const started = this.page.waitForResponse((response) => response.url().endsWith('/run'));
		await this.page.getByTestId('node-execute-button').first().click();
		await started;
		const output = this.page.getByTestId('output-panel');
		// The notification that says the same may be gone before anyone looks.
		// In its place n8n may say that the node was changed since: opening a node loads its columns.
		await output
			.getByTestId(/^node-run-(status|info)-/)
			.first()
			.waitFor();
		await this.closeToasts();
		return output;
	}

	/** Closes n8n's notifications. */
	async closeToasts(): Promise<void> {
		for (const close of await this.page.locator('.el-notification__closeBtn').all()) {
			await close.click({ timeout: 1_000 }).catch(() => undefined); // gone by itself
		}
	}

	/** @param part what the picture shows; the whole window without it */
	async picture(name: string, part?: Locator): Promise<void> {
		await takePicture(this.page, name, part);
	}
}

/** Pixels around a part. */
const MARGIN = 16;

/** Takes a picture of a page, or a part of it, for the documentation. */
export async function takePicture(page: Page, name: string, part?: Locator): Promise<void> {
	if (!IMAGES) return;
	mkdirSync(IMAGES, { recursive: true });
	await page.waitForTimeout(800); // animations end
	const box = await part?.first().boundingBox();
	const clip = box && {
		x: Math.max(0, box.x - MARGIN),
		y: Math.max(0, box.y - MARGIN),
		width: box.width + 2 * MARGIN,
		height: box.height + 2 * MARGIN,
	};
	const image = await page.screenshot({
		path: join(IMAGES, `${name}.png`),
		clip: clip ?? undefined,
	});
	expect(image.length).toBeGreaterThan(2_000);
}
