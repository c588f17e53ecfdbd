import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command';
import { Complaint } from './complaint';
import versions from './versions/list.json';

/** A version of n8n that is supported. `versions/list.json` is the list: one line adds one. */
export interface Version {
	n8n: string;
	/** The day as of which its dependencies are resolved: `2026-10-11`. */
	dependenciesOf: string;
}

export const VERSIONS: readonly Version[] = versions;

const FOLDER = join(__dirname, 'versions');
const PINNED = join(__dirname, 'pinned', 'package.json');

/**
 * The version that the flag `--only` chooses; all without it.
 *
 * @throws Complaint if there is none: a run that tests nothing must not succeed
 */
export function chosenVersions(only?: string): readonly Version[] {
	const chosen = VERSIONS.filter(({ n8n }) => !only || n8n === only);
	if (chosen.length > 0) return chosen;
	const known = VERSIONS.map(({ n8n }) => n8n).join(', ');
	throw new Complaint(`dev/n8n/versions/list.json has no such version. It has ${known}.`);
}

/** Whether it is the n8n of the demo and of all other tests, whose engine develops this package. */
function isPinned({ n8n }: Version): boolean {
	const { dependencies } = JSON.parse(readFileSync(PINNED, 'utf8')) as {
		dependencies: { n8n: string };
	};
	return dependencies.n8n === n8n;
}

/** The folder of the engine of an n8n, installed on first use; undefined for the pinned one. */
export async function installedEngine(version: Version): Promise<string | undefined> {
	if (isPinned(version)) return undefined;
	const folder = join(FOLDER, version.n8n, 'engine');
	if (!existsSync(join(folder, 'package-lock.json'))) await lock(folder, version);
	const { install } = await import('./install.mjs');
	await install(folder, { label: `the engine of n8n ${version.n8n} (250 MB)`, minutes: 1 });
	return folder;
}

/** Writes the lock file of a version that is new in the list; it is to be committed. */
async function lock(folder: string, { n8n, dependenciesOf }: Version): Promise<void> {
	mkdirSync(folder, { recursive: true });
	const { stdout } = await command('npm', ['view', `n8n@${n8n}`, 'dependencies.n8n-core']);
	const manifest = { private: true, dependencies: { 'n8n-core': stdout } };
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
	console.log(`Writing the lock file of the engine of n8n ${n8n}. Commit it.`);
	const how = ['--ignore-scripts', '--no-audit', '--no-fund', '--package-lock-only'];
	const args = [...how, '--omit-lockfile-registry-resolved', `--before=${dependenciesOf}`];
	await command('npm', ['install', ...args], { cwd: folder });
}
