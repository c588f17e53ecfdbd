import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { command } from './command';
import { Complaint } from './complaint';
import type { Home } from './home';
import { http } from './http';
import { freePort, LOOPBACK } from './port';
import { launch, type Launched } from './process';

/** A running n8n, or one of its workers. */
export interface Host extends Omit<Launched, 'untilReady'> {
	url: string;
}

/** The pinned n8n has a folder of its own, so that the code here never finds n8n's packages. */
const FOLDER = join(__dirname, 'pinned');
const MODULES = join(FOLDER, 'node_modules');
const N8N = join(MODULES, 'n8n', 'bin', 'n8n');
export const N8N_MANIFEST = join(MODULES, 'n8n', 'package.json');
const NODE = join(MODULES, '.bin', 'node');
const OWN_HOST = join(__dirname, 'ownHost.cjs');

export async function installHost(): Promise<void> {
	const script = join(FOLDER, 'install.mjs');
	const shown = { stdio: 'inherit', reject: false } as const;
	const { failed } = await command(process.execPath, [script], shown);
	if (failed) throw new Complaint('n8n could not be installed. See the output above.');
}

/** Where something was measured: `2 cores, Node 24.21.0, n8n 2.41.1`. */
export async function machine(): Promise<string> {
	const { stdout: node } = await command(NODE, ['--version']);
	const { version } = JSON.parse(readFileSync(N8N_MANIFEST, 'utf8')) as { version: string };
	return `${availableParallelism()} cores, Node ${node.slice(1)}, n8n ${version}`;
}

/** Environment variables of the shell or the test runner that would change how n8n runs. */
const FOREIGN = /^(N8N|DB|EXECUTIONS|QUEUE|CREDENTIALS|GENERIC|WORKFLOWS|WEBHOOK|NODE|JEST|npm)_/;

function cleanEnvironment(): NodeJS.ProcessEnv {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
}

async function settings(home: Home, port: number): Promise<NodeJS.ProcessEnv> {
	const [broker, other] = [await freePort(), await freePort()];
	return {
		...cleanEnvironment(),
		NO_PROXY: `${LOOPBACK},localhost`,
		no_proxy: `${LOOPBACK},localhost`,
		// Each start compiles less than the one before.
		NODE_COMPILE_CACHE: join(MODULES, '.cache', 'compiled'),
		// It makes many short-lived objects.
		NODE_OPTIONS: '--max-semi-space-size=64',
		N8N_USER_FOLDER: home.folder,
		N8N_RESTRICT_FILE_ACCESS_TO: home.files,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_HOST: LOOPBACK,
		N8N_PORT: String(port),
		// If two run at the same time, the runners of one must not connect to the broker of the other.
		N8N_RUNNERS_BROKER_PORT: String(broker === port ? other : broker),
		// In which the examples' days are those of the sandbox.
		GENERIC_TIMEZONE: 'Etc/UTC',
		N8N_SECURE_COOKIE: 'false',
		// On a machine that is busy for seconds, n8n would otherwise take the database for lost and return 503.
		DB_PING_TIMEOUT_MS: '120000',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// Nothing that contacts the internet or prompts the user.
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
	};
}

/** n8n responds to /healthz before its REST API exists, so the login shows whether it is ready. */
async function acceptsLogins(url: string): Promise<boolean> {
	const answer = await http.get(`${url}/rest/login`, { timeout: 5_000 }).catch(() => undefined);
	const isLogin = answer?.status === 200 || answer?.status === 401;
	return isLogin && typeof answer.data === 'object'; // until then n8n returns a page that says it is starting
}

async function takesExecutions(url: string): Promise<boolean> {
	const ready = `${url}/healthz/readiness`;
	const answer = await http.get(ready, { timeout: 5_000 }).catch(() => undefined);
	return answer?.status === 200;
}

async function launchHost(
	name: string,
	home: Home,
	port: number,
	args: string[],
	more: Record<string, string>,
): Promise<Launched & { url: string }> {
	const launched = await launch([NODE, '--require', OWN_HOST, N8N, ...args], {
		name,
		cwd: home.folder,
		env: { ...(await settings(home, port)), ...more },
		log: home.log,
	});
	return { ...launched, url: `http://${LOOPBACK}:${port}` };
}

/** Starts the pinned n8n in its home folder, with more settings if given, and waits until it accepts logins. */
export async function startHost(
	home: Home,
	port: number,
	more: Record<string, string> = {},
): Promise<Host> {
	const host = await launchHost('n8n', home, port, ['start'], more);
	await host.untilReady(async () => await acceptsLogins(host.url));
	return host;
}

/**
 * Starts a worker of an n8n in queue mode, in the same home folder but with a log of its own, and waits
 * until it takes executions. At most `concurrency` of them run on it at the same time.
 */
export async function startWorker(
	home: Home,
	port: number,
	concurrency: number,
	more: Record<string, string>,
): Promise<Host> {
	const args = ['worker', `--concurrency=${concurrency}`];
	const worker = await launchHost('The worker', home, port, args, {
		...more,
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: LOOPBACK,
	});
	await worker.untilReady(async () => await takesExecutions(worker.url));
	return worker;
}
