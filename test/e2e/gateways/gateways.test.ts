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

// Gateways as Debian has them answer as test/support/gatewayPages.ts has it. What the node makes of that:
// unit/client/responses; that all rows pass through: simulation/pace; that none is sent twice: simulation/worlds.

beforeAll(installGateways, 600_000);

const open: Array<{ close(): Promise<void> }> = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

const nginx = (directives: string) => async (backend: Backend) =>
	await startNginx(backend, directives);

/** Without numbers of requests, and versions: Ubuntu signs as `nginx/1.24.0 (Ubuntu)`. */
const plain = (body: string) => body.replace(/nginx\/[^<]+|XID: \d+/, '…');
const page = ({ status, body }: { status: number; body: string }) => ({
	...{ status, body: plain(body) },
});

/** What so many posts at once come to, through a gateway before a backend that takes a second for each. */
async function answers(start: (backend: Backend) => Promise<Gateway>, count: number) {
	const backend = await startBackend(1_000);
	open.unshift(backend);
	const gateway = await start(backend);
	open.unshift(gateway);
	const post = async () => {
		const response = await fetch(`${gateway.origin}/api/v1/locations/loc_1/posts`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ title: 'A', content: 'B' }),
		});
		return page({ status: response.status, body: await response.text() });
	};
	return await Promise.all(Array.from({ length: count }, post));
}

test('nginx, HAProxy and Varnish', async () => {
	const limited = page(REFUSALS['nginx, limit_req and limit_conn']);
	expect(await answers(nginx('limit_req zone=rate;'), 2)).toContainEqual(limited);
	expect(await answers(nginx('limit_conn connections 1;'), 2)).toContainEqual(limited);
	const queue = await answers(async (one) => await startHaproxy(one, 'maxconn 1'), 2);
	expect(queue).toContainEqual(page(REFUSALS['HAProxy, timeout queue']));
	const late = await answers(nginx('proxy_read_timeout 200ms;'), 1);
	expect(late).toEqual([page(LOSSES['nginx, 504'])]);
	const fetched = async (one: Backend) => await startVarnish(one, 'first_byte_timeout=0.2');
	expect(await answers(fetched, 1)).toEqual([page(LOSSES.Varnish)]);
}, 60_000);
