import { execa } from 'execa';
import { join } from 'node:path';

import { ROOT } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';

/** The demo as a person runs it, and what it has printed so far. */
export interface Demo {
	output(): string;
	/** Resolves with the exit status; undefined if a signal ended it. */
	ended: Promise<number | undefined>;
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
	const child = execa(process.execPath, [join(ROOT, 'dev', 'scripts', 'start.mjs'), ...flags], {
		cwd: ROOT,
		env: { LOCAL_SEO_TARBALL: tarball },
		stdin: 'ignore',
		all: true,
		reject: false,
		detached: true,
		// It stops n8n first, which takes its time.
		forceKillAfterDelay: false,
	});
	let output = '';
	child.all.on('data', (data: Buffer) => {
		output += data.toString();
	});
	return {
		output: () => output,
		ended: child.then(({ exitCode }) => exitCode),
		async says(text) {
			const hasSaid = () => output.includes(text);
			const isOver = () => child.exitCode !== null || child.signalCode !== null;
			await until(`"${text}"`, () => hasSaid() || isOver(), { seconds: 280 });
			if (!hasSaid()) throw new Error(`it ended without "${text}":\n${output}`);
		},
		interrupt() {
			if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
		},
	};
}
