import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { assumptionsPage, readAssumptions } from '../../tools/assumptions';

test('docs/assumptions.md is what api/openapi.yaml says', () => {
	const page = readFileSync(join(__dirname, '..', '..', 'docs', 'assumptions.md'), 'utf8');
	expect(page).toBe(assumptionsPage());
});

test('every assumption says what is assumed, and why', () => {
	const assumptions = readAssumptions();
	expect(assumptions.length).toBeGreaterThan(20);
	for (const { where, assumed, reason } of assumptions) {
		expect({ where, isSaid: assumed.length > 10 && reason.length > 10 }).toEqual({
			where,
			isSaid: true,
		});
	}
});

test('every option that an assumption names is one of the node', () => {
	const { options } = new LocalSeo().description.properties.find(({ name }) => name === 'options')!;
	const names = (options as INodeProperties[]).map(({ displayName }) => displayName);
	const named = readAssumptions().flatMap((assumption) => assumption.options);
	expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
