import { join } from 'node:path';
import { Complaint } from './complaint';
import pinned from './pinned/package.json';
import versions from './versions/list.json';

/** A version of n8n that is supported: a line of `versions/list.json`. */
export interface Version {
	n8n: string;
}

export const VERSIONS: readonly Version[] = versions;

const FOLDER = join(__dirname, 'versions');

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
const isPinned = ({ n8n }: Version) => n8n === pinned.dependencies.n8n;

/** The folder of the engine of an n8n, installed on first use; undefined for the pinned one. */
export async function installedEngine(version: Version): Promise<string | undefined> {
	if (isPinned(version)) return undefined;
	const folder = join(FOLDER, version.n8n, 'engine');
	const { install } = await import('./install.mjs');
	await install(folder, { label: `the engine of n8n ${version.n8n} (250 MB)`, minutes: 1 });
	return folder;
}
