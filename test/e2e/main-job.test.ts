import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, LOOPBACK, requireFree } from '../../dev/n8n/port';
import { WORKFLOWS } from '../../dev/demo/setup';
import { prepareHome } from '../../dev/n8n/home';
import { loginOf } from '../../dev/n8n/login';
import { logIn } from '../../dev/n8n/rest';
import { keys } from '../../dev/sandbox/access';
import { packed } from '../support/n8n';
import { rawRequest } from '../support/rawRequest';
import { runDemo, type Demo } from './demo';

jest.setTimeout(240_000);

describe('npm start', () => {
	// One home folder for all: the first start makes the database, the others find it.
	const state = mkdtempSync(join(tmpdir(), 'local-seo-demo-'));
	const file = (name: string) => join(state, '.n8n-files', name);
	let port: number;
	let sandboxPort: number;
	let flags: string[];
	let demo: Demo | undefined;

	beforeEach(async () => {
		[port, sandboxPort] = [await freePort(), await freePort()];
		flags = ['--state', state, '--port', String(port), '--sandbox-port', String(sandboxPort)];
	});
	afterEach(async () => {
		demo?.interrupt();
		await demo?.ended;
	});
	afterAll(() => rmSync(state, { recursive: true, force: true }));

	it('with --once posts every row of both spreadsheets, exports the insights, and ends well', async () => {
		demo = runDemo(['--once', ...flags]);
		const status = await demo.ended;
		const output = demo.output();
		expect(output).toMatch(/✓ Posts from an uploaded Excel file +40 rows, 40 posts created/);
		expect(output).toMatch(/✓ Posts from a CSV file +40 rows, 40 posts created/);
		expect(output).toMatch(/✓ Insights to a table +64 locations, 1920 rows/);
		expect(output).toContain('every post arrived exactly once');
		expect(status).toBe(0);
		expect(readFileSync(file('posts-results.csv'), 'utf8')).toContain('posted');
		expect(existsSync(file('insights.csv'))).toBe(true);
	});

	it('ends with status 1 if the posts did not arrive, and shows the messages of the node', async () => {
		demo = runDemo(['--once', '--key', 'read', ...flags], await packed());
		const status = await demo.ended;
		const output = demo.output();
		expect(output).toMatch(/✗ Posts from an uploaded Excel file +40 rows, 0 posts created/);
		expect(output).toMatch(/✗ Posts from a CSV file +40 rows, 0 posts created/);
		expect(output).toMatch(/is not posted: .*write/);
		expect(output).toMatch(/✓ Insights to a table/);
		expect(output).toContain('2 of 3 jobs failed');
		expect(status).toBe(1);
	});

	it('a third time finds its workflows and credential, stays, and frees the ports on Ctrl-C', async () => {
		demo = runDemo(flags, await packed());
		await demo.says('Press Ctrl-C to stop.');
		expect(demo.output()).toContain('every post arrived exactly once');
		// 40 posts are reported twice, and the page of the sandbox says 40.
		expect(demo.output()).toContain('The sandbox shows the posts from the CSV file');
		for (const key of Object.values(keys)) expect(demo.output()).toContain(key);

		const home = prepareHome(state);
		expect(demo.output()).toContain(loginOf(home).password);
		const rest = await logIn(`http://${LOOPBACK}:${port}`, home);
		expect(await rest.get('/workflows')).toHaveLength(Object.keys(WORKFLOWS).length);
		expect(await rest.get('/credentials')).toHaveLength(1);

		// A website whose name points to this machine is not served.
		for (const [used, path] of [
			[port, '/rest/settings'],
			[port, '/form/posts-from-a-spreadsheet'],
			[sandboxPort, '/sandbox/state'],
		] as const) {
			expect((await rawRequest(used, path)).status).toBe(200);
			const headers = { host: `evil.example:${used}` };
			expect((await rawRequest(used, path, { headers })).status).toBe(421);
		}

		demo.interrupt();
		await demo.ended;
		await requireFree(port, 'n8n', '--port');
		await requireFree(sandboxPort, 'the sandbox', '--sandbox-port');
	});

	describe('if a port is taken', () => {
		let server: Server;

		const occupy = async (taken: number) => {
			server = createServer();
			await new Promise<void>((resolve) => server.listen(taken, LOOPBACK, resolve));
		};
		afterEach(async () => await new Promise((resolve) => server.close(resolve)));

		it.each([
			['n8n', '--port', () => port],
			['the sandbox', '--sandbox-port', () => sandboxPort],
		])('of %s says so and names %s', async (user, flag, taken) => {
			await occupy(taken());
			demo = runDemo(['--once', ...flags], await packed());
			expect(await demo.ended).toBe(1);
			expect(demo.output()).toContain(
				`Port ${taken()} for ${user} is already taken. Stop what uses it, or choose another: npm start -- ${flag}`,
			);
		});
	});
});
