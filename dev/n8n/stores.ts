import { randomBytes } from 'node:crypto';
import {
	chownSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { aptInstall, findProgram, isRoot } from './attempt';
import { command } from './command';
import { Complaint } from './complaint';
import { freePort, LOOPBACK } from './port';
import { launch, type User } from './process';
import type { Program } from './program';

type Closing = Pick<Program, 'atEnd'>;

const DEBIAN = '/usr/lib/postgresql';
const MISSING =
	'PostgreSQL and Redis are needed. Install them: on Debian and Ubuntu, sudo apt-get install postgresql redis-server; on macOS, brew install postgresql redis';

/** Debian keeps PostgreSQL's programs out of the PATH, a folder for each version. */
function find(program: string): string | undefined {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	return findProgram(
		program,
		versions.map((version) => join(DEBIAN, version, 'bin')),
	);
}

const PACKAGES = { postgres: 'postgresql', 'redis-server': 'redis-server' };

/** The path of a program, which is installed from Debian if it is missing and this one may. */
async function installed(name: keyof typeof PACKAGES): Promise<string> {
	if (!find(name)) await aptInstall(PACKAGES[name]);
	const path = find(name);
	if (!path) throw new Complaint(MISSING);
	return path;
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function userOfStores(): Promise<User | undefined> {
	if (!isRoot()) return undefined;
	const idOf = async (flag: string) => Number((await command('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** A folder that the stores' user owns, with one file in it; it is removed at the end. */
function folderWith(program: Closing, user: User | undefined, text: string) {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-stores-'));
	program.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, 'settings');
	writeFileSync(file, text, { mode: 0o600 });
	for (const path of user ? [folder, file] : []) chownSync(path, user!.uid, user!.gid);
	return { folder, file };
}

async function startStore(
	program: Closing,
	run: [string, ...string[]],
	{ folder, user, stopSignal }: { folder: string; user?: User; stopSignal?: NodeJS.Signals },
): Promise<void> {
	const log = join(folder, 'log');
	const store = await launch(run, { name: run[0], cwd: folder, log, user, stopSignal });
	program.atEnd(async () => await store.stop());
	// Both write this to their logs.
	const isReady = () => /ready to accept connections/i.test(readFileSync(log, 'utf8'));
	await store.untilReady(isReady);
}

/** A PostgreSQL that listens on LOOPBACK, and its own client. */
export interface Postgres {
	port: number;
	user: string;
	password: string;
	/** The path of psql. */
	psql: string;
}

/** Starts a PostgreSQL of its own; its data is removed at the end. */
export async function startPostgres(program: Closing): Promise<Postgres> {
	// initdb and psql are beside the program that a link leads to.
	const programs = dirname(realpathSync(await installed('postgres')));
	const [port, name, password] = [await freePort(), 'n8n', randomBytes(18).toString('hex')];
	const user = await userOfStores();
	const { folder, file } = folderWith(program, user, password);
	const data = join(folder, 'data');
	const access = ['--pwfile', file, '--username', name, '--auth', 'scram-sha-256'];
	const how = ['--pgdata', data, ...access, '--encoding', 'UTF8', '--locale', 'C'];
	await command(join(programs, 'initdb'), how, { cwd: folder, ...user });
	const sockets = ['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='];
	const run = [join(programs, 'postgres'), '-D', data, '-p', `${port}`, ...sockets];
	// SIGTERM would wait for its clients.
	await startStore(program, run as [string], { folder, user, stopSignal: 'SIGINT' });
	return { port, user: name, password, psql: join(programs, 'psql') };
}

/** Starts PostgreSQL and Redis; resolves with the settings of an n8n in queue mode that uses them. */
export async function startStores(program: Closing): Promise<Record<string, string>> {
	const postgres = await startPostgres(program);
	const redis = await installed('redis-server');
	const redisPort = await freePort();
	// A leading dash would be a flag to Redis: this is hexadecimal.
	const { password } = postgres;
	const user = await userOfStores();
	const settings = [`bind ${LOOPBACK}`, `port ${redisPort}`, 'save ""', `requirepass ${password}`];
	const { folder, file } = folderWith(program, user, `${settings.join('\n')}\n`);
	await startStore(program, [redis, file], { folder, user });
	return {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: postgres.user,
		DB_POSTGRESDB_PASSWORD: password,
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
}
