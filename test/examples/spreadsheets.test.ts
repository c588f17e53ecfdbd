import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, posts, type PostRow } from '../../examples/posts';

const EXAMPLES = join(__dirname, '..', '..', 'examples');

function rowsOfCsv(): PostRow[] {
	return parse(readFileSync(join(EXAMPLES, 'posts.csv')), { columns: true, bom: true });
}

async function rowsOfXlsx(): Promise<unknown[]> {
	const { readSheet } = await import('read-excel-file/node');
	const [header, ...rows] = await readSheet(join(EXAMPLES, 'posts.xlsx'));
	return rows.map((cells) =>
		Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])),
	);
}

describe('the example spreadsheets', () => {
	it('hold the same forty rows, in CSV and in Excel', async () => {
		expect(posts).toHaveLength(40);
		expect(rowsOfCsv()).toEqual(posts);
		expect(await rowsOfXlsx()).toEqual(posts);
	});

	it('contain what makes a CSV file hard to read', () => {
		const text = posts.map(({ title, content }) => title + content).join('');
		for (const hard of [',', ';', '"', '\n', 'ü', 'é', '¿', '–', '🐣', '%']) {
			expect(text).toContain(hard);
		}
		expect(COLUMNS.some((column) => posts.some((post) => post[column] === ''))).toBe(true);
	});
});
