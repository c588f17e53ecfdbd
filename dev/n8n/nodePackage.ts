import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command';
import { ROOT, type Home } from './home';

const { name, version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
	name: string;
	version: string;
};

export const installedIn = (home: Home): string => join(home.nodes, 'node_modules', name);

/** Builds the node and packs it as it would be published; returns the tarball's path. */
export async function pack(into: string): Promise<string> {
	await command('npm', ['run', 'build'], { cwd: ROOT });
	const how = ['--silent', '--ignore-scripts', '--pack-destination', into];
	const { stdout } = await command('npm', ['pack', ...how], { cwd: ROOT });
	return join(into, stdout.trim());
}

/** Installs the packed node into n8n's folder of nodes, without what n8n provides; its name and version. */
export async function installPackage(home: Home): Promise<string> {
	// The tests pack only once, for every n8n that they start.
	const tarball = process.env.LOCAL_SEO_TARBALL ?? (await pack(home.nodes));
	// An earlier build may have the same version.
	rmSync(installedIn(home), { recursive: true, force: true });
	const manifest = { name: 'installed-nodes', private: true };
	writeFileSync(join(home.nodes, 'package.json'), JSON.stringify(manifest));
	const how = ['--legacy-peer-deps', '--ignore-scripts', '--package-lock=false', '--no-audit'];
	await command('npm', ['install', ...how, tarball], { cwd: home.nodes });
	return `${name} ${version}`;
}
