import type { Editor } from '../support/editor';

/** Chooses a value of a parameter with a list of values, by its name there. */
export async function choose(editor: Editor, name: string, value: string): Promise<void> {
	await editor.parameter(name).locator('input').click();
	const values = editor.page.locator('.el-select-dropdown__item:visible');
	await values.getByText(value, { exact: true }).click();
}

/** Turns a parameter on or off. */
export async function turn(editor: Editor, name: string): Promise<void> {
	await editor.parameter(name).locator('.el-switch').click();
}
