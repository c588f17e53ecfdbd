import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, posts, type PostRow } from '../../examples/posts';
import { readTime } from '../../nodes/LocalSeo/rows/read/time';

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

const FORMAT = { name: 'publish_at', zone: 'UTC', order: 'ask', isOfDays: false } as const;

/** Rows with their times as instants, by the clocks of the demo's time zone. */
const dated = (rows: unknown[]) =>
	(rows as PostRow[]).map((row) => {
		const at: unknown = row.publish_at;
		if (at === '') return row;
		const instant =
			at instanceof Date
				? Math.round(at.getTime() / 1000) * 1000
				: Date.parse(readTime(at, FORMAT));
		return { ...row, publish_at: instant };
	});

describe('the example spreadsheets', () => {
	it('hold the same forty rows, in CSV and in Excel', async () => {
		expect(posts).toHaveLength(40);
		expect(dated(rowsOfCsv())).toEqual(dated(posts));
		expect(dated(await rowsOfXlsx())).toEqual(dated(posts));
	});

	it('have times as people write them, and as Excel keeps them', async () => {
		const written = rowsOfCsv().map(({ publish_at }) => publish_at.replace(/\d+/g, '#'));
		for (const spelling of ['#.#.# #:#', '#-#-# #:#', 'Apr #, # #:# AM', '#.#.#', '']) {
			expect(written).toContain(spelling);
		}
		const kept = (await rowsOfXlsx()) as Array<{ publish_at: unknown }>;
		expect(kept.filter(({ publish_at }) => publish_at instanceof Date)).toHaveLength(33);
	});

	it('contain what makes a CSV file hard to read', () => {
		const text = posts.map(({ title, content }) => title + content).join('');
		for (const hard of [',', ';', '"', '\n', 'ü', 'é', '¿', '–', '🐣', '%']) {
			expect(text).toContain(hard);
		}
		expect(COLUMNS.some((column) => posts.some((post) => post[column] === ''))).toBe(true);
	});
});
