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

/** Debian keeps PostgreSQL's programs out of the PATH, a folder for each version. */
const DEBIAN = '/usr/lib/postgresql';
const MISSING =
	'PostgreSQL and Redis are needed. Install them: on Debian and Ubuntu, sudo apt-get install postgresql redis-server; on macOS, brew install postgresql redis';

function find(program: string): string {
	const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : [];
	const path = findProgram(
		program,
		versions.map((version) => join(DEBIAN, version, 'bin')),
	);
	if (!path) throw new Complaint(MISSING);
	return path;
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function userOfStores(): Promise<User | undefined> {
	if (!isRoot()) return undefined;
	const idOf = async (flag: string) => Number((await command('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

type Closing = Pick<Program, 'atEnd'>;

/** A folder for the data, settings and logs of stores, which run as their own user; it is removed at the end. */
async function folderOfStores(program: Closing) {
	const user = await userOfStores();
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-stores-'));
	program.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
	if (user) chownSync(folder, user.uid, user.gid);
	return {
		data: join(folder, 'data'),
		how: { cwd: folder, ...user },
		fileWith(name: string, text: string) {
			const file = join(folder, name);
			writeFileSync(file, text, { mode: 0o600 });
			if (user) chownSync(file, user.uid, user.gid);
			return file;
		},
		async start(name: string, args: string[], stopSignal: NodeJS.Signals) {
			const log = join(folder, `${name}.log`);
			const how = { name, cwd: folder, log, user, stopSignal };
			const store = await launch([find(name), ...args], how);
			program.atEnd(async () => await store.stop());
			// Both write this to their logs.
			await store.untilReady(() => /ready to accept connections/i.test(readFileSync(log, 'utf8')));
		},
	};
}

/** A PostgreSQL that listens on LOOPBACK. */
export interface Postgres {
	port: number;
	user: string;
	password: string;
	/** The path of its own client. */
	psql: string;
}

/** Starts a PostgreSQL of its own; its data is removed at the end. */
export async function startPostgres(program: Closing): Promise<Postgres> {
	await aptInstall('postgresql');
	// initdb and psql are beside the program that a link leads to.
	const programs = dirname(realpathSync(find('postgres')));
	const { data, how, fileWith, start } = await folderOfStores(program);
	// Hexadecimal: a leading dash would be a flag to Redis.
	const [port, user, password] = [await freePort(), 'n8n', randomBytes(18).toString('hex')];
	const access = ['--pwfile', fileWith('password', password), '--auth', 'scram-sha-256'];
	const flags = ['--pgdata', data, '--username', user, '--encoding', 'UTF8', '--locale', 'C'];
	await command(join(programs, 'initdb'), [...flags, ...access], how);
	const sockets = ['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='];
	// SIGTERM would wait for its clients.
	await start('postgres', ['-D', data, '-p', `${port}`, ...sockets], 'SIGINT');
	return { port, user, password, psql: join(programs, 'psql') };
}

/** Starts PostgreSQL and Redis; resolves with the settings of an n8n in queue mode that uses them. */
export async function startStores(program: Closing): Promise<Record<string, string>> {
	const { port, user, password } = await startPostgres(program);
	await aptInstall('redis-server');
	const { fileWith, start } = await folderOfStores(program);
	const redisPort = await freePort();
	const settings = [`bind ${LOOPBACK}`, `port ${redisPort}`, 'save ""', `requirepass ${password}`];
	await start('redis-server', [fileWith('redis', settings.join('\n'))], 'SIGTERM');
	return {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: user,
		DB_POSTGRESDB_PASSWORD: password,
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
}
