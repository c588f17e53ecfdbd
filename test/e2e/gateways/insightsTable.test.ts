import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';

import { ROOT } from '../../../dev/n8n/home';
import { LOOPBACK } from '../../../dev/n8n/port';
import { type Postgres, startPostgres } from '../../../dev/n8n/stores';

// The SQL of docs/recipes.md in a real PostgreSQL, with rows upserted as n8n's own node does it.

const DOCS = readFileSync(join(ROOT, 'docs', 'recipes.md'), 'utf8');
const [makeTable, newKey, splitDays] = [...DOCS.matchAll(/```sql\n([^`]+)```/g)].map(
	([, statement]) => statement,
);
const stops: Array<() => Promise<void>> = [];
let postgres: Postgres;

beforeAll(async () => {
	postgres = await startPostgres({ atEnd: (stop) => void stops.push(stop) });
	await sql(makeTable);
}, 600_000);
afterAll(async () => {
	for (const stop of stops.reverse()) await stop();
});

async function sql(text: string): Promise<string> {
	const { port, user, password, psql } = postgres;
	const where = [
		'--host',
		LOOPBACK,
		'--port',
		`${port}`,
		'--username',
		user,
		'--dbname',
		'postgres',
	];
	const how = ['--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1', '--command', text];
	return (await execa({ env: { PGPASSWORD: password } })(psql, [...where, ...how])).stdout;
}

/** Writes rows of `location_id`, `date`, `views` and what else a key has. */
async function upsert(rows: Array<Array<string | number>>, more: string[] = []): Promise<void> {
	const key = ['location_id', 'date', ...more].join(', ');
	const values = rows.map((row) => `(${row.map((value) => `'${value}'`).join(', ')})`).join(', ');
	await sql(
		`INSERT INTO insights (${key}, views) VALUES ${values} ON CONFLICT (${key}) DO UPDATE SET views = excluded.views`,
	);
}
const table = async () =>
	(await sql('SELECT location_id, date, views FROM insights ORDER BY 1, 2, 3')).split('\n');

test('each day is there once, also after a device came and the key has it', async () => {
	const [monday, tuesday] = ['2026-03-02', '2026-03-03'];
	await upsert([
		['loc_1', monday, 3],
		['loc_2', monday, 5],
	]);
	await upsert([
		['loc_1', monday, 4],
		['loc_1', tuesday, 7],
	]);
	const days = ['loc_1|2026-03-02|4', 'loc_1|2026-03-03|7', 'loc_2|2026-03-02|5'];
	expect(await table()).toEqual(days);

	await sql(newKey);
	const split = ['mobile', 'desktop'].map((device, at) => ['loc_1', monday, device, at + 1]);
	for (let week = 0; week < 2; week++) await upsert(split, ['device']);
	await sql(splitDays);
	expect(await table()).toEqual(['loc_1|2026-03-02|1', 'loc_1|2026-03-02|2', ...days.slice(1)]);
});
