import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { aptInstall, findProgram, isRoot } from '../../n8n/attempt';
import { Complaint } from '../../n8n/complaint';

/** Where the programs of the two stores are. */
export interface Programs {
	/** The folder of postgres, initdb and the others. */
	postgres: string;
	redis: string;
}

/** Debian's packages, by the program that each brings. */
const PACKAGES = { postgres: 'postgresql', 'redis-server': 'redis-server' };

export const MISSING =
	'PostgreSQL and Redis are needed. Install them (on Debian and Ubuntu: sudo apt-get install postgresql redis-server; on macOS: brew install postgresql redis), or let Docker run them: npx gulp demo:queue --docker';

const DEBIAN = '/usr/lib/postgresql';

/** Debian keeps PostgreSQL's programs out of the PATH, a folder for each version; the newest comes first. */
function debianFolders(): string[] {
	if (!existsSync(DEBIAN)) return [];
	const versions = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one));
	return versions.map((version) => join(DEBIAN, version, 'bin'));
}

const find = (program: string) => findProgram(program, debianFolders());

// initdb is beside the program that a link leads to.
const folderOf = (postgres: string) => dirname(realpathSync(postgres));

/** The folder of PostgreSQL's programs; undefined if it is not installed. */
export function findPostgres(): string | undefined {
	const postgres = find('postgres');
	return postgres && folderOf(postgres);
}

/** Finds PostgreSQL and Redis, and installs what is missing if this program may. */
export async function findOrInstall(): Promise<Programs> {
	const missing = Object.entries(PACKAGES).filter(([program]) => !find(program));
	if (missing.length > 0 && isRoot()) {
		const packages = missing.map(([, name]) => name);
		console.log(`Installing ${packages.join(' and ')} with apt-get (once) …`);
		await aptInstall(...packages);
	}
	const [postgres, redis] = [find('postgres'), find('redis-server')];
	if (!postgres || !redis) throw new Complaint(MISSING);
	// Redis has to keep the name of its link.
	return { postgres: folderOf(postgres), redis };
}
