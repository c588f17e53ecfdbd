import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

/** The demo as a person runs it, and what it has printed so far. */
export interface Demo {
	process: ChildProcess;
	output(): string;
	/** Resolves with the exit status. */
	ended: Promise<number | null>;
	/** Waits until the demo has printed something. */
	says(text: string): Promise<void>;
	/** Ctrl-C: the whole group gets the signal, as from a terminal. */
	interrupt(): void;
}

/**
 * Runs `npm start -- <flags>`, without npm in between. With a tarball, it installs that one; else it
 * builds and packs the node itself, as for a person.
 */
export function runDemo(flags: string[], tarball?: string): Demo {
	return watched([process.execPath, join(ROOT, 'dev', 'scripts', 'start.mjs'), ...flags], tarball);
}

/** Runs `npm start -- <flags>` as a script's job in the background: SIGINT is ignored by its shells. */
export function runNpmStart(flags: string[], tarball?: string): Demo {
	return watched(['sh', '-c', 'trap "" INT; exec npm start -- "$@"', 'sh', ...flags], tarball);
}

function watched([command, ...args]: string[], tarball: string | undefined): Demo {
	const child = spawn(command, args, {
		cwd: ROOT,
		env: { ...process.env, LOCAL_SEO_TARBALL: tarball },
		stdio: ['ignore', 'pipe', 'pipe'],
		detached: true,
	});
	let output = '';
	const watchers = new Set<() => void>();
	for (const stream of [child.stdout, child.stderr]) {
		stream.on('data', (data: Buffer) => {
			output += data.toString();
			for (const watcher of watchers) watcher();
		});
	}
	const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
	return {
		process: child,
		output: () => output,
		ended,
		async says(text) {
			await new Promise<void>((resolve, reject) => {
				const look = () => {
					if (output.includes(text)) resolve();
				};
				watchers.add(look);
				look();
				void ended.then(() => reject(new Error(`it ended without "${text}":\n${output}`)));
			});
		},
		interrupt() {
			if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
		},
	};
}
