import countBy from 'lodash/countBy';
import union from 'lodash/union';
import type { PostRow } from '../../examples/posts';
import type { Insight, Post } from '../sandbox';

export type Line = Record<string, string>;

/** What is there more or less often than it should be. */
function differences(expected: string[], found: string[]): string[] {
	const [wanted, there] = [countBy(expected), countBy(found)];
	return union(expected, found)
		.filter((text) => wanted[text] !== there[text])
		.map((text) => `${text}: ${there[text] ?? 0} times, expected ${wanted[text] ?? 0}`);
}

const nameOf = ({ location_id, title }: Line | Post | PostRow) => `"${title}" at ${location_id}`;

function textOf(one: PostRow | Post): string {
	const at = new Date(one.publish_at).toISOString();
	return `${nameOf(one)} ${JSON.stringify([one.content, one.type, one.image_url || null, at])}`;
}

/** Every row should have become one post, which the results file names, and there should be no others. */
export function postProblems(rows: PostRow[], posts: Post[], results: Line[]): string[] {
	const created = posts.map((post) => `${nameOf(post)} as ${post.id}`);
	const reported = results.map((line) => `${nameOf(line)} as ${line.post_id || line.message}`);
	return [...differences(rows.map(textOf), posts.map(textOf)), ...differences(created, reported)];
}

/** The table of insights should have a row for each location and day. */
export function insightProblems(insights: Insight[], table: Line[]): string[] {
	const expected = insights.flatMap(({ location_id, days }) =>
		days.map((day) => ({ location_id, ...day })),
	);
	const columns = Object.keys(expected[0]);
	const lineOf = (line: object) =>
		columns.map((column) => `${column} ${String((line as Line)[column])}`).join(', ');
	return differences(expected.map(lineOf), table.map(lineOf));
}
