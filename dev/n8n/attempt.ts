import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { command } from './command';

/** Runs a command for at most so many seconds, without its output. Success is judged by the files it leaves. */
export async function attempt([name, ...args]: string[], seconds: number): Promise<void> {
	await command(name, args, {
		stdio: 'ignore',
		reject: false,
		timeout: seconds * 1000,
		env: {
			DEBIAN_FRONTEND: 'noninteractive',
			PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000',
		},
	});
}

/** The path of a program, in the PATH or in one of these folders; undefined if it is not installed. */
export function findProgram(name: string, folders: string[] = []): string | undefined {
	const all = [...(process.env.PATH ?? '').split(delimiter), ...folders];
	return all.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** Whether this program runs as root: it may install packages, but not run PostgreSQL. */
export const isRoot = () => process.getuid?.() === 0;

/** Installs Debian packages, if this program may. */
export async function aptInstall(...packages: string[]): Promise<void> {
	if (!isRoot()) return;
	await attempt(['apt-get', 'update'], 120);
	await attempt(['apt-get', 'install', '--yes', '--no-install-recommends', ...packages], 600);
}
