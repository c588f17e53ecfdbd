/** A table in Markdown; figures, in all columns but the first, are aligned to the right. Prettier pads it. */
export function tableOf(head: string[], rows: Array<Array<string | number>>): string {
	const rule = head.map((_, column) => (column > 0 ? '--:' : '---'));
	const line = (cells: Array<string | number>) => `| ${cells.join(' | ')} |`;
	return [head, rule, ...rows].map(line).join('\n');
}
