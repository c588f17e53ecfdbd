import type { INodeParameters } from 'n8n-workflow';

import { searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { columns, useSandbox } from '../support/fixture';
import {
	authority,
	closeAll,
	startProxy,
	startSecureService,
	trusting,
	verdictOn,
} from '../support/secureService';

const service = useSandbox({ locations: 1 });
const asked: string[] = [];
let undo = () => {};
let port: number;
beforeEach(async () => {
	asked.length = 0;
	undo = trusting(authority);
	port = await startSecureService({ issuer: authority });
});
afterEach(() => {
	delete process.env.HTTPS_PROXY;
	undo();
	closeAll();
});

let keys = 0;
const credentialOf = () => ({
	baseUrl: `https://localhost:${port}`,
	apiKey: `sk_live_${keys++}_0123456789`,
});

const options = { maxWait: 0 };
const list = { resource: 'location', operation: 'getAll', options };
const create = {
	resource: 'location',
	operation: 'create',
	ifExists: 'create',
	fields: columns({ name: 'A' }),
	options,
};

/** With the proxy in the settings of the node, and in the environment of n8n. */
async function bothWays(proxy: string, parameters: INodeParameters) {
	const run = async (more: INodeParameters) =>
		await service.run({ ...parameters, ...more }, { credential: credentialOf() });
	const set = await run({ requestOptions: { proxy } });
	process.env.HTTPS_PROXY = proxy;
	return [set, await run({})];
}

test('a proxy that connects is used', async () => {
	const proxy = `http://127.0.0.1:${await startProxy(asked)}`;
	for (const { error } of await bothWays(proxy, list)) expect(error).toBeUndefined();
	expect(await verdictOn(credentialOf())).toBe('Connection successful!');
	expect(asked).toEqual([`localhost:${port}`, `localhost:${port}`, `localhost:${port}`]);
});

const LOGIN = [
	'HTTP/1.1 407 Proxy Authentication Required',
	'Proxy-Authenticate: Basic realm="squid"',
	'Content-Type: text/html',
	'Content-Length: 25',
	'',
	'<html>Cache Access Denied',
].join('\r\n');

const CASES: Array<[string, () => Promise<string>, RegExp, RegExp]> = [
	[
		'wants a login',
		async () => `http://127.0.0.1:${await startProxy(asked, LOGIN)}`,
		/^The proxy wants a login$/,
		/http:\/\/user:password@host:port.*HTTPS_PROXY/,
	],
	[
		'is not there',
		async () => await Promise.resolve('http://ann:s3cret@127.0.0.1:9'),
		/^The proxy 127\.0\.0\.1:9 could not be reached$/,
		/Proxy under Request Options.*HTTPS_PROXY.*NO_PROXY/,
	],
	[
		'has a name that is not known',
		async () => await Promise.resolve('http://ann:s3cret@proxy.invalid:3128'),
		/^The proxy proxy\.invalid could not be reached$/,
		/Proxy under Request Options.*HTTPS_PROXY.*NO_PROXY/,
	],
	[
		'ends the connection',
		async () => `http://127.0.0.1:${await startProxy(asked, '')}`,
		/^The proxy could not be reached$/,
		/HTTPS_PROXY/,
	],
];

describe.each(CASES)('a proxy that %s', (_, start, message, description) => {
	test.each([
		['a reading', list],
		['a create, for which it is not looked', create],
	])('is named, and not the service: %s', async (_kind, parameters) => {
		const proxy = await start();
		for (const { error } of await bothWays(proxy, parameters)) {
			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(description);
			const words = `${error?.message} ${error?.description}`;
			expect(words).not.toMatch(/The service said|s3cret|sk_live|may have taken effect/);
		}
	});

	test('also by the test of the credential', async () => {
		process.env.HTTPS_PROXY = await start();
		const verdict = await verdictOn(credentialOf());
		expect(verdict).toMatch(new RegExp(`${message.source.replace('$', '')}\\. `));
		expect(verdict).toMatch(description);
	});
});

test('a service that is not there is not blamed on a proxy', async () => {
	const credential = { baseUrl: 'https://localhost:9', apiKey: 'sk_live_nothing' };
	const { error } = await service.run(list, { credential });
	expect(error?.message).toBe('Could not connect to the service');
	const unknown = { ...credential, baseUrl: 'https://seo.invalid' };
	expect((await service.run(list, { credential: unknown })).error?.message).toBe(
		'The host name of the service was not found',
	);
});

describe('Proxy as an expression, which the editor does not resolve', () => {
	test('lists are read without it', async () => {
		const requestOptions = { proxy: '={{ $env.PROXY }}' };
		const editor = service.editor({ ...list, requestOptions });
		await expect(searchLocations.call(editor)).resolves.toMatchObject({
			results: [expect.anything()],
		});
	});
});
