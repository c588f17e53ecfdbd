import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { startSandbox, type Sandbox } from '../../sandbox';
import { CONTRACT_FILE, withFormats } from '../../sandbox/contract';

// That the sandbox does what the interface says: test/check, and each of its responses in all other tests.

test('the interface is described in valid OpenAPI 3.1', async () => {
	const definition = parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document;
	expect(definition.openapi).toMatch(/^3\.1/);
	const api = new OpenAPIBackend({ definition, strict: true, customizeAjv: withFormats });
	await expect(api.init()).resolves.toBeDefined();
});

test('the sample data is the same at every start', async () => {
	const now = () => new Date('2026-06-01T08:00:00Z');
	const [one, two] = [await startSandbox({ now }), await startSandbox({ now })];
	const everything = ({ account }: Sandbox) =>
		account.locations.map((location) => [
			location,
			account.keywordsOf(location.id).map(({ id }) => [id, account.scansOf(id)]),
			account.postsOf(location.id),
			account.insightOf(location.id),
		]);
	expect(everything(one)).toEqual(everything(two));
	await one.close();
	await two.close();
});

describe('as other services do it', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox();
	});
	afterEach(async () => await sandbox.close());

	const posts = () => `/locations/${sandbox.account.locations[0].id}/posts`;
	const ask = async (method: string, path: string, body?: object) =>
		await fetch(path, {
			method,
			headers: {
				Authorization: `Bearer ${sandbox.keys.write}`,
				'Content-Type': 'application/json',
			},
			body: JSON.stringify(body),
		});
	const turn = async (habits: object) =>
		await ask('PUT', `${sandbox.origin}/sandbox/habits`, habits);
	const post = async () =>
		await ask('POST', sandbox.baseUrl + posts(), { title: 'Open on Sunday', content: '8 to 12' });
	const count = () => sandbox.account.postsOf(sandbox.account.locations[0].id).length;

	test('a create is answered without a body', async () => {
		const before = count();
		await turn({ withoutBody: true });
		const response = await post();
		expect([response.status, await response.text(), count()]).toEqual([201, '', before + 1]);
	});

	test('what is created has yet to be approved', async () => {
		const isListed = async () =>
			(await (await ask('GET', `${sandbox.baseUrl}${posts()}?per_page=100`)).text()).includes(
				'Open on Sunday',
			);
		await turn({ hidesDrafts: true });
		expect([(await post()).status, await isListed()]).toEqual([201, false]);
		await turn({ hidesDrafts: false });
		expect(await isListed()).toBe(true);
	});
});
