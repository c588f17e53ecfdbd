import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { command } from './command';
import { Complaint } from './complaint';
import { ROOT } from './home';
import versions from './versions/list.json';

/** A version of n8n that is supported. `versions/list.json` is the list: one line adds one. */
export interface Version {
	n8n: string;
	/** The versions of Node.js on which the whole of it is tried. */
	nodes: string[];
	/** The day as of which its dependencies are resolved. */
	dependenciesOf: string;
}

export const VERSIONS: readonly Version[] = versions;

/**
 * The versions that the flags `--only` and `--node` choose, each with its versions of Node.js.
 *
 * @throws Complaint if there are none: a run that tests nothing must not succeed
 */
export function chosenVersions({ only, node }: { only?: string; node?: string }): Version[] {
	const chosen = VERSIONS.filter(({ n8n }) => !only || n8n === only)
		.map((version) => ({ ...version, nodes: version.nodes.filter((one) => !node || one === node) }))
		.filter(({ nodes }) => nodes.length > 0);
	if (chosen.length > 0) return chosen;
	const known = VERSIONS.map(({ n8n, nodes }) => `n8n ${n8n} on Node.js ${nodes.join(', ')}`);
	throw new Complaint(
		`dev/n8n/versions/list.json has no such version. It has:\n${known.join('\n')}`,
	);
}

/** A folder with a lock file, and what its installation is. */
interface Installable {
	folder: string;
	label: string;
	minutes: number;
	rebuild: string[];
}

const FOLDER = join(__dirname, 'versions');
const PINNED = join(__dirname, 'pinned');
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund'];

interface Manifest {
	dependencies?: Record<string, string>;
}

const manifestIn = (folder: string) =>
	JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest & { version: string };

/** Whether it is the n8n of the demo and of all other tests, whose engine develops this package. */
export const isPinned = ({ n8n }: Version) => manifestIn(PINNED).dependencies?.n8n === n8n;

/** The engine of n8n alone, installed on first use; undefined for the pinned one. */
export async function installedEngine(version: Version): Promise<string | undefined> {
	if (isPinned(version)) return undefined;
	const folder = join(FOLDER, version.n8n, 'engine');
	await lock(folder, version, async () => ({
		dependencies: { 'n8n-core': await coreOf(version) },
	}));
	return await installed({
		folder,
		minutes: 1,
		rebuild: [],
		label: `the engine of n8n ${version.n8n} (250 MB)`,
	});
}

/** The whole of n8n, installed on first use. */
export async function installedN8n(version: Version): Promise<string> {
	const label = `n8n ${version.n8n} (2.7 GB)`;
	if (isPinned(version)) {
		return await installed({ folder: PINNED, label, minutes: 4, rebuild: ['node', 'sqlite3'] });
	}
	const folder = join(FOLDER, version.n8n, 'n8n');
	await lock(folder, version, async () => ({
		dependencies: { n8n: version.n8n },
		overrides: { xlsx: '0.18.5' }, // n8n takes it from a site of its maker
	}));
	return await installed({ folder, label, minutes: 5, rebuild: ['sqlite3'] });
}

/** The binary of a version of Node.js, installed on first use; the pinned n8n has its own. */
export async function installedNode(version: Version, node: string): Promise<string> {
	if (isPinned(version)) return join(PINNED, 'node_modules', '.bin', 'node');
	const folder = join(FOLDER, 'node', node);
	await lock(folder, version, async () => ({ dependencies: { node } }));
	const label = `Node.js ${node}`;
	await installed({ folder, label, minutes: 1, rebuild: ['node'] });
	return join(folder, 'node_modules', '.bin', 'node');
}

async function coreOf({ n8n }: Version): Promise<string> {
	const { stdout } = await command('npm', ['view', `n8n@${n8n}`, 'dependencies.n8n-core']);
	return stdout;
}

/** Writes the lock file of a version that is new in the list; it is to be committed. */
async function lock(
	folder: string,
	{ dependenciesOf }: Version,
	manifest: () => Promise<object>,
): Promise<void> {
	if (existsSync(join(folder, 'package-lock.json'))) return;
	mkdirSync(folder, { recursive: true });
	const text = { private: true, ...(await manifest()) };
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(text, undefined, 2)}\n`);
	console.log(`Writing ${folder.slice(dirname(ROOT).length + 1)}/package-lock.json. Commit it.`);
	const how = ['--package-lock-only', '--omit-lockfile-registry-resolved'];
	const args = ['install', ...OPTIONS, ...how, `--before=${dependenciesOf}`];
	await command('npm', args, { cwd: folder });
}

async function installed({ folder, ...rest }: Installable): Promise<string> {
	const { install } = await import('./install.mjs');
	await install(folder, rest);
	return folder;
}
