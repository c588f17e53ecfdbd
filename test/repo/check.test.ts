import { execa } from 'execa';
import { join } from 'node:path';

import { readChecked } from '../../dev/scripts/assumptions';
import { check } from '../../dev/scripts/check/main';
import { useSandbox } from '../support/fixture';
import { startPrism } from '../support/mockServers';

const fixture = useSandbox();

const said = async (baseUrl = fixture.sandbox.baseUrl) =>
	await check(baseUrl, fixture.sandbox.keys.read);
const wrongIn = (lines: string[]) => lines.filter((line) => line.startsWith('✗'));

test('every assumption has a check, or a reason why there is none', () => {
	const without = readChecked().filter(({ check: name, uncheckedBecause }) => {
		return name === undefined && uncheckedBecause === undefined;
	});
	expect(without.map(({ where }) => where)).toEqual([]);
});

test('the sandbox is as assumed, nothing is changed, and nothing of the account is told', async () => {
	const { sandbox } = fixture;
	sandbox.setRateLimit(1_000);
	const lines = await said();
	expect(wrongIn(lines)).toEqual([]);
	// No limit was reached, so that nobody was told to wait.
	expect(lines.filter((line) => line.includes('nothing was there'))).toHaveLength(2);
	expect(lines.pop()).toMatch(/^2\d as assumed, 0 otherwise, [12]\d not seen$/);
	expect(fixture.requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
	expect(sandbox.requests.length).toBeLessThanOrEqual(35);
	const [{ id, name }] = sandbox.account.locations;
	for (const text of [id, name, sandbox.keys.read]) expect(lines.join()).not.toContain(text);
});

test('what is otherwise is told, with the option that makes up for it', async () => {
	const when = { path: '/locations/*/posts' };
	const transform = ({ data, meta }: { data: object[]; meta: object }) => ({
		data: data.map((post) => ({ ...post, title: undefined })),
		meta,
	});
	fixture.sandbox.faults.add({ when, transform });
	expect(wrongIn(await said())).toEqual([
		expect.stringMatching(/no title\. See the option Match Fields: fields that your records have$/),
	]);
});

test('a mock gives the same example, whatever is asked for', async () => {
	const prism = await startPrism();
	const lines = await said(`${prism.origin}/api/v1`).finally(async () => await prism.close());
	expect(wrongIn(lines)).toHaveLength(2);
});

test('a service that can not be used: exit status 1, and why', async () => {
	const main = join(__dirname, '..', '..', 'dev', 'scripts', 'check', 'main.ts');
	const tsx = join(__dirname, '..', '..', 'node_modules', '.bin', 'tsx');
	const key = 'sk_refused_0123456789';
	const run = execa({ env: { LOCAL_SEO_KEY: key }, reject: false, all: true });
	const { exitCode, all } = await run(tsx, [main, '--url', fixture.sandbox.baseUrl]);
	expect([exitCode, all]).toEqual([1, expect.stringMatching(/does not accept this API key/)]);
	expect(all).not.toContain(key);
});
