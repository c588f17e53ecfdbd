import type { Fault, Sandbox } from '../../sandbox';
import { startSandbox } from '../../sandbox';
import { useSandbox } from '../support/fixture';
import { useShortWatch } from '../support/shortWatch';
import { ledgerOf, NOTHING_WRONG } from '../../harness/ledger';
import { createPosts, sheetOf } from '../support/sheet';

/** Milliseconds. */
useShortWatch();
const TIMEOUT = 1_000;

const service = useSandbox();
const post = { method: 'POST' };
const inSeconds = (seconds: number) => Math.ceil(Date.now() / 1000) + seconds;

const faults: Array<[string, () => Fault]> = [
	['reset before the service acted', () => ({ when: post, times: 3, dropConnection: true })],
	['reset after it', () => ({ when: post, times: 3, actFirst: true, dropConnection: true })],
	[
		'a response cut in the middle',
		() => ({ when: post, times: 3, actFirst: true, response: { cutAfterBytes: 20 } }),
	],
	['a slow response', () => ({ when: post, times: 3, actFirst: true, delayMs: 3 * TIMEOUT })],
	['a service that acts late', () => ({ when: post, times: 2, delayMs: 1.1 * TIMEOUT })],
	[
		'500 in JSON, not acted',
		() => ({ when: post, times: 3, response: { status: 500, body: { message: 'x' } } }),
	],
	[
		'500 in JSON, acted',
		() => ({
			when: post,
			times: 3,
			actFirst: true,
			response: { status: 500, body: { message: 'x' } },
		}),
	],
	[
		'502 in HTML, not acted',
		() => ({ when: post, times: 3, response: { status: 502, body: '<html>' } }),
	],
	[
		'504 in HTML, acted',
		() => ({ when: post, times: 3, actFirst: true, response: { status: 504, body: '<html>' } }),
	],
	[
		'503 with a wait',
		() => ({ when: post, times: 3, response: { status: 503, headers: { 'retry-after': '1' } } }),
	],
	['503 without one', () => ({ when: post, times: 3, response: { status: 503 } })],
	[
		'429 with seconds',
		() => ({ when: post, times: 3, response: { status: 429, headers: { 'retry-after': '1' } } }),
	],
	[
		'429 with a date',
		() => ({
			when: post,
			times: 3,
			response: {
				status: 429,
				headers: { 'retry-after': new Date(inSeconds(1) * 1000).toUTCString() },
			},
		}),
	],
	[
		'429 with RateLimit',
		() => ({
			when: post,
			times: 3,
			response: { status: 429, headers: { ratelimit: '"default";r=0;t=1' } },
		}),
	],
	[
		'429 with RateLimit-Reset',
		() => ({
			when: post,
			times: 3,
			response: { status: 429, headers: { 'ratelimit-reset': '1' } },
		}),
	],
	[
		'429 with X-RateLimit-Reset',
		() => ({
			when: post,
			times: 3,
			response: { status: 429, headers: { 'x-ratelimit-reset': `${inSeconds(1)}` } },
		}),
	],
	['429 with nothing', () => ({ when: post, times: 3, response: { status: 429 } })],
	[
		'429 with a wait of zero',
		() => ({ when: post, times: 3, response: { status: 429, headers: { 'retry-after': '0' } } }),
	],
	[
		'429 with a negative wait',
		() => ({ when: post, times: 3, response: { status: 429, headers: { 'retry-after': '-1' } } }),
	],
];

test.each(faults)('%s: no row is lost, none is posted twice', async (_, fault) => {
	const rows = sheetOf(service.sandbox, 12);
	service.sandbox.faults.add(fault());
	const { json, error } = await service.run(
		{ ...createPosts, requestOptions: { timeout: TIMEOUT } },
		{ rows },
	);
	expect(error).toBeUndefined();
	expect(ledgerOf(service.sandbox, rows, json)).toEqual(NOTHING_WRONG);
});

test.each(faults)('%s: a list is read nevertheless', async (_name, fault) => {
	service.sandbox.faults.add({ ...fault(), when: { method: 'GET' } });
	const { json, error } = await service.run({
		resource: 'location',
		operation: 'getAll',
		returnAll: true,
		requestOptions: { timeout: TIMEOUT },
	});
	expect(error).toBeUndefined();
	expect(json).toHaveLength(64);
});

test('a service that starts late is waited for', async () => {
	const { sandbox } = service;
	const port = Number(new URL(sandbox.origin).port);
	await sandbox.close();
	const again = new Promise<Sandbox>((resolve) => {
		setTimeout(() => resolve(startSandbox({ port })), 100);
	});
	const rows = sheetOf(sandbox, 6);
	const { json, error } = await service.run(createPosts, { rows });
	const second = await again;
	expect(error).toBeUndefined();
	expect(ledgerOf(second, rows, json)).toEqual(NOTHING_WRONG);
	await second.close();
});
