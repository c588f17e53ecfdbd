import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Complaint } from './complaint';

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

const STARTS_WITHIN = 180_000;
const STOPS_WITHIN = 20_000;

/** The last lines of a log. */
function tail(log: string, lines = 30): string {
	if (!existsSync(log)) return '(nothing was written)';
	return readFileSync(log, 'utf8').trimEnd().split('\n').slice(-lines).join('\n');
}

/** Starts a program. */
export function launch([file, ...args]: [string, ...string[]], options: LaunchOptions): Launched {
	const { name, cwd, env, user, log, stopSignal = 'SIGTERM' } = options;
	const output = openSync(log, 'w');
	const child = spawn(file, args, {
		cwd,
		env,
		...user,
		stdio: ['ignore', output, output],
		// Its own process group: Ctrl-C reaches this program, which then stops it in order.
		detached: true,
	});
	closeSync(output);
	let isOver = false;
	const ended = new Promise<void>((resolve) => {
		const end = () => {
			isOver = true;
			resolve();
		};
		child.once('exit', end);
		child.once('error', end);
	});
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
			const deadline = Date.now() + STARTS_WITHIN;
			const complaint = () => {
				if (isOver) return `${name} exited during startup.`;
				if (Date.now() > deadline) return `${name} was not ready within ${STARTS_WITHIN / 1000} s.`;
				return undefined;
			};
			while (!(await isReady())) {
				const what = complaint();
				if (what) {
					await launched.stop();
					throw new Complaint(`${what} The end of its log:\n${tail(log)}`);
				}
				await wait(500);
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
