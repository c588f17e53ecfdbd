import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { pageWith } from '../../dev/n8n/compatibility';
import { ROOT } from '../../dev/n8n/home';
import { chosenVersions, isPinned, VERSIONS } from '../../dev/n8n/versions';

const page = readFileSync(join(ROOT, 'docs', 'dev', 'evidence.md'), 'utf8');
/** Prettier pads the cells. */
const unpadded = (text: string) => text.replace(/[ -]+/g, ' ');

test('the table of versions is what the tests on them have found', () => {
	expect(unpadded(pageWith(page))).toBe(unpadded(page));
});

test('a version that is new in the list has its row at once', () => {
	for (const { n8n, nodes } of VERSIONS) {
		expect(pageWith(page, {})).toContain(
			`| ${n8n} | not run yet | Node.js ${nodes[0]}: not run yet`,
		);
	}
});

test('what was found stands in the row, and so does what failed', () => {
	const [{ n8n, nodes }] = VERSIONS;
	const host = { passed: ['trigger'], failed: ['picker'], differs: ['It is old'] };
	const engine = { passed: 9, failed: 1, differs: ['It is old', 'It is slow'] };
	expect(pageWith(page, { [n8n]: { engine, hosts: { [nodes[0]]: host } } })).toContain(
		`| ${n8n} | 9 passed, **1 failed** | Node.js ${nodes[0]}: trigger; **failed: picker**`,
	);
});

test('the n8n of all other tests is in the list, with the Node.js that runs it', () => {
	const [{ nodes }] = VERSIONS.filter(isPinned);
	const { devDependencies } = JSON.parse(
		readFileSync(join(ROOT, 'dev', 'n8n', 'pinned', 'package.json'), 'utf8'),
	) as { devDependencies: { node: string } };
	expect(nodes).toEqual([devDependencies.node]);
});

test('a version that is not in the list is a complaint: a run that tests nothing must not succeed', () => {
	const [{ n8n, nodes }] = VERSIONS;
	expect(chosenVersions({})).toEqual(VERSIONS);
	expect(chosenVersions({ only: n8n, node: nodes[0] })).toMatchObject([{ n8n, nodes: [nodes[0]] }]);
	expect(() => chosenVersions({ only: '9.9.9' })).toThrow('has no such version');
	expect(() => chosenVersions({ only: n8n, node: '1.0.0' })).toThrow(`n8n ${n8n} on Node.js`);
});
