import { execa } from 'execa';
import { join } from 'node:path';

import { ROOT } from '../../dev/n8n/home';
import { until } from '../../dev/n8n/until';

/** The demo as a person runs it. */
export type Demo = ReturnType<typeof runDemo>;

/**
 * Runs `npm start -- <flags>`, without npm in between. With a tarball, it installs that one; else it
 * builds and packs the node itself, as for a person.
 */
export function runDemo(flags: string[], tarball?: string) {
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
		/** What it has printed so far. */
		output: () => output,
		/** Resolves with the exit status; undefined if a signal ended it. */
		ended: child.then(({ exitCode }) => exitCode),
		/** Waits until it has printed something. */
		async says(text: string) {
			const hasSaid = () => output.includes(text);
			const isOver = () => child.exitCode !== null || child.signalCode !== null;
			await until(`"${text}"`, () => hasSaid() || isOver(), { seconds: 280 });
			if (!hasSaid()) throw new Error(`it ended without "${text}":\n${output}`);
		},
		/** Ctrl-C: the whole group gets the signal, as from a terminal. */
		interrupt() {
			if (child.exitCode === null) process.kill(-child.pid!, 'SIGINT');
		},
	};
}
