/** A table in Markdown; figures, in all columns but the first, are aligned to the right. Prettier pads it. */
export function tableOf(head: string[], rows: Array<Array<string | number>>): string {
	const rule = head.map((_, column) => (column > 0 ? '--:' : '---'));
	const line = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
	return [head, rule, ...rows].map(line).join('\n');
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
