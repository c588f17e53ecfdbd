import { insightProblems, postProblems, resultProblems } from '../../dev/demo/checks';
import { posts as rows } from '../../examples/posts';
import { startSandbox, type Sandbox } from '../../dev/sandbox';

// What the demo finds wrong. That it finds nothing wrong where nothing is: test/e2e/main-job.test.ts.

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ locations: 60 });
});
afterAll(async () => await sandbox.close());

const addPosts = () =>
	rows.map((row) =>
		sandbox.account.addPost(sandbox.account.location(row.location_id)!, { ...row }),
	);

test('posts that are missing, came twice, were not asked for, or are not what the row says', () => {
	const [first, second, third, ...others] = addPosts();
	const changed = { ...second, content: '?', publish_at: '2027-03-01' };
	const arrived = [changed, third, third, ...others, { ...first, title: 'Stray' }];
	const problems = postProblems(rows, arrived);
	expect(problems).toHaveLength(4);
	for (const problem of [
		/^"Open until 7 pm .* did not arrive$/,
		/^"Stray" .* arrived, but is in no row$/,
		/arrived 2 times$/,
		/arrived with a different content, publish_at$/,
	]) {
		expect(problems).toContainEqual(expect.stringMatching(problem));
	}
});

test('rows that were not posted, have no line, or have the post of another row', () => {
	const posts = addPosts();
	const results = posts.map(({ location_id, title, id }) => ({
		...{ location_id, title, post_id: id },
		...{ status: 'posted', message: '' },
	}));
	const [first, second, ...others] = results;
	const unposted = { ...first, status: 'not posted', post_id: '', message: 'no key' };
	const isWrong = (lines: typeof results) => resultProblems(rows, posts, lines);
	expect(isWrong([unposted, second, ...others])).toEqual([
		expect.stringMatching(/ is not posted: no key$/),
	]);
	expect(isWrong([second, ...others])[0]).toBe('the results have 39 lines for 40 rows');
	expect(isWrong([{ ...first, post_id: second.post_id }, second, ...others])).toHaveLength(1);
});

test('days that are missing or there twice, and other numbers', () => {
	const { account } = sandbox;
	const insights = account.locations.slice(0, 3).map(({ id }) => account.insightOf(id));
	const table = insights.flatMap(({ location_id, days }) =>
		days.map((day) => {
			const cells = Object.entries(day).map(([name, value]) => [name, String(value)]);
			return { location_id, ...(Object.fromEntries(cells) as Record<string, string>) };
		}),
	);
	const [first, , third, ...others] = table as Array<Record<string, string>>;
	const found = insightProblems(insights, [first, first, { ...third, views: '-1' }, ...others]);
	expect(found).toHaveLength(3);
	for (const problem of [/has -1 views/, /is missing$/, /is there 2 times$/]) {
		expect(found).toContainEqual(expect.stringMatching(problem));
	}
	expect(insightProblems(insights, others)).toContain('the table has 87 rows, not 90');
});
