import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectors, type Locator, type Page, type ViewportSize } from '@playwright/test';

import type { INode } from 'n8n-workflow';

import { until } from '../../dev/n8n/until';
import { inARow, step } from '../../dev/n8n/workflow';
import { openPage, type RealN8n } from './n8n';

/** Where `npx gulp pictures` saves them; otherwise none are taken. */
export const IMAGES = process.env.PICTURES;

/** The name of the node that has the rows. */
export const SHEET = 'Rows of the sheet';

selectors.setTestIdAttribute('data-test-id');

/** False if it does not show within milliseconds. */
const isShown = async (what: Locator, timeout = 60_000) =>
	await what.waitFor({ timeout }).then(
		() => true,
		() => false,
	);

/** n8n's editor in a browser, logged in, used as a person would. */
export class Editor {
	private constructor(
		readonly page: Page,
		private readonly n8n: RealN8n,
	) {}

	static async open(n8n: RealN8n, viewport?: ViewportSize): Promise<Editor> {
		const { url, login } = n8n;
		const page = await openPage(viewport);
		// Otherwise n8n opens a dialog with an explanation behind the one that publishes a workflow.
		await page.addInitScript(() => localStorage.setItem('N8N_HIDE_ACTIVATION_ALERT', 'true'));
		const session = await page.request.get(`${url}/rest/login`);
		if (!session.ok()) {
			await page.request.post(`${url}/rest/login`, {
				data: { emailOrLdapLoginId: login.email, password: login.password },
			});
		}
		return new Editor(page, n8n);
	}

	/** The next one, in the same browser, finds nothing that this one has set. */
	async close(): Promise<void> {
		await this.page.goto(`${this.n8n.url}/healthz`); // a form would not show it
		await this.page.evaluate(() => localStorage.clear());
		await this.page.close();
	}

	/**
	 * Acts until it shows: as a person does whose click was lost, and not before a busy machine had the time to
	 * show it, since a click on what has just opened may close it again.
	 */
	private async actUntil(shown: Locator, act: () => Promise<unknown>): Promise<void> {
		for (let tries = 1; tries < 4; tries++) {
			await act();
			if (await isShown(shown.first())) return;
		}
		await act();
		await shown.first().waitFor();
	}

	/** Chooses a value in a list that opens at a click. */
	private async select(control: Locator, value: string): Promise<void> {
		const items = this.page.locator('.el-select-dropdown__item:visible');
		const item = items.getByText(value, { exact: true });
		await this.actUntil(item, async () => await control.click());
		await item.click();
	}

	/** Chooses a value of a parameter with a list of values, by its name there. */
	async choose(name: string, value: string): Promise<void> {
		await this.select(this.parameter(name).locator('input'), value);
	}

	/** Chooses how a location is given. */
	async chooseMode(mode: string): Promise<void> {
		await this.select(this.page.getByTestId('rlc-mode-selector'), mode);
	}

	/** Turns a parameter on or off. */
	async turn(name: string): Promise<void> {
		await this.parameter(name).locator('.el-switch').click();
	}

	/**
	 * Opens a page of the editor: as a link in it does, since to load its scripts again takes ten times as long.
	 * A workflow is left for the list of them, without saving: its canvas could be taken for the next one's.
	 */
	async goTo(path: string): Promise<void> {
		const { page, n8n } = this;
		if (!page.url().startsWith(n8n.url)) return void (await page.goto(n8n.url + path));
		if (page.url().includes('/workflow/')) {
			if (await page.getByTestId('output-panel').isVisible()) await this.closeNode();
			await this.follow('/home/workflows');
			const list = page.getByTestId('resources-list-wrapper');
			const leave = page.getByRole('button', { name: 'Leave without saving' });
			await list.or(leave).first().waitFor();
			if (await leave.isVisible()) await leave.click();
			await list.waitFor();
		}
		await this.follow(path);
	}

	private async follow(path: string): Promise<void> {
		await this.page.evaluate((to) => {
			history.pushState(null, '', to);
			dispatchEvent(new PopStateEvent('popstate', { state: null }));
		}, path);
	}

