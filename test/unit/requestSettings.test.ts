import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';

import { DEFAULT_PAGING } from '../../nodes/LocalSeo/client';
import {
	pagingOf,
	readBatchDelay,
	readRequestOptions,
} from '../../nodes/LocalSeo/host/requestSettings';

const withOptions = (requestOptions: object) => ({ getNodeParameter: () => requestOptions });
const read = (options: object) =>
	readRequestOptions(withOptions(options) as unknown as IExecutePaginationFunctions);
const delays = (batch?: object) => {
	const options = withOptions(batch ? { batching: { batch } } : {});
	const context = { ...options, getNode: () => ({ name: 'Local SEO' }) };
	const delayOf = readBatchDelay(context as unknown as IExecuteFunctions);
	return [0, 1, 2, 3, 4].map(delayOf);
};

test("without options, a request gets n8n's five minutes, and nothing else is set", () => {
	expect(read({})).toEqual({});
	expect(read({ timeout: 0, proxy: '' })).toEqual({});
});

test('certificates are checked unless the user turns it off', () => {
	expect(read({ allowUnauthorizedCerts: true })).toMatchObject({
		skipSslCertificateValidation: true,
	});
	for (const off of [false, 'false', undefined]) {
		expect(read({ allowUnauthorizedCerts: off })).toEqual({});
	}
});

test.each([
	['Timeout', 'soon', () => read({ timeout: 'soon' })],
	['Timeout', -1, () => read({ timeout: -1 })],
	['Items per Batch', 'all', () => delays({ batchSize: 'all' })],
	['Batch Interval (ms)', {}, () => delays({ batchInterval: {} })],
])('%s does not take %p', (label, value, readIt) => {
	expect(readIt).toThrow(`'${label}' must be a number`);
	try {
		readIt();
	} catch (error) {
		const { description } = error as { description: string };
		expect(description).toContain(`The current value is ${JSON.stringify(value)}.`);
	}
});

test.each([
	'socks5://ann:s3cret@proxy.example:1080',
	'proxy.example:3128',
	's3cret',
	'ftp://ann:s3cret@proxy.example',
	'http://',
	'http://:s3cret@p.e',
	'http://ann:s3cret%@proxy.example',
	'http://proxy.example:99999',
	3128,
])('the proxy %p is refused, in words without its password', (proxy) => {
	expect(() => read({ proxy })).toThrow('The proxy is not a valid URL');
	try {
		read({ proxy });
	} catch (error) {
		const { message, description, stack } = error as Error & { description: string };
		expect(`${message} ${description} ${stack}`).not.toContain('s3cret');
		expect(description).toContain('http://host:port');
	}
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

describe('page parameters of the credential', () => {
	const own = { pageParameter: ' seite ', pageSizeParameter: 'anzahl', pageSize: 200 };

	test.each([undefined, false, 'false', ''])(
		'count for nothing under a switch that is %p',
		(is) => {
			expect(pagingOf({ ...own, hasOwnPaging: is as never })).toEqual(DEFAULT_PAGING);
			expect(pagingOf({ ...own, pageSize: 'many', hasOwnPaging: is as never })).toEqual(
				DEFAULT_PAGING,
			);
		},
	);

	test('are used under it; what is empty is as usual', () => {
		expect(pagingOf({ ...own, hasOwnPaging: true })).toEqual({
			...{ pageParameter: 'seite', pageSizeParameter: 'anzahl', pageSize: 200 },
		});
		const empty = { pageParameter: ' ', pageSizeParameter: '', pageSize: 0 };
		for (const given of [empty, {}]) {
			const paging = pagingOf({ ...given, hasOwnPaging: true });
			expect(paging).toEqual({ ...DEFAULT_PAGING, pageSize: undefined });
		}
	});

	test.each(['many', -1, 2.5])('have no page size of %p', (pageSize) => {
		const given = { ...own, pageSize, hasOwnPaging: true };
		expect(() => pagingOf(given)).toThrow("'Page Size' of the credential must be a whole number");
	});
});
