import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { execaLoading } from './command';
import { Complaint } from './complaint';
import { until } from './until';

/** The numbers of a system user and its group. */
export interface User {
	uid: number;
	gid: number;
}

export interface LaunchOptions {
	/** What messages call it. */
	name: string;
	cwd: string;
	/** Its output goes here; what an earlier process wrote is gone. */
	log: string;
	/** Its whole environment; this program's own by default. */
	env?: NodeJS.ProcessEnv;
	/** Who runs it; this program's own user by default. */
	user?: User;
	/** What asks it to end; SIGTERM by default. */
	stopSignal?: NodeJS.Signals;
}

/** A program that was started here, and ends when this one does. */
export interface Launched {
	/** Settles when it has ended, by itself or stopped. */
	ended: Promise<void>;
	/** Waits until it is ready; complains with the end of its log if it exits or takes too long, and stops it. */
	untilReady(isReady: () => boolean | Promise<boolean>): Promise<void>;
	/** Asks it to end, and ends it if it does not. */
	stop(): Promise<void>;
	/** Ends it at once, as a crash would. */
	kill(): Promise<void>;
}

const STARTS_WITHIN = { seconds: 180, everyMs: 500 };
const STOPS_WITHIN = 20_000;

function tail(log: string, lines = 30): string {
	if (!existsSync(log)) return '(nothing was written)';
	return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

export async function launch(
	[file, ...args]: [string, ...string[]],
	options: LaunchOptions,
): Promise<Launched> {
	const { execa } = await execaLoading;
	const { name, cwd, env, user, log, stopSignal = 'SIGTERM' } = options;
	// execa's types name the descriptors up to 9 alone.
	const output = openSync(log, 'w') as 3;
	const child = execa(file, args, {
		cwd,
		env,
		extendEnv: env === undefined,
		...user,
		stdin: 'ignore',
		stdout: output,
		stderr: output,
		reject: false,
		// Its own process group: Ctrl-C reaches this program, which then stops it in order.
		detached: true,
	});
	closeSync(output);
	let isOver = false;
	const ended = child.then(() => {
		isOver = true;
	});
	// Its child processes, too: execa would end the first one alone.
	const signal = (which: NodeJS.Signals) => {
		if (!isOver && child.pid !== undefined) process.kill(-child.pid, which);
	};
	const killAtExit = () => signal('SIGKILL');
	// Before the folders that it uses are removed.
	process.prependListener('exit', killAtExit);
	void ended.then(() => process.off('exit', killAtExit));

	const launched: Launched = {
		ended,
		async untilReady(isReady) {
			try {
				const isDecided = async () => isOver || (await isReady());
				await until(`${name} to be ready`, isDecided, STARTS_WITHIN);
				if (isOver) throw new Complaint(`${name} exited during startup`);
			} catch (error) {
				await launched.stop();
				throw new Complaint(`${(error as Error).message}. The end of its log:\n${tail(log)}`);
			}
		},
		async stop() {
			signal(stopSignal);
			const late = setTimeout(() => signal('SIGKILL'), STOPS_WITHIN);
			await ended;
			clearTimeout(late);
		},
		async kill() {
			signal('SIGKILL');
			await ended;
		},
	};
	return launched;
}