	async openWorkflow(id: string): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await this.page.getByTestId('execute-workflow-button').waitFor();
	}

	/** Saves a workflow and opens it: a manual trigger, and these nodes after it. */
	async openSteps(...steps: INode[]): Promise<void> {
		const start = step('Start', 'n8n-nodes-base.manualTrigger', 1, {});
		const workflow = inARow('My workflow', [start, ...steps]);
		const { id } = await this.n8n.rest.post<{ id: string }>('/workflows', workflow);
		await this.openWorkflow(id);
	}

	/** Opens a workflow with a sheet that has just been read, and these nodes after it. */
	async openSheet(rows: object[], ...steps: INode[]): Promise<void> {
		const jsCode = `return ${JSON.stringify(rows.map((json) => ({ json })))};`;
		await this.openSteps(step(SHEET, 'n8n-nodes-base.code', 2, { jsCode }), ...steps);
		await this.openNode(SHEET);
		await this.executeStep();
		await this.closeNode();
	}

	nodeOf(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	async openNode(name: string): Promise<void> {
		const panel = this.page.getByTestId('output-panel');
		await this.actUntil(panel, async () => await this.nodeOf(name).dblclick());
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('output-panel').waitFor({ state: 'hidden' });
	}

	/** Runs the workflow and waits for its last node. */
	async executeWorkflow(lastNode: string): Promise<void> {
		await this.page.getByTestId('execute-workflow-button').click();
		await this.nodeOf(lastNode).getByTestId('canvas-node-status-success').waitFor();
		await this.closeToasts();
	}

	/** Opens n8n's list of nodes, searches in it, and opens Local SEO there. */
	private async findNode(plus: Locator, search: string): Promise<void> {
		const box = this.page.getByTestId('node-creator-search-bar');
		await this.actUntil(box, async () => await plus.click());
		await box.fill(search);
		await this.creatorItem('Local SEO').click();
	}

	creatorItem(text: string): Locator {
		return this.page.getByTestId('item-iterator-item').filter({ hasText: text }).first();
	}

	async publish(): Promise<void> {
		const button = this.page.getByRole('dialog').getByRole('button', { name: 'Publish' });
		const open = this.page.getByTestId('workflow-open-publish-modal-button');
		await this.actUntil(button, async () => await open.click());
		await button.click();
		// n8n may open another one after it.
		await button.waitFor({ state: 'hidden' });
	}

	/** Adds the Local SEO node after the last node, by its action. */
	async addNode(action: string, picture?: string): Promise<void> {
		await this.findNode(this.page.getByTestId('canvas-handle-plus').last(), 'local seo');
		await this.creatorItem(action).waitFor();
		if (picture) await this.picture(picture, this.page.getByTestId('node-creator'));
		await this.creatorItem(action).click();
		await this.page.getByTestId('output-panel').waitFor();
	}

	/** Adds the node to an empty canvas, by its action, or the trigger, by its event. */
	async addFirst(what: 'action' | 'event', search: string, name: string): Promise<void> {
		await this.goTo('/workflow/new');
		const plus = this.page.getByTestId('canvas-plus-button');
		await plus.waitFor();
		await this.findNode(plus, search);
		// The triggers come first here, and the list of actions is closed.
		if (what === 'action') await this.page.getByText(/^Actions \(/).click();
		await this.creatorItem(name).click();
		await this.page.getByTestId('output-panel').waitFor();
	}

	/** Creates the first credential from the open node. */
	async createCredential(baseUrl: string, apiKey: string): Promise<void> {
		await this.page.getByText('Connect to Local SEO').click();
		// n8n gives it a name, and refuses to save it before that.
		await this.page.getByTestId('credential-name').waitFor();
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

	/** Where n8n has asked for the fields before it gave the new node its credential, a person clicks once more. */
	async readFields(): Promise<number> {
		const retry = this.page.getByText('Retry', { exact: true });
		await this.mappedFields().or(retry).first().waitFor();
		const isMissing = await retry.isVisible();
		if (isMissing) await retry.click();
		await this.mappedFields().waitFor();
		return isMissing ? 1 : 0;
	}

	async fieldLabels(): Promise<string[]> {
		const labels = await this.mappedFields().locator('.parameter-item label').allInnerTexts();
		return labels.map((label) => label.split('\n')[0].trim());
	}

	async chooseCredential(name: string): Promise<void> {
		await this.select(this.page.getByTestId('node-credentials-select'), name);
	}

	parameter(name: string): Locator {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async pick(name: string, search: string, result: RegExp, picture?: string): Promise<void> {
		const box = this.page.getByTestId('rlc-search');
		const control = this.parameter(name).locator('input').last();
		await this.actUntil(box, async () => await control.click());
		await box.fill(search);
		const found = this.page.getByTestId('rlc-item').filter({ hasText: result }).first();
		await found.waitFor();
		if (picture) await this.picture(picture);
		await found.click();
	}

	/** Drags a column of the incoming data onto a field. */
	async map(column: string, field: string): Promise<void> {
		const mapped = this.parameter(field)
			.getByText(/\$json[.[]/)
			.filter({ hasText: column });
		// The panel may have moved meanwhile.
		await this.actUntil(mapped, async () => await this.draw(column, field));
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

	/**
	 * Runs the open node and returns its output panel. An editor that does not hear of the end, as of a run that
	 * is over before it knows of it, waits forever: then the node is run again, as a person would.
	 */
	async executeStep(): Promise<Locator> {
		const output = this.page.getByTestId('output-panel');
		for (let runs = 1; ; runs++) {
			const started = this.page.waitForResponse((response) => response.url().endsWith('/run'));
			await this.page.getByTestId('node-execute-button').first().click();
			const { data } = (await (await started).json()) as { data?: { executionId: string } };
			// n8n refuses a run (500) that begins before the data of the node before it is there.
			if (data)
				await until('the end of the run', async () => await this.hasEnded(data.executionId));
			// The notification that says the same may be gone before anyone looks.
			// In its place n8n may say that the node was changed since: opening a node loads its columns.
			const status = output.getByTestId(/^node-(run-(status|info)|error)-/).first();
			if (await isShown(status, data ? 15_000 : 1_000)) break;
			if (runs === 4) throw new Error('the editor does not show the end of the run');
		}
		await this.closeToasts();
		return output;
	}

	private async hasEnded(executionId: string): Promise<boolean> {
		const { status } = await this.n8n.rest.get<{ status: string }>(`/executions/${executionId}`);
		return status !== 'new' && status !== 'running';
	}

	async closeToasts(): Promise<void> {
		for (const close of await this.page.locator('.el-notification__closeBtn').all()) {
			await close.click({ timeout: 1_000 }).catch(() => undefined); // gone by itself
		}
	}

	/** @param part what the picture shows; the whole window without it */
	async picture(name: string, part?: Locator): Promise<void> {
		await this.closeToasts();
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
