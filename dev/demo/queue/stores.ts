import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from '../../n8n/attempt';
import { command } from '../../n8n/command';
import { Complaint } from '../../n8n/complaint';
import { freePort, LOOPBACK } from '../../n8n/port';
import { launch, type LaunchOptions, type User } from '../../n8n/process';
import type { Program } from '../../n8n/program';
import { findOrInstall } from './programs';

/** Where PostgreSQL and Redis listen, with the password of both. */
export interface Access {
	postgresPort: number;
	redisPort: number;
	password: string;
}

export const COMPOSE = join(__dirname, 'compose.yaml');
/** What closes a store at the end. */
type Closing = Pick<Program, 'atEnd'>;

/** What both write to their logs. */
const IS_READY = /ready to accept connections/i;

async function newAccess(): Promise<Access> {
	return {
		postgresPort: await freePort(),
		redisPort: await freePort(),
		password: randomBytes(18).toString('hex'), // a leading dash would be a flag to Redis
	};
}

/** PostgreSQL refuses to run as root; Debian's package brings a user for it. */
async function otherThanRoot(): Promise<User | undefined> {
	if (!isRoot()) return undefined;
	const idOf = async (flag: string) => Number((await command('id', [flag, 'postgres'])).stdout);
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** A folder for a store's data and its files, which is removed at the end. */
function newFolder(program: Closing, user: User | undefined) {
	const folder = mkdtempSync(join(tmpdir(), 'local-seo-stores-'));
	program.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
	const own = (path: string) => user && chownSync(path, user.uid, user.gid);
	own(folder);
	return {
		folder,
		write: (name: string, text: string) => {
			const path = join(folder, name);
			writeFileSync(path, text, { mode: 0o600 });
			own(path);
			return path;
		},
		subfolder: (name: string) => {
			const path = join(folder, name);
			mkdirSync(path, { mode: 0o700 });
			own(path);
			return path;
		},
	};
}

/** Starts a store, and waits until it is ready. */
async function startStore(
	program: Closing,
	name: string,
	run: [string, ...string[]],
	options: Pick<LaunchOptions, 'cwd' | 'user' | 'stopSignal'>,
): Promise<void> {
	const log = join(options.cwd, `${name}.log`);
	const launched = await launch(run, { name, log, ...options });
	program.atEnd(async () => await launched.stop());
	await launched.untilReady(() => IS_READY.test(readFileSync(log, 'utf8')));
}

/**
 * Starts a PostgreSQL of its own on 127.0.0.1, with a user called n8n, whose data is removed at the end.
 *
 * @param programs the folder of postgres, initdb and the others
 */
export async function startPostgres(
	program: Closing,
	programs: string,
	{ postgresPort, password }: Pick<Access, 'postgresPort' | 'password'>,
): Promise<void> {
	const user = await otherThanRoot();
	const { folder, write, subfolder } = newFolder(program, user);
	const data = subfolder('postgres');
	const files = ['--pgdata', data, '--pwfile', write('password', password)];
	const access = ['--username', 'n8n', '--auth', 'scram-sha-256'];
	const texts = ['--encoding', 'UTF8', '--locale', 'C'];
	const all = [...files, ...access, ...texts];
	await command(join(programs, 'initdb'), all, { cwd: folder, ...user });
	await startStore(
		program,
		'PostgreSQL',
		[
			join(programs, 'postgres'),
			'-D',
			data,
			'-p',
			String(postgresPort),
			'-c',
			`listen_addresses=${LOOPBACK}`,
			'-c',
			'unix_socket_directories=',
		],
		{ cwd: folder, user, stopSignal: 'SIGINT' }, // SIGTERM would wait for its clients
	);
}

/** Starts Debian's programs on ports and in folders of their own. */
async function startPrograms(program: Program): Promise<Access> {
	const { postgres, redis } = await findOrInstall();
	const access = await newAccess();
	await startPostgres(program, postgres, access);

	const user = await otherThanRoot();
	const { folder, write, subfolder } = newFolder(program, user);
	const { redisPort, password } = access;
	const config = [
		`bind ${LOOPBACK}`,
		`port ${redisPort}`,
		`dir ${subfolder('redis')}`,
		'save ""',
		`requirepass ${password}`,
	];
	const file = write('redis.conf', `${config.join('\n')}\n`);
	await startStore(program, 'Redis', [redis, file], { cwd: folder, user });
	return access;
}

/** What compose.yaml reads from its environment. */
export function composeVariables({ postgresPort, redisPort, password }: Access) {
	return {
		POSTGRES_PORT: String(postgresPort),
		REDIS_PORT: String(redisPort),
		STORES_PASSWORD: password,
	};
}

/** Starts compose.yaml as a project of its own, which is removed with its data at the end. */
async function startDocker(program: Program): Promise<Access> {
	await command('docker', ['compose', 'version']).catch(() => {
		throw new Complaint('--docker needs Docker with Compose 2: "docker compose version" failed.');
	});
	const access = await newAccess();
	const env = composeVariables(access);
	const project = ['--project-name', `local-seo-queue-${process.pid}`, '--file', COMPOSE];
	const compose = async (...args: string[]) =>
		await command('docker', ['compose', ...project, ...args], { env });
	program.atEnd(async () => {
		await compose('down', '--volumes');
	});
	await compose('up', '--detach', '--wait');
	return access;
}

/** Starts PostgreSQL and Redis; resolves with the settings of an n8n in queue mode that uses them. */
export async function startStores(
	program: Program,
	{ docker }: { docker: boolean },
): Promise<Record<string, string>> {
	const { postgresPort, redisPort, password } = await (docker ? startDocker : startPrograms)(
		program,
	);
	return {
		EXECUTIONS_MODE: 'queue',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: LOOPBACK,
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_PASSWORD: password,
		QUEUE_BULL_REDIS_HOST: LOOPBACK,
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_BULL_REDIS_PASSWORD: password,
	};
}
