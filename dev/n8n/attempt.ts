import { spawn } from 'node:child_process';

export type Command = [name: string, ...args: string[]];

/** Runs a command for at most so many seconds, without its output. Whether it worked is seen by what is there then. */
export async function attempt([name, ...args]: Command, seconds: number): Promise<void> {
	// Its own process group, so that its child processes end with it.
	const child = spawn(name, args, {
		stdio: 'ignore',
		detached: true,
		env: {
			...process.env,
			DEBIAN_FRONTEND: 'noninteractive',
			PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
		},
	});
	const late = setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), seconds * 1000);
	await new Promise<void>((resolve) => {
		child.once('error', () => resolve());
		child.once('exit', () => resolve());
	});
	clearTimeout(late);
}

/** Whether this program runs as root: it may install packages, but not run PostgreSQL. */
export const isRoot = () => process.getuid?.() === 0;

/** Installs Debian packages, if this program may. */
export async function aptInstall(...packages: string[]): Promise<void> {
	if (!isRoot()) return;
	await attempt(['apt-get', 'update'], 120);
	await attempt(['apt-get', 'install', '--yes', '--no-install-recommends', ...packages], 600);
}
