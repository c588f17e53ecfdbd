import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from '../../harness/attempt';
import { command } from '../../harness/command';
import { Complaint } from '../../harness/complaint';
import { freePort, LOOPBACK } from '../../harness/port';
import { launch, type User } from '../../harness/process';
import type { Program } from '../../harness/program';
import { findOrInstall } from './programs';

/** Where PostgreSQL and Redis listen, with the password of both. */
export interface Access {
	postgresPort: number;
	redisPort: number;
	password: string;
}

export const COMPOSE = join(__dirname, 'compose.yaml');
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
	const idOf = async (flag: string) => Number(await command('id', [flag, 'postgres'], '/'));
	return { uid: await idOf('-u'), gid: await idOf('-g') };
}

/** Starts Debian's programs on ports and in a folder of their own, which is removed at the end. */
async function startPrograms(program: Program): Promise<Access> {
	const { postgres, redis } = await findOrInstall();
	const user = await otherThanRoot();
	const access = await newAccess();
	const { postgresPort, redisPort, password } = access;

	const folder = mkdtempSync(join(tmpdir(), 'local-seo-stores-'));
	program.atEnd(async () => rmSync(folder, { recursive: true, force: true }));
	const own = (path: string) => user && chownSync(path, user.uid, user.gid);
	const write = (name: string, text: string) => {
		const path = join(folder, name);
		writeFileSync(path, text, { mode: 0o600 });
		own(path);
		return path;
	};
	own(folder);
	const data = join(folder, 'postgres');
	const redisData = join(folder, 'redis');
	for (const path of [data, redisData]) {
		mkdirSync(path, { mode: 0o700 });
		own(path);
	}

	const start = async (
		name: string,
		run: [string, ...string[]],
		stopSignal?: NodeJS.Signals,
	): Promise<void> => {
		const log = join(folder, `${name}.log`);
		const launched = launch(run, { name, cwd: folder, log, user, stopSignal });
		program.atEnd(async () => await launched.stop());
		await launched.untilReady(() => IS_READY.test(readFileSync(log, 'utf8')));
	};
	await command(
		join(postgres, 'initdb'),
		[
			...['--pgdata', data, '--username', 'n8n', '--auth', 'scram-sha-256'],
			...['--pwfile', write('password', password), '--encoding', 'UTF8', '--locale', 'C'],
		],
		folder,
		user,
	);
	await start(
		'PostgreSQL',
		[
			join(postgres, 'postgres'),
			...['-D', data, '-p', String(postgresPort)],
			...['-c', `listen_addresses=${LOOPBACK}`, '-c', 'unix_socket_directories='],
		],
		'SIGINT', // SIGTERM would wait for its clients
	);
	const config = [`bind ${LOOPBACK}`, `port ${redisPort}`, `dir ${redisData}`, 'save ""'];
	const file = write('redis.conf', `${[...config, `requirepass ${password}`].join('\n')}\n`);
	await start('Redis', [redis, file]);
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
	await command('docker', ['compose', 'version'], '/').catch(() => {
		throw new Complaint('--docker needs Docker with Compose 2: "docker compose version" failed.');
	});
	const access = await newAccess();
	const env = { ...process.env, ...composeVariables(access) };
	const project = ['--project-name', `local-seo-queue-${process.pid}`, '--file', COMPOSE];
	const compose = async (...args: string[]) =>
		await command('docker', ['compose', ...project, ...args], __dirname, { env });
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
