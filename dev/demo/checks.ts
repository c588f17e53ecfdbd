import type { PostRow } from '../../examples/posts';
import type { Insight, Post } from '../sandbox';

export type Line = Record<string, string>;

/** What should be there and is not, and what is there and should not be; each as often as it is so. */
function differences(expected: string[], found: string[]): string[] {
	const left = [...found];
	const missing = expected.filter((text) => {
		const index = left.indexOf(text);
		if (index >= 0) left.splice(index, 1);
		return index < 0;
	});
	return [
		...missing.map((text) => `missing: ${text}`),
		...left.map((text) => `unexpected: ${text}`),
	];
}

const nameOf = ({ location_id, title }: Line | Post | PostRow) => `"${title}" at ${location_id}`;

/** A row or its post; the time of a row without one is whatever the service says. */
const textOf = (one: PostRow | Post, at: string) =>
	`${nameOf(one)} ${JSON.stringify([one.content, one.type, one.image_url || null, at])}`;

/** What is wrong with the posts: every row should have become one post, and there should be no others. */
export function postProblems(rows: PostRow[], posts: Post[]): string[] {
	const timeless = new Set(rows.filter(({ publish_at }) => publish_at === '').map(nameOf));
	const timeOf = (one: PostRow | Post) =>
		timeless.has(nameOf(one)) ? '' : new Date(one.publish_at).toISOString();
	const [expected, found] = [rows, posts].map((all) => all.map((one) => textOf(one, timeOf(one))));
	return differences(expected, found);
}

/** What is wrong with the results file, which should name every row with the post it became. */
export function resultProblems(rows: PostRow[], posts: Post[], results: Line[]): string[] {
	const ids = new Map(posts.map((post) => [nameOf(post), post.id]));
	const failed = results.filter(({ status }) => !['posted', 'planned'].includes(status));
	const expected = rows.map((row) => `${nameOf(row)} as ${ids.get(nameOf(row))}`);
	const found = results.map((line) => `${nameOf(line)} as ${line.post_id || undefined}`);
	return [
		...failed.map((line) => `${nameOf(line)} is ${line.status}: ${line.message}`),
		...differences(expected, found),
	];
}

/** What is wrong with the table of insights, which should have a row for each location and day. */
export function insightProblems(insights: Insight[], table: Line[]): string[] {
	const expected = insights.flatMap(({ location_id, days }) =>
		days.map((day) => ({ location_id, ...day })),
	);
	const columns = Object.keys(expected[0]);
	const lineOf = (line: object) =>
		columns.map((column) => `${column} ${String((line as Line)[column])}`).join(', ');
	return differences(expected.map(lineOf), table.map(lineOf));
}
