import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { command } from '../../dev/n8n/command';
import { ROOT } from '../../dev/n8n/home';

const FOLDER = join(ROOT, '.github', 'workflows');
const workflows = readdirSync(FOLDER).map((name) => [
	name,
	readFileSync(join(FOLDER, name), 'utf8'),
]);

test('the scripts and tasks that pages and workflows name are there', async () => {
	const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
		scripts: Record<string, string>;
	};
	const { stdout } = await command('npx', ['gulp', '--tasks-simple'], { cwd: ROOT });
	const tasks = stdout.split('\n');
	expect(tasks.filter(Boolean).length).toBeLessThanOrEqual(12);
	const pages = ['README.md', 'CONTRIBUTING.md', 'docs/dev/bench.md'].map((name) => [
		name,
		readFileSync(join(ROOT, name), 'utf8'),
	]);
	const named = [...workflows, ...pages].flatMap(([name, text]) =>
		[...text.matchAll(/(npm run|npx gulp) (?:--silent )?([\w:]+)/g)].map(([, by, what]) => {
			return { name, by, what };
		}),
	);
	expect(named.length).toBeGreaterThan(20);
	expect(
		named.filter(({ by, what }) => !(by === 'npm run' ? what in scripts : tasks.includes(what))),
	).toEqual([]);
});

test('every action that a workflow uses is pinned by its digest', () => {
	const uses = workflows.flatMap(([, text]) => [...text.matchAll(/uses: (.*)$/gm)]);
	expect(uses.length).toBeGreaterThan(0);
	for (const [, action] of uses) expect(action).toMatch(/^\.\/|^[\w-]+\/[\w-]+@[\da-f]{40} # v\d/);
});
