import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fastify from 'fastify';

import { aptInstall, findProgram } from '../../dev/n8n/attempt';
import { Complaint } from '../../dev/n8n/complaint';
import { http } from '../../dev/n8n/http';
import { freePort } from '../../dev/n8n/port';
import { launch } from '../../dev/n8n/process';

const PROGRAMS = { nginx: 'nginx', haproxy: 'haproxy', varnish: 'varnishd' };

/** Installs the gateways from Debian where they are not there. */
export async function installGateways(): Promise<void> {
	const missing = () =>
		Object.entries(PROGRAMS)
			.filter(([, program]) => !findProgram(program))
			.map(([name]) => name);
	if (missing().length > 0) await aptInstall(...missing());
	if (missing().length > 0) throw new Complaint(`Install first: ${missing().join(', ')}`);
}

/** A backend of the service that makes content posts, and little else. */
export type Backend = Awaited<ReturnType<typeof startBackend>>;

/** @param workMs milliseconds that a post takes */
export async function startBackend(workMs: (nth: number) => number = () => 100) {
	const app = fastify({ forceCloseConnections: true });
	/** Requests that arrived, and the most that were there at once. */
	const backend = { posts: [] as Array<Record<string, unknown>>, requests: 0, peak: 0 };
	let active = 0;
	// A run that names its locations reads each of them once.
	app.get<{ Params: { id: string } }>('/api/v1/locations/:id', async ({ params: { id } }) => ({
		data: { id, name: 'Corner Bakery' },
	}));
	app.get('/api/v1/locations/:id/posts', async () => {
		backend.requests++;
		return { data: backend.posts, meta: { total: backend.posts.length } };
	});
	app.post('/api/v1/locations/:id/posts', async ({ body }, reply) => {
		const nth = backend.requests++;
		active++;
		backend.peak = Math.max(backend.peak, active);
		await wait(workMs(nth));
		active--;
		const created_at = new Date().toISOString();
		const post = { id: `post_${backend.posts.length + 1}`, ...(body as object), created_at };
		backend.posts.push(post);
		return await reply.code(201).send({ data: post });
	});
	const origin = await app.listen({ host: '127.0.0.1', port: 0 });
	const { port } = app.server.address() as AddressInfo;
	return Object.assign(backend, { port, origin, close: async () => await app.close() });
}

export interface Gateway {
	origin: string;
	close(): Promise<void>;
}

/** nginx with these directives where the requests go through. */
export async function startNginx(backend: Backend, directives: string): Promise<Gateway> {
	return await start('nginx', (port, folder) => {
		const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
			.map((name) => `${name}_temp_path ${folder}/${name};`)
			.join(' ');
		writeFileSync(
			join(folder, 'nginx.conf'),
			`daemon off; pid ${folder}/nginx.pid; error_log ${folder}/errors crit;
			events {}
			http {
				access_log off; ${temporary}
				limit_req_zone $binary_remote_addr zone=rate:1m rate=20r/s;
				limit_conn_zone $binary_remote_addr zone=connections:1m;
				server {
					listen 127.0.0.1:${port};
					location / { ${directives} proxy_pass http://127.0.0.1:${backend.port}; }
				}
			}`,
		);
		return ['-c', join(folder, 'nginx.conf'), '-e', join(folder, 'errors')];
	});
}

export async function startHaproxy(backend: Backend, settings: string): Promise<Gateway> {
	return await start('haproxy', (port, folder) => {
		writeFileSync(
			join(folder, 'haproxy.cfg'),
			`defaults
				mode http
				timeout client 60s
				timeout server 60s
				timeout connect 5s
				timeout queue 500ms
			frontend in
				bind 127.0.0.1:${port}
				default_backend out
			backend out
				server one 127.0.0.1:${backend.port} ${settings}\n`,
		);
		return ['-f', join(folder, 'haproxy.cfg')];
	});
}

export async function startVarnish(backend: Backend, ...parameters: string[]): Promise<Gateway> {
	return await start('varnish', (port, folder) => [
		...['-F', '-j', 'none', '-n', join(folder, 'work')],
		...['-a', `127.0.0.1:${port}`, '-b', `127.0.0.1:${backend.port}`],
		...parameters.flatMap((parameter) => ['-p', parameter]),
	]);
}

async function start(
	name: keyof typeof PROGRAMS,
	argumentsFor: (port: number, folder: string) => string[],
): Promise<Gateway> {
	const folder = mkdtempSync(join(tmpdir(), `local-seo-${name}-`));
	const port = await freePort();
	const origin = `http://127.0.0.1:${port}`;
	const gateway = await launch([PROGRAMS[name], ...argumentsFor(port, folder)], {
		name,
		cwd: folder,
		log: join(folder, 'log'),
	});
	await gateway.untilReady(async () => {
		const answer = await http.get(`${origin}/api/v1/locations/x/posts`).catch(() => undefined);
		return answer?.status === 200;
	});
	return {
		origin,
		close: async () => {
			await gateway.stop();
			rmSync(folder, { recursive: true });
		},
	};
}
