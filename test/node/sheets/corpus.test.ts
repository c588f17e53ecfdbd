import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Fields, useBackend } from '../ordinary/backend';
import { fill, nodeFor, outcomeOf, type Sheet } from './judge';

const FOLDER = join(__dirname, 'corpus');
const sheets = readdirSync(FOLDER)
	.filter((name) => /^s\d.*\.json$/.test(name))
	.map((name) => JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Sheet);

const backend = useBackend();
const counts = { right: 0, asked: 0, wrong: 0 };

test('there are sheets', () => expect(sheets.length).toBeGreaterThan(45));

test.each(sheets.map((sheet) => [sheet.id, sheet] as const))('%s', async (_, sheet) => {
	const sent: Array<Array<{ to?: string; fields: Fields }>> = sheet.items.map(() => []);
	const service = backend();
	fill(service);
	const parameters = await nodeFor(sheet, service);
	const verdicts: string[] = [];
	// Rows are told apart by the order in which they come out: each has one item here.
	const settings = { onError: 'continueRegularOutput' as const };
	const { json, items } = await service.run(parameters, sheet.items, {
		settings,
		timezone: sheet.zone,
	});
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		sheet.items.map((_, item) => ({ item })),
	);
	const posts = service.calls.filter(({ method }) => method === 'POST');
	for (const { id, fields } of posts) {
		const made = service.records.posts.find(
			(post) =>
				post.location_id === id && Object.keys(fields).every((name) => post[name] === fields[name]),
		);
		const row = json.findIndex((item) => item.id === made?.id && item.skipped !== true);
		(sent[row] ?? (verdicts.push(`sent for no row: ${JSON.stringify(fields)}`), [])).push({
			to: id,
			fields,
		});
	}
	for (const [row, expected] of sheet.expect.entries()) {
		const outcome = outcomeOf(expected, json[row], sent[row], sheet);
		counts[outcome.is]++;
		if (process.env.SHOW && outcome.is === 'asked')
			console.log(sheet.id, row + 1, JSON.stringify(expected), JSON.stringify(json[row].error));
		if (outcome.is === 'wrong') verdicts.push(`row ${row + 1}: ${outcome.why}`);
	}
	expect(verdicts).toEqual([]);
});

test('three of four rows come to what their author meant, without a question', () => {
	const all = counts.right + counts.asked + counts.wrong;
	expect(counts.right / all).toBeGreaterThanOrEqual(0.75);
});
