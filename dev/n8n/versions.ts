import { join } from 'node:path';
import pinned from './pinned/package.json';
import versions from './versions/list.json';

/** The versions of n8n that are supported, the oldest first. */
export const VERSIONS: readonly string[] = versions;

/**
 * The folder of the engine of an n8n, installed on first use; undefined for the n8n of the demo and of all
 * other tests, whose engine develops this package.
 */
export async function installedEngine(version: string): Promise<string | undefined> {
	if (version === pinned.dependencies.n8n) return undefined;
	const folder = join(__dirname, 'versions', version, 'engine');
	const { install } = await import('./install.mjs');
	await install(folder, { label: `the engine of n8n ${version} (250 MB)`, minutes: 1 });
	return folder;
}
