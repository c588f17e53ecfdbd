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

	describe('of posts', () => {
		it('finds nothing wrong if every row became one post', () => {
			expect(postProblems(rows, posts)).toEqual([]);
		});

		it('finds a post that is missing', () => {
			expect(postProblems(rows, posts.slice(1))).toEqual([
				expect.stringMatching(/^"Open until 7 pm .* did not arrive$/),
			]);
		});

		it('finds a post that came twice', () => {
			expect(postProblems(rows, [...posts, posts[3]])).toEqual([
				expect.stringMatching(/arrived 2 times$/),
			]);
		});

		it('finds a post that no row asked for', () => {
			const stray = { ...posts[0], title: 'Stray' };
			expect(postProblems(rows, [...posts, stray])).toEqual([
				expect.stringMatching(/^"Stray" .* arrived, but is in no row$/),
			]);
		});

		it('finds a post whose text or time is not the row’s', () => {
			posts[0] = { ...posts[0], content: '?', publish_at: '2027-03-01T17:00:00.000Z' };
			expect(postProblems(rows, posts)).toEqual([
				expect.stringMatching(/arrived with a different content, publish_at$/),
			]);
		});
	});

	describe('of the results file', () => {
		it('finds nothing wrong if it names every row and its post', () => {
			expect(resultProblems(rows, posts, resultsOf(posts))).toEqual([]);
		});

		it('finds a row that was not posted, and says why', () => {
			const results = resultsOf(posts);
			results[1] = { ...results[1], status: 'not posted', post_id: '', message: 'no key' };
			expect(resultProblems(rows, posts, results)).toEqual([
				expect.stringMatching(/ is not posted: no key$/),
			]);
		});

		it('finds a line that is missing', () => {
			const results = resultsOf(posts).slice(0, -1);
			expect(resultProblems(rows, posts, results)).toContain(
				'the results have 39 lines for 40 rows',
			);
		});

		it('finds a line with the post of another row', () => {
			const results = resultsOf(posts);
			results[0].post_id = results[1].post_id;
			expect(resultProblems(rows, posts, results)).toHaveLength(1);
		});
	});

	describe('of the table of insights', () => {
		const insights = () =>
			sandbox.account.locations.slice(0, 3).map(({ id }) => sandbox.account.insightOf(id));
		const table = () =>
			insights().flatMap(({ location_id, days }) =>
				days.map((day) => ({
					location_id,
					...Object.fromEntries(Object.entries(day).map(([name, value]) => [name, String(value)])),
				})),
			);

		it('finds nothing wrong if every location and day has its row', () => {
			expect(insightProblems(insights(), table())).toEqual([]);
		});

		it('finds a day that is missing', () => {
			const [first, second] = insightProblems(insights(), table().slice(1));
			expect(first).toBe('the table has 89 rows, not 90');
			expect(second).toMatch(/is missing$/);
		});

		it('finds a day that is there twice in place of another', () => {
			const lines = table();
			lines[1] = lines[0];
			expect(insightProblems(insights(), lines)).toEqual([
				expect.stringMatching(/is there 2 times$/),
				expect.stringMatching(/is missing$/),
			]);
		});

		it('finds a number that is not the account’s', () => {
			const lines = table() as Array<Record<string, string>>;
			lines[4].views = '-1';
			expect(insightProblems(insights(), lines)).toEqual([expect.stringMatching(/has -1 views/)]);
		});
	});
});
