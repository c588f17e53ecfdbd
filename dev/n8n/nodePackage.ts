import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command';
import { ROOT, type Home } from './home';

interface Manifest {
	name: string;
	version: string;
	[key: string]: unknown;
}

const NOT_SHIPPED = ['devDependencies', 'peerDependencies', 'optionalDependencies'];

function readManifest(folder: string): Manifest {
	return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}

function writeManifest(folder: string, manifest: unknown): void {
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
}

export function installedIn(home: Home): string {
	return join(home.nodes, 'node_modules', readManifest(ROOT).name);
}

/** Builds the node and packs it as it would be published; returns the tarball's path. */
export async function pack(into: string): Promise<string> {
	await command('npm', ['run', 'build'], { cwd: ROOT });
	const how = ['--ignore-scripts', '--json', '--pack-destination', into];
	const { stdout } = await command('npm', ['pack', ...how], { cwd: ROOT });
	const [{ filename }] = JSON.parse(stdout) as Array<{ filename: string }>;
	return join(into, filename);
}

/**
 * Installs the packed node the way n8n installs a community package: unpacks it into the folder of
 * nodes, drops the dependencies that do not ship, installs the rest and lists the package.
 */
export async function installPackage(home: Home): Promise<Manifest> {
	const folder = installedIn(home);
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });

	// The tests pack only once, for every n8n that they start.
	const tarball = process.env.LOCAL_SEO_TARBALL ?? (await pack(home.nodes));
	await command('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1']);
	if (tarball !== process.env.LOCAL_SEO_TARBALL) rmSync(tarball);

	const manifest = readManifest(folder);
	for (const kind of NOT_SHIPPED) delete manifest[kind];
	writeManifest(folder, manifest);
	const how = ['--install-strategy=shallow', '--ignore-scripts', '--package-lock=false'];
	const quietly = ['--bin-links=false', '--audit=false', '--fund=false'];
	await command('npm', ['install', ...how, ...quietly], { cwd: folder });
	writeManifest(home.nodes, {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
	return manifest;
}
