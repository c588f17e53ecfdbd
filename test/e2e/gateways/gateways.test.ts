import {
	type Backend,
	type Gateway,
	installGateways,
	startBackend,
	startHaproxy,
	startNginx,
	startVarnish,
} from '../../support/gateways';
import { LOSSES, REFUSALS } from '../../support/gatewayPages';
import { createPosts, plainRows, postSheet, postTo } from '../../support/sheet';

// Gateways as Debian has them, before a backend that makes each post in 100 ms.

beforeAll(installGateways, 600_000);

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

async function through(
	start: (backend: Backend) => Promise<Gateway>,
	workMs?: Parameters<typeof startBackend>[0],
): Promise<{ backend: Backend; origin: string }> {
	const backend = await startBackend(workMs);
	open.unshift(backend);
	const gateway = await start(backend);
	open.unshift(gateway);
	return { backend, origin: gateway.origin };
}

async function expectEachOnce(
	backend: Backend,
	origin: string,
	rows: number,
	parameters = createPosts,
) {
	const { json, error } = await postTo(origin, plainRows(rows), 'any', parameters);
	const titles = plainRows(rows).map(({ title }) => title);
	expect(error).toBeUndefined();
	expect(json.map(({ title }) => title)).toEqual(titles);
	expect(backend.posts.map(({ title }) => title).sort()).toEqual(titles.sort());
}

/** The fastest that 100 rows can pass a limit of 20 a second, with a burst of 20 or without; milliseconds. */
const AT_LEAST = { burst: 3_950, steady: 4_900 };

const nginx = (directives: string) => async (backend: Backend) =>
	await startNginx(backend, directives);

test.each<[string, number, (backend: Backend) => Promise<Gateway>]>([
	['limit_req', AT_LEAST.steady, nginx('limit_req zone=rate;')],
	['limit_req with a burst', AT_LEAST.burst, nginx('limit_req zone=rate burst=20 nodelay;')],
	['limit_req with 429', AT_LEAST.steady, nginx('limit_req zone=rate; limit_req_status 429;')],
])(
	'nginx %s: 100 rows, each once',
	async (_, atLeast, start) => {
		const { backend, origin } = await through(start);
		const started = performance.now();
		await expectEachOnce(backend, origin, 100);
		// The limit was there.
		expect(performance.now() - started).toBeGreaterThan(atLeast);
		// What reaches the backend is done; what is refused costs no look at the list.
		expect(backend.requests).toBeLessThanOrEqual(backend.posts.length + 2);
	},
	120_000,
);

test.each<[string, (backend: Backend) => Promise<Gateway>]>([
	['nginx limit_conn', nginx('limit_conn connections 4;')],
	['HAProxy maxconn', async (backend) => await startHaproxy(backend, 'maxconn 4')],
])(
	'%s: 100 rows, each once',
	async (_, start) => {
		const { backend, origin } = await through(start);
		await expectEachOnce(backend, origin, 100);
		expect(backend.peak).toBe(4);
		expect(backend.requests).toBeLessThanOrEqual(backend.posts.length + 2);
	},
	120_000,
);

test('a backend that has acted behind a gateway that gives up is looked at, and nothing is sent twice', async () => {
	const slow = (nth: number) => (nth === 3 ? 2_000 : 20);
	for (const start of [
		async (backend: Backend) => await startVarnish(backend, 'first_byte_timeout=0.5'),
		nginx('proxy_read_timeout 500ms;'),
	]) {
		const { backend, origin } = await through(start, slow);
		await expectEachOnce(backend, origin, 10, { ...postSheet, ifExists: 'skip' });
		expect(backend.posts).toHaveLength(10);
	}
}, 180_000);

describe('their pages are as test/support/gatewayPages.ts has them', () => {
	const post = async (origin: string) => {
		const response = await fetch(`${origin}/api/v1/locations/loc_1/posts`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(plainRows(1)[0]),
		});
		return { status: response.status, body: plain(await response.text()) };
	};
	/** Without numbers of requests, and versions: Ubuntu signs as `nginx/1.24.0 (Ubuntu)`. */
	const plain = (body: string) => body.replace(/nginx\/[^<]+|XID: \d+/, '…');
	const page = ({ status, body }: { status: number; body: string }) => ({
		status,
		body: plain(body),
	});

	test('nginx, HAProxy and Varnish', async () => {
		const slow = () => 1_000;
		const answers = async (start: (backend: Backend) => Promise<Gateway>, count: number) => {
			const { origin } = await through(start, slow);
			return await Promise.all(Array.from({ length: count }, async () => await post(origin)));
		};
		const rate = await answers(nginx('limit_req zone=rate;'), 2);
		expect(rate).toContainEqual(page(REFUSALS['nginx, limit_req and limit_conn']));
		expect(await answers(nginx('limit_conn connections 1;'), 2)).toContainEqual(
			page(REFUSALS['nginx, limit_req and limit_conn']),
		);
		const queue = await answers(async (one) => await startHaproxy(one, 'maxconn 1'), 2);
		expect(queue).toContainEqual(page(REFUSALS['HAProxy, timeout queue']));
		expect(await answers(nginx('proxy_read_timeout 200ms;'), 1)).toEqual([
			page(LOSSES['nginx, 504']),
		]);
		const fetched = async (one: Backend) => await startVarnish(one, 'first_byte_timeout=0.2');
		expect(await answers(fetched, 1)).toEqual([page(LOSSES.Varnish)]);
	}, 60_000);
});
