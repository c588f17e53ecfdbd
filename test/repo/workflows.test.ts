import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { execaSync } from 'execa';

import { ROOT } from '../../dev/n8n/home';

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
const FOLDER = join('.github', 'workflows');
const workflows = readdirSync(join(ROOT, FOLDER)).map((name) => read(FOLDER, name));

test('the scripts and tasks that pages and workflows name are there', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: object };
	const { stdout } = execaSync('npx', ['gulp', '--tasks-simple'], { cwd: ROOT });
	const known = { 'npm run': Object.keys(scripts), 'npx gulp': stdout.split('\n') };
	const pages = ['README.md', 'CONTRIBUTING.md', 'docs/dev/bench.md'].map((name) => read(name));
	const named = [...workflows, ...pages].flatMap((text) => [
		...text.matchAll(/(npm run|npx gulp) (?:--silent )?([\w:]+)/g),
	]);
	expect(named.length).toBeGreaterThan(15);
	const missing = named.filter(([, by, what]) => !known[by as keyof typeof known].includes(what));
	expect(missing.map(([text]) => text)).toEqual([]);
});

test('every action that a workflow uses is pinned by its digest', () => {
	const uses = workflows.flatMap((text) => [...text.matchAll(/uses: (.*)$/gm)]);
	expect(uses.length).toBeGreaterThan(0);
	for (const [, action] of uses) expect(action).toMatch(/^\.\/|^[\w-]+\/[\w-]+@[\da-f]{40} # v\d/);
});
