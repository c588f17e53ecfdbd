import { searchLocations } from '../../nodes/LocalSeo/editor/pickList';
import { accounts } from '../../nodes/LocalSeo/host/accounts';
import { columns, useSandbox } from '../support/fixture';
import {
	authority,
	closeAll,
	startOther,
	startSecureService,
	trusting,
	verdictOn,
} from '../support/secureService';

// All that failed is sent again: here at once, because these tests wait in real time.
Object.assign(accounts, { random: () => 0 });
const service = useSandbox({ locations: 1 });
let undo = () => {};
beforeEach(() => (undo = trusting(authority)));
afterEach(() => {
	undo();
	closeAll();
});

/** Each with a key of its own: what others met says nothing. */
let keys = 0;
const at = (port: number, host = 'localhost') => ({
	baseUrl: `https://${host}:${port}`,
	apiKey: `sk_live_${keys++}_0123456789`,
});

const list = { resource: 'location', operation: 'getAll' };
const create = {
	resource: 'location',
	operation: 'create',
	ifExists: 'create',
	fields: columns({ name: 'A' }),
};

test('a certificate of an authority that n8n knows is accepted', async () => {
	const port = await startSecureService({ issuer: authority });
	const { error, json } = await service.run(list, { credential: at(port) });
	expect([error, json]).toEqual([undefined, []]);
	expect(await verdictOn(at(port))).toBe('Connection successful!');
});

const day = (text: string) => new Date(text);
const UNTRUSTED: [RegExp, RegExp] = [
	/^The certificate of the service is not trusted$/,
	/NODE_EXTRA_CA_CERTS/,
];
const NO_HTTPS: [RegExp, RegExp] = [
	/^The service does not speak https at this port$/,
	/port.*'Base URL'.*on this machine, it may begin with http:\/\//,
];
const REFUSED: Array<[string, () => Promise<number>, RegExp, RegExp]> = [
	['self-signed', async () => await startSecureService(), ...UNTRUSTED],
	[
		'of an authority that n8n does not know',
		async () => {
			undo();
			return await startSecureService({ issuer: authority });
		},
		...UNTRUSTED,
	],
	[
		'expired',
		async () => await startSecureService({ issuer: authority, until: day('2021-01-01') }),
		/^The certificate of the service has expired$/,
		/has to renew it/,
	],
	[
		'not valid yet',
		async () => await startSecureService({ issuer: authority, from: day('2110-01-01') }),
		/^The certificate of the service is not valid yet$/,
		/clock/,
	],
	[
		'of another host',
		async () =>
			await startSecureService({ issuer: authority, name: 'a', hosts: ['seo.example.com'] }),
		/^The certificate of the service is for another host$/,
		/'Base URL'.*seo\.example\.com/,
	],
];
const ENDED: typeof REFUSED = [
	[
		'a port that speaks http',
		async () => await startOther('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
		...NO_HTTPS,
	],
	['a port of another kind', async () => await startOther('SSH-2.0-OpenSSH_9.2\r\n'), ...NO_HTTPS],
	[
		'a connection that ends before it is secure',
		async () => await startOther(''),
		/^Connection lost before the response was complete$/,
		/before it was secure.*'Base URL'/,
	],
];

test.each([...REFUSED, ...ENDED])(
	'%s is named in a workflow, as a tool, in a list, by the trigger and by the test of the credential',
	async (_, start, message, description) => {
		const port = await start();
		const options = { maxWait: 0 };
		for (const isRoutedByHost of [false, true]) {
			const more = { credential: at(port), isRoutedByHost };
			const { error } = await service.run({ ...list, options }, more);
			expect(error?.message).toMatch(message);
			expect(error?.description).toMatch(description);
			const isIgnored = /'Ignore SSL Issues' under Request Options/.test(error!.description!);
			expect(isIgnored).toBe(message === UNTRUSTED[0]);
			expect(JSON.stringify([error?.message, error?.description])).not.toMatch(/sk_live|EPROTO/);
		}
		// The others have no options of requests.
		const verdict = await verdictOn(at(port));
		expect(verdict).toMatch(new RegExp(`${message.source.replace('$', '')}\\. `));
		expect(verdict).toMatch(description);
		expect(verdict.includes('this test does not use it')).toBe(message === UNTRUSTED[0]);
		const words = expect.objectContaining({
			message: expect.stringMatching(message),
			description: expect.stringMatching(description),
		});
		await expect(searchLocations.call(service.editor(list, at(port)))).rejects.toEqual(words);
		const poller = service.poller({ events: ['locationAdded'] }, { credential: at(port) });
		const failure: unknown = await poller.poll().catch((error: unknown) => error);
		expect(failure).toEqual(words);
		expect(failure).not.toMatchObject({
			description: expect.stringContaining('Request Options'),
		});
	},
);

test.each([...REFUSED, ...ENDED])(
	'%s: nothing was sent, so a create is not looked for',
	async (_, start, message) => {
		const options = { maxWait: 0 };
		const credential = at(await start());
		const { error } = await service.run({ ...create, options }, { credential });
		expect(error?.message).toMatch(message);
		expect(error?.description).not.toMatch(/may have taken effect|Check it before/);
	},
);

test("with 'Ignore SSL Issues', certificates are not looked at", async () => {
	const requestOptions = { allowUnauthorizedCerts: true };
	for (const more of [{}, { until: day('2021-01-01') }, { hosts: ['seo.example.com'] }]) {
		const credential = at(await startSecureService(more));
		const { error } = await service.run({ ...list, requestOptions }, { credential });
		expect(error).toBeUndefined();
	}
});
