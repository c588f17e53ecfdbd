import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import {
	readAllowedDomains,
	readBatchDelay,
	readRequestOptions,
} from '../../nodes/LocalSeo/host/requestSettings';

const withOptions = (requestOptions: object) => ({ getNodeParameter: () => requestOptions });
const read = (options: object) =>
	readRequestOptions(withOptions(options) as unknown as IExecutePaginationFunctions);
const delays = (batch?: object) => {
	const context = withOptions(batch ? { batching: { batch } } : {});
	const delayOf = readBatchDelay(context as unknown as IExecuteFunctions);
	return [0, 1, 2, 3, 4].map(delayOf);
};

test("without options, a request gets n8n's five minutes, and nothing else is set", () => {
	expect(read({})).toEqual({ timeout: 300_000 });
	expect(read({ timeout: 0, proxy: '' })).toEqual({ timeout: 300_000 });
});

test('certificates are checked unless the user turns it off', () => {
	expect(read({ allowUnauthorizedCerts: true })).toMatchObject({
		skipSslCertificateValidation: true,
	});
	expect(read({ allowUnauthorizedCerts: false })).not.toHaveProperty(
		'skipSslCertificateValidation',
	);
});

test.each([
	['http://proxy.example:3128', { protocol: 'http', host: 'proxy.example', port: 3128 }],
	['http://proxy.example', { protocol: 'http', host: 'proxy.example', port: 80 }],
	['https://proxy.example', { protocol: 'https', host: 'proxy.example', port: 443 }],
	[
		'http://ann:secret@proxy.example:3128',
		{
			protocol: 'http',
			host: 'proxy.example',
			port: 3128,
			auth: { username: 'ann', password: 'secret' },
		},
	],
])('the proxy %s is used with its port and login', (proxy, expected) => {
	expect(read({ proxy }).proxy).toEqual(expected);
});

test('rows start in batches, a pause apart', () => {
	expect(delays({ batchSize: 2, batchInterval: 100 })).toEqual([0, 0, 100, 100, 200]);
	expect(delays({ batchSize: -1, batchInterval: 100 })).toEqual([0, 100, 200, 300, 400]);
	expect(delays({ batchSize: 2, batchInterval: -1 })).toEqual([0, 0, 0, 0, 0]);
	expect(delays()).toEqual([0, 0, 0, 0, 0]);
});

test('a credential that can not be read restricts nothing here: each row reports it itself', async () => {
	const context = {
		getCredentials: async () => await Promise.reject(new Error('No such credential')),
	} as unknown as IExecuteFunctions;
	expect((await readAllowedDomains(context))()).toBeUndefined();
});
