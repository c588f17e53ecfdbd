import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';

import { LocalSeo } from '../../nodes/LocalSeo/LocalSeo.node';
import { editorWait } from '../../nodes/LocalSeo/host/connect';
import { until } from '../../dev/n8n/until';
import { byId, useSandbox } from '../support/fixture';
import { closeAll, listening, verdictOn } from '../support/secureService';
import { createPosts, sheetOf } from '../support/sheet';

// Nothing hangs, and nothing is left behind: no connection and no listener.

const service = useSandbox();
// The first request loads half of n8n-core, which on a busy machine takes longer than a timeout.
beforeEach(async () => void (await service.run({ resource: 'location', operation: 'getAll' })));

describe('of a response that never ends', () => {
	const sockets = new Set<Socket>();
	let opened = 0;
	let credential: { baseUrl: string; apiKey: string };
	const { longestMs } = editorWait;

	beforeEach(async () => {
		editorWait.longestMs = 1_000;
		opened = 0;
		// A byte now and then: the timeout of n8n's HTTP client counts the time without any.
		const server = createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 20);
			response.on('close', () => clearInterval(drip));
		});
		server.on('connection', (socket) => {
			opened++;
			sockets.add(socket);
			socket.on('close', () => sockets.delete(socket));
		});
		const port = await listening(server);
		credential = { baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: 'sk_test' };
	});
	afterEach(() => {
		editorWait.longestMs = longestMs;
		closeAll();
	});

	const { searchLocations } = new LocalSeo().methods.listSearch;
	const insights = { resource: 'insight', operation: 'get', locationId: byId('loc_1') };
	const requestOptions = { timeout: 1_000 };
	const search = async () => await searchLocations.call(service.editor({}, credential), 'a');

	test.each<[string, () => Promise<unknown>]>([
		[
			'a row',
			async () => {
				const parameters = { ...insights, requestOptions, options: { maxWait: 1 } };
				const { error } = await service.run(parameters, { credential });
				throw new Error(error?.message);
			},
		],
		// Searches for the same list share its requests.
		['a list in the editor', async () => await Promise.all([search(), search()])],
		[
			'a poll',
			async () =>
				await service.poller({ events: ['locationAdded'] }, { credential, budget: 1_000 }).poll(),
		],
		[
			'the test of the credential',
			async () => Promise.reject(new Error(await verdictOn(credential))),
		],
	])('no connection is left behind by %s', async (_, act) => {
		await expect(act()).rejects.toThrow(/took too long|did not respond/);
		expect(opened).toBe(1);
		await until('the connections to be closed', () => sockets.size === 0, { seconds: 30 });
	});
});

// Node.js warns of a leak above ten; n8n allows more at the signal of an execution, not each host does.
const MOST = 10;

test('the requests of a sheet do not all listen to one signal', async () => {
	let most = 0;
	const add = EventTarget.prototype.addEventListener;
	const spy = jest.spyOn(EventTarget.prototype, 'addEventListener');
	spy.mockImplementation(function (this: EventTarget, ...listener) {
		add.apply(this, listener);
		most = Math.max(most, getEventListeners(this, 'abort').length);
	});
	// Far longer than a busy machine takes, so that more are sent at once.
	service.sandbox.faults.add({ delayMs: 500 });
	const { error } = await service.run(createPosts, { rows: sheetOf(service.sandbox, 90) });
	spy.mockRestore();
	expect(error).toBeUndefined();
	const inFlight = service.sandbox.requests.map((request) => request.inFlight);
	expect(Math.max(...inFlight)).toBeGreaterThan(MOST);
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThanOrEqual(MOST);
});
