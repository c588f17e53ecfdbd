import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COLUMNS, posts, type PostRow } from '../../examples/posts';
import { startSandbox, type Sandbox } from '../../sandbox';

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
	let sandbox: Sandbox;

	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	afterAll(async () => await sandbox.close());

	it('hold the same forty rows, in CSV and in Excel', async () => {
		expect(posts).toHaveLength(40);
		expect(rowsOfCsv()).toEqual(posts);
		expect(await rowsOfXlsx()).toEqual(posts);
	});

	it('name only locations that the sandbox has, each several times', () => {
		const named = new Set(posts.map(({ location_id }) => location_id));
		for (const id of named) {
			expect(sandbox.account.location(id)).toBeDefined();
			expect(posts.filter(({ location_id }) => location_id === id).length).toBeGreaterThan(1);
		}
	});

	it('have no two rows with the same title for a location, so that posts can be distinguished', () => {
		const titles = posts.map(({ location_id, title }) => `${location_id} ${title}`);
		expect(new Set(titles).size).toBe(posts.length);
	});

	it('contain what makes a CSV file hard to read', () => {
		const text = posts.map(({ title, content }) => title + content).join('');
		for (const hard of [',', ';', '"', '\n', 'ü', 'é', '¿', '–', '🐣', '%']) {
			expect(text).toContain(hard);
		}
		expect(COLUMNS.some((column) => posts.some((post) => post[column] === ''))).toBe(true);
	});
});
