type Cells = Array<string | number>;

const row = (cells: Cells) => `| ${cells.join(' | ')} |`;

/** A table in Markdown; all columns but the first are aligned to the right. */
export function tableOf(head: string[], rows: Cells[]): string {
	const line = head.map((_, column) => (column === 0 ? '---' : '---:'));
	return [row(head), row(line), ...rows.map(row)].join('\n');
}

/** The page with another text between its markers. */
export function withBlock(page: string, name: string, text: string): string {
	const [before, , after] = partsOf(page, name);
	return `${before}<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->${after}`;
}

function partsOf(page: string, name: string): string[] {
	const [before, rest = ''] = page.split(`<!-- ${name} -->`);
	const [block, after] = rest.split(`<!-- /${name} -->`);
	if (after === undefined) throw new Error(`The page has no <!-- ${name} --> markers`);
	return [before, block, after];
}
