import type { INodeProperties } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { readAssumptions } from '../../dev/scripts/assumptions';

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

test('every setting that an assumption names is one of the node, the trigger or the credential', () => {
	const parameters = [new LocalSeo(), new LocalSeoTrigger()].flatMap(
		({ description }) => description.properties,
	);
	const options = parameters
		.filter(({ name }) => name === 'options')
		.flatMap((collection) => collection.options as INodeProperties[]);
	const { properties } = new LocalSeoApi();
	const names = [...parameters, ...options, ...properties].map(({ displayName }) => displayName);
	const named = readAssumptions().flatMap((assumption) => assumption.options);
	expect(named.filter((name) => !names.includes(name))).toEqual([]);
});
