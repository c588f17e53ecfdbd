import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { CREDENTIAL, exampleWith, WORKFLOWS } from '../../dev/demo/setup';
import { prepareHome } from '../../dev/n8n/home';
import { http } from '../../dev/n8n/http';
import { loginOf } from '../../dev/n8n/login';
import { freePort, LOOPBACK, requireFree } from '../../dev/n8n/port';
import { logIn } from '../../dev/n8n/rest';
import type { Named, NewWorkflow } from '../../dev/n8n/workflow';
import { startSandbox } from '../../dev/sandbox';
import { keys } from '../../dev/sandbox/access';
import { type Demo, runDemo } from '../support/demo';
import { packed } from '../support/n8n';

const state = mkdtempSync(join(tmpdir(), 'local-seo-demo-'));
let [port, sandboxPort] = [0, 0];
let demo: Demo | undefined;
let mine: Named & NewWorkflow;

async function start(flags: string[], tarball?: string): Promise<Demo> {
	[port, sandboxPort] = [await freePort(), await freePort()];
	const where = ['--state', state, '--port', `${port}`, '--sandbox-port', `${sandboxPort}`];
	return (demo = runDemo([...where, ...flags], tarball));
}
afterEach(async () => {
	demo?.interrupt();
	await demo?.ended;
});
afterAll(() => rmSync(state, { recursive: true, force: true }));

test('every row of the spreadsheet is posted once; it stays, and frees its ports on Ctrl-C', async () => {
	const { says, output, interrupt, ended } = await start([], await packed());
	await says('Press Ctrl-C to stop.');
	expect(output()).toMatch(/✓ Posts from a CSV file +40 rows, 40 posts created with 40 requests/);
	expect(output()).toMatch(/✓ Insights to a table +64 locations, 1920 rows/);
	expect(output()).toContain('every post arrived exactly once');
	const home = prepareHome(state);
	const secrets = [...Object.values(keys), loginOf(home).password];
	for (const secret of secrets) expect(output()).toContain(secret);
	const url = `http://${LOOPBACK}:${port}`;
	const rest = await logIn(url, home);
	const listed = await rest.get<Named[]>('/workflows?sortBy=updatedAt:desc');
	expect(listed).toHaveLength(Object.keys(WORKFLOWS).length);
	expect(listed[0].name).toBe('Posts from a form');
	const credentials = await rest.get<Named[]>('/credentials');
	expect(credentials).toHaveLength(2);
	const ofSandbox = credentials.find(({ name }) => name === CREDENTIAL.name)!;
	// As the README says: a time zone is chosen, and an example imported.
	await rest.patch('/workflows/demo-form', { settings: { timezone: 'Europe/Berlin' } });
	mine = await rest.post('/workflows', exampleWith(ofSandbox, WORKFLOWS.insights));

	// A website whose name points to this machine is not served.
	for (const [used, path, status] of [
		[port, '/rest/settings', 200],
		[port, '/form/posts-from-a-spreadsheet', 401],
		[sandboxPort, '/', 200],
	] as const) {
		const address = `http://${LOOPBACK}:${used}${path}`;
		expect((await http.get(address)).status).toBe(status);
		const headers = { host: `evil.example:${used}` };
		expect((await http.get(address, { headers })).status).toBe(421);
	}

	interrupt();
	expect(await ended).toBe(0);
	for (const used of [port, sandboxPort]) await requireFree(used, 'it', '--port');
});

test('started again, it passes its checks and leaves alone what the user has made', async () => {
	const { says, output } = await start([], await packed());
	await says('Press Ctrl-C to stop.');
	expect(output()).toContain('every post arrived exactly once');
	const rest = await logIn(`http://${LOOPBACK}:${port}`, prepareHome(state));
	expect(await rest.get(`/workflows/${mine.id}`)).toMatchObject({ nodes: mine.nodes });
	const credentials = await rest.get<Named[]>('/credentials');
	const { id } = credentials.find(({ name }) => name === CREDENTIAL.name)!;
	expect(JSON.stringify(mine.nodes)).toContain(id);
});

test('a port that is taken is named before anything starts', async () => {
	const sandbox = await startSandbox();
	const { port: taken } = new URL(sandbox.origin);
	const { ended, output } = await start(['--once', '--sandbox-port', `${taken}`]);
	expect(await ended).toBe(1);
	expect(output()).toContain(
		`Port ${taken} for the sandbox is already taken. Stop what uses it, or choose another: npm start -- --sandbox-port`,
	);
	await sandbox.close();
});
