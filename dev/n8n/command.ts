import type { Options } from 'execa';

/**
 * Runs a command; if it fails, the error's message has its output. tsx would make CommonJS of an import
 * of execa at the top of a file, and a package that execa needs (unicorn-magic) can't be loaded from that.
 */
export async function command<Given extends Options = Record<never, never>>(
	file: string,
	args: string[],
	options?: Given,
) {
	const { execa } = await import('execa');
	return await execa(file, args, options);
}
