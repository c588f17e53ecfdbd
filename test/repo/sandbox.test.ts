import { readFileSync } from 'node:fs';
import { OpenAPIBackend, type Document } from 'openapi-backend';
import { parse } from 'yaml';

import { startSandbox, type Sandbox } from '../../dev/sandbox';
import { CONTRACT_FILE, withFormats } from '../../dev/sandbox/contract';

// That the sandbox does what the interface says is checked in all other tests, at each of its responses.

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
