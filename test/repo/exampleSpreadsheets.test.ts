import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { EXAMPLES } from '../../dev/n8n/home';
import { posts, type PostRow } from '../../examples/posts';
import { readTime } from '../../nodes/LocalSeo/rows/read/time';

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
		const isDate = at instanceof Date;
		const instant = isDate
			? Math.round(at.getTime() / 1000) * 1000
			: Date.parse(readTime(at, FORMAT));
		return { ...row, publish_at: instant };
	});

test('both example spreadsheets hold the same forty rows, with what makes a file hard to read', async () => {
	const csv = parse(readFileSync(join(EXAMPLES, 'posts.csv')), { columns: true, bom: true });
	expect(posts).toHaveLength(40);
	expect(dated(csv)).toEqual(dated(posts));
	expect(dated(await rowsOfXlsx())).toEqual(dated(posts));
	const text = posts.map(({ title, content }) => title + content).join('');
	for (const hard of [',', ';', '"', '\n', 'ü', 'é', '¿', '–', '🐣', '%']) {
		expect(text).toContain(hard);
	}
	const written = (csv as PostRow[]).map(({ publish_at }) => publish_at.replace(/\d+/g, '#'));
	for (const spelling of ['#.#.# #:#', '#-#-# #:#', 'Apr #, # #:# AM', '#.#.#', '']) {
		expect(written).toContain(spelling);
	}
});
