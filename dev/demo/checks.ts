import type { PostRow } from '../../examples/posts';
import { groupBy } from '../n8n/groupBy';
import type { Insight, Post } from '../sandbox';

/** A line of a CSV file, by column. */
export type Line = Record<string, string>;

function keyOf({ location_id, title }: { location_id: string; title: string }): string {
	return `"${title}" at ${location_id}`;
}

/** The fields of a post that differ from its row of the spreadsheet. */
function differences(row: PostRow, post: Post): string[] {
	const expected: Partial<Post> = { content: row.content, type: row.type };
	expected.image_url = row.image_url === '' ? null : row.image_url;
	if (row.publish_at !== '') expected.publish_at = new Date(row.publish_at).toISOString();
	return Object.entries(expected)
		.filter(([field, value]) => post[field] !== value)
		.map(([field]) => field);
}

/** What is wrong with the posts: every row should have become one post, and there should be no others. */
export function postProblems(rows: PostRow[], posts: Post[]): string[] {
	const arrived = groupBy(posts, keyOf);
	const problems: string[] = [];
	for (const row of rows) {
		const [post, ...more] = arrived.get(keyOf(row)) ?? [];
		arrived.delete(keyOf(row));
		if (post === undefined) problems.push(`${keyOf(row)} did not arrive`);
		else if (more.length > 0) problems.push(`${keyOf(row)} arrived ${more.length + 1} times`);
		else {
			const fields = differences(row, post);
			if (fields.length > 0)
				problems.push(`${keyOf(row)} arrived with a different ${fields.join(', ')}`);
		}
	}
	for (const key of arrived.keys()) problems.push(`${key} arrived, but is in no row`);
	return problems;
}

/** What is wrong with the results file, which should name every row with the post it became. */
export function resultProblems(rows: PostRow[], posts: Post[], results: Line[]): string[] {
	const problems: string[] = [];
	if (results.length !== rows.length) {
		problems.push(`the results have ${results.length} lines for ${rows.length} rows`);
	}
	const ids = new Map(posts.map((post) => [keyOf(post), post.id]));
	for (const [index, row] of rows.entries()) {
		const { location_id = '', title = '', status, post_id, message } = results[index] ?? {};
		if (keyOf({ location_id, title }) !== keyOf(row)) {
			problems.push(`line ${index + 1} of the results is not for ${keyOf(row)}`);
		} else if (status !== 'posted') {
			problems.push(`${keyOf(row)} is ${status}: ${message}`);
		} else if (post_id !== ids.get(keyOf(row))) {
			problems.push(`the results have the wrong ID for ${keyOf(row)}: ${post_id}`);
		}
	}
	return problems;
}

/** What is wrong with the table of insights, which should have a row for each location and day. */
export function insightProblems(insights: Insight[], table: Line[]): string[] {
	const expected = insights.flatMap(({ location_id, days }) =>
		days.map((day) => ({ location_id, ...day })),
	);
	const keyOfDay = (line: { location_id?: string; date?: string }) =>
		`${line.date} of ${line.location_id}`;
	const lines = groupBy(table, keyOfDay);
	const problems: string[] = [];
	if (table.length !== expected.length) {
		problems.push(`the table has ${table.length} rows, not ${expected.length}`);
	}
	for (const day of expected) {
		const [line, ...more] = lines.get(keyOfDay(day)) ?? [];
		if (line === undefined) problems.push(`${keyOfDay(day)} is missing`);
		else if (more.length > 0) problems.push(`${keyOfDay(day)} is there ${more.length + 1} times`);
		else {
			const wrong = Object.entries(day).find(([column, value]) => line[column] !== String(value));
			if (wrong)
				problems.push(`${keyOfDay(day)} has ${line[wrong[0]]} ${wrong[0]}, not ${wrong[1]}`);
		}
	}
	return problems;
}
