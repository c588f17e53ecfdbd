import { stringify } from 'csv-stringify/sync';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, posts } from '../examples/posts';

const EXAMPLES = join(__dirname, '..', 'examples');

/** Writes posts.csv and posts.xlsx with the rows of posts.ts: `npx tsx tools/spreadsheets.ts` */
async function make(): Promise<void> {
	// Excel reads a CSV file as UTF-8 only if it begins with a byte order mark.
	const csv = stringify(posts, { header: true, columns: [...COLUMNS], bom: true });
	writeFileSync(join(EXAMPLES, 'posts.csv'), csv);

	const { default: writeXlsxFile } = await import('write-excel-file/node');
	const header = COLUMNS.map((column) => ({ value: column, fontWeight: 'bold' as const }));
	const cells = posts.map((post) =>
		COLUMNS.map((column) => (post[column] === '' ? null : { value: post[column], type: String })),
	);
	await writeXlsxFile([header, ...cells], {
		sheet: 'Posts',
		columns: COLUMNS.map((column) => ({ width: column === 'content' ? 80 : 28 })),
	}).toFile(join(EXAMPLES, 'posts.xlsx'));
}

void make();
