type Cells = Array<string | number>;

const row = (cells: Cells) => `| ${cells.join(' | ')} |`;

/** A table in Markdown; all columns but the first are aligned to the right. */
export function tableOf(head: string[], rows: Cells[]): string {
	const line = head.map((_, column) => (column === 0 ? '---' : '---:'));
	return [row(head), row(line), ...rows.map(row)].join('\n');
}
