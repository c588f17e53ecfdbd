import type { INodeProperties } from 'n8n-workflow';

import { LocalSeoApi } from '../../credentials/LocalSeoApi.credentials';
import { readAssumptions, readChecked } from '../../dev/scripts/assumptions';
import { check } from '../../dev/scripts/check/main';
import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { LocalSeoTrigger } from '../../nodes/LocalSeo/LocalSeoTrigger.node';
import { useSandbox } from '../support/fixture';

const fixture = useSandbox();

test('every assumption says what is assumed and why, and has a check, or a reason why there is none', () => {
	const assumptions = readAssumptions();
	expect(assumptions.length).toBeGreaterThan(20);
	const unsaid = assumptions.filter(({ assumed, reason }) => !(assumed[10] && reason[10]));
	expect(unsaid.map(({ assumed }) => assumed)).toEqual([]);
	const unchecked = readChecked().filter((one) => !(one.check ?? one.uncheckedBecause));
	expect(unchecked.map(({ assumed }) => assumed)).toEqual([]);
});

test('every setting that an assumption names is one of the node, the trigger or the credential', () => {
	const parameters = [new LocalSeo(), new LocalSeoTrigger()].flatMap(
		({ description }) => description.properties,
	);
	const collections = parameters.filter(({ name }) => name === 'options');
	const options = collections.flatMap((one) => one.options as INodeProperties[]);
	const { properties } = new LocalSeoApi();
	const names = [...parameters, ...options, ...properties].map(({ displayName }) => displayName);
	expect(names).toEqual(expect.arrayContaining(readAssumptions().flatMap((one) => one.options)));
});

describe('npm run check', () => {
	const said = async () => await check(fixture.sandbox.baseUrl, fixture.sandbox.keys.read);
	const wrongIn = (lines: string[]) => lines.filter((line) => line.startsWith('✗'));

	test('changes nothing, and tells nothing of the account', async () => {
		const { sandbox } = fixture;
		const lines = await said();
		expect(wrongIn(lines)).toEqual([]);
		expect(fixture.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
		const [{ id, name }] = sandbox.account.locations;
		for (const text of [id, name, sandbox.keys.read]) expect(lines.join()).not.toContain(text);
	});

	test('names what is otherwise, with the option that makes up for it', async () => {
		const transform = ({ data, meta }: { data: object[]; meta: object }) => ({
			...{ meta, data: data.map((post) => ({ ...post, title: undefined })) },
		});
		fixture.sandbox.faults.add({ when: { path: '/locations/*/posts' }, transform });
		expect(wrongIn(await said())).toEqual([
			expect.stringMatching(/no title\. See the option Match Fields: fields that your records/),
		]);
	});
});
