import axios from 'axios';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';
import type { Home } from './home';
import { freePort, LOOPBACK } from './port';

/** A running n8n. */
export interface Host {
	url: string;
	/** Settles when n8n has ended, by itself or stopped. */
	ended: Promise<void>;
	stop(): Promise<void>;
}

const STARTS_WITHIN = 180_000;
const STOPS_WITHIN = 20_000;

/** The pinned n8n has a folder of its own, so that the code here never finds n8n's packages. */
const FOLDER = join(__dirname, 'n8n');
const N8N = join(FOLDER, 'node_modules', 'n8n', 'bin', 'n8n');
export const N8N_MANIFEST = join(FOLDER, 'node_modules', 'n8n', 'package.json');
/** The Node that runs n8n. */
export const NODE = join(FOLDER, 'node_modules', '.bin', 'node');
const OWN_HOST = join(__dirname, 'ownHost.cjs');

/** Installs the pinned n8n on first use. */
export function installHost(): void {
	const { status } = spawnSync(process.execPath, [join(FOLDER, 'install.mjs')], {
		stdio: 'inherit',
	});
	if (status !== 0) throw new Complaint('n8n could not be installed. See the output above.');
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
		N8N_USER_FOLDER: home.folder,
		N8N_RESTRICT_FILE_ACCESS_TO: home.files,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_HOST: LOOPBACK,
		N8N_PORT: String(port),
		// If two run at the same time, the runners of one must not connect to the broker of the other.
		N8N_RUNNERS_BROKER_PORT: String(broker === port ? other : broker),
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

/** The last lines of n8n's own log. */
function tail(log: string, lines = 30): string {
	if (!existsSync(log)) return '(n8n wrote nothing)';
	return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** n8n responds to /healthz before its REST API exists, so the login shows whether it is ready. */
async function acceptsLogins(url: string): Promise<boolean> {
	try {
		const { data } = await axios.get<unknown>(`${url}/rest/login`, {
			proxy: false,
			timeout: 5_000,
			validateStatus: (status) => status === 200 || status === 401,
		});
		return typeof data === 'object'; // until then n8n returns a page that says it is starting
	} catch {
		return false;
	}
}

async function untilReady(url: string, home: Home, hasExited: () => boolean): Promise<void> {
	const deadline = Date.now() + STARTS_WITHIN;
	while (!(await acceptsLogins(url))) {
		if (hasExited()) {
			throw new Complaint(`n8n exited during startup. The end of its log:\n${tail(home.log)}`);
		}
		if (Date.now() > deadline) {
			throw new Complaint(
				`n8n was not ready within ${STARTS_WITHIN / 1000} s. The end of its log:\n${tail(home.log)}`,
			);
		}
		await wait(500);
	}
}

/** Starts the pinned n8n in its home folder, with more settings if given, and waits until it accepts logins. */
export async function startHost(
	home: Home,
	port: number,
	more: Record<string, string> = {},
): Promise<Host> {
	const log = openSync(home.log, 'w');
	// Its own process group: Ctrl-C reaches this program, which then stops n8n in order.
	const child = spawn(NODE, ['--require', OWN_HOST, N8N, 'start'], {
		cwd: home.folder,
		env: { ...(await settings(home, port)), ...more },
		stdio: ['ignore', log, log],
		detached: true,
	});
	closeSync(log);
	let over = false;
	const ended = new Promise<void>((resolve) => {
		const end = () => {
			over = true;
			resolve();
		};
		child.once('exit', end);
		child.once('error', end);
	});
	const signal = (name: NodeJS.Signals) => {
		if (!over && child.pid !== undefined) process.kill(-child.pid, name);
	};
	process.once('exit', () => signal('SIGKILL'));

	const host: Host = {
		url: `http://${LOOPBACK}:${port}`,
		ended,
		async stop() {
			signal('SIGTERM');
			const late = setTimeout(() => signal('SIGKILL'), STOPS_WITHIN);
			await ended;
			clearTimeout(late);
		},
	};
	try {
		await untilReady(host.url, home, () => over);
	} catch (error) {
		await host.stop();
		throw error;
	}
	return host;
}
