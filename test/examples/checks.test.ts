import { insightProblems, postProblems, resultProblems } from '../../demo/checks';
import { posts as rows } from '../../examples/posts';
import { startSandbox, type Post, type Sandbox } from '../../sandbox';

describe('what the demo checks', () => {
	let sandbox: Sandbox;
	let posts: Post[];

	beforeAll(async () => {
		sandbox = await startSandbox({ locations: 60 });
	});
	afterAll(async () => await sandbox.close());
	beforeEach(() => {
		sandbox.reset();
		posts = rows.map((row) => {
			const location = sandbox.account.location(row.location_id)!;
			return sandbox.account.addPost(location, { ...row });
		});
	});

	const resultsOf = (created: Post[]) =>
		created.map(({ location_id, title, id }) => ({
			location_id,
			title,
			post_id: id,
			status: 'posted',
			message: '',
		}));

	const like = (problem: RegExp) => expect.stringMatching(problem) as string;

	test.each<[string, () => Post[], RegExp[]]>([
		['nothing wrong if every row became one post', () => posts, []],
		['a post that is missing', () => posts.slice(1), [/^"Open until 7 pm .* did not arrive$/]],
		['a post that came twice', () => [...posts, posts[3]], [/arrived 2 times$/]],
		[
			'a post that no row asked for',
			() => [...posts, { ...posts[0], title: 'Stray' }],
			[/^"Stray" .* arrived, but is in no row$/],
		],
		[
			'a post whose text or time is not the row’s',
			() => [{ ...posts[0], content: '?', publish_at: '2027-03-01' }, ...posts.slice(1)],
			[/arrived with a different content, publish_at$/],
		],
	])('finds %s', (_, arrived, problems) => {
		expect(postProblems(rows, arrived())).toEqual(problems.map(like));
	});

	type Result = ReturnType<typeof resultsOf>[number];
	test.each<[string, (results: Result[]) => Result[], RegExp[]]>([
		['nothing wrong if the results name every row and its post', (results) => results, []],
		[
			'a row that was not posted, and why',
			([first, ...others]) => [
				{ ...first, status: 'not posted', post_id: '', message: 'no key' },
				...others,
			],
			[/ is not posted: no key$/],
		],
		[
			'a line that is missing',
			(results) => results.slice(0, -1),
			[/^the results have 39 lines for 40 rows$/, /./],
		],
		[
			'a line with the post of another row',
			([first, ...others]) => [{ ...first, post_id: others[0].post_id }, ...others],
			[/./],
		],
	])('finds %s', (_, change, problems) => {
		const found = resultProblems(rows, posts, change(resultsOf(posts)));
		expect(found).toEqual(problems.map(like));
	});

	type Line = Record<string, string>;
	test.each<[string, (table: Line[]) => Line[], RegExp[]]>([
		['nothing wrong if every location and day has its row', (table) => table, []],
		[
			'a day that is missing',
			(table) => table.slice(1),
			[/^the table has 89 rows, not 90$/, /is missing$/],
		],
		[
			'a day that is there twice in place of another',
			([first, , ...others]) => [first, first, ...others],
			[/is there 2 times$/, /is missing$/],
		],
		[
			'a number that is not the account’s',
			([first, ...others]) => [{ ...first, views: '-1' }, ...others],
			[/has -1 views/],
		],
	])('finds %s', (_, change, problems) => {
		const { account } = sandbox;
		const insights = account.locations.slice(0, 3).map(({ id }) => account.insightOf(id));
		const table = insights.flatMap(({ location_id, days }) =>
			days.map((day): Line => {
				const cells = Object.entries(day).map(([name, value]) => [name, String(value)]);
				return { location_id, ...(Object.fromEntries(cells) as Line) };
			}),
		);
		expect(insightProblems(insights, change(table))).toEqual(problems.map(like));
	});
});
