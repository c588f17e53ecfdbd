import type { Options } from 'execa';

/**
 * execa. Not by an import at the top of a file: tsx would make CommonJS of it, and a package that execa
 * needs (unicorn-magic 0.3) can't be loaded from that. At once, since jest loads nothing for a suite that is
 * over, though later suites use the n8n that it started.
 */
export const execaLoading = import('execa');

/** Runs a command; if it fails, the error's message has its output. */
export async function command<Given extends Options = Record<never, never>>(
	file: string,
	args: string[],
	options?: Given,
) {
	const { execa } = await execaLoading;
	return await execa(file, args, options);
}
