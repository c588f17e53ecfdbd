import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Complaint } from '../n8n/complaint';
import { counted } from '../n8n/flags';

/** The flags of `npm run bench`. */
export interface Flags {
	/** How often each contender runs. */
	runs: number;
	/** Numbers of the scenarios; absent: all. */
	only?: number[];
	help: boolean;
}

export const HELP = `npm run bench -- [flags]

  --runs <number>    how often each contender runs; the table shows medians (default: 3)
  --only <numbers>   run only these scenarios, e.g. 1,3; results.md is then not written
  --help             show this help`;

/** The flags of a command as given; complains about unknown ones. */
export function parsed<T extends NonNullable<ParseArgsConfig['options']>>(
	args: string[],
	options: T,
	help: string,
) {
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		throw new Complaint(`${(error as Error).message}\n\n${help}`);
	}
}

/** Reads the flags, and complains about unknown ones. */
export function readFlags(args: string[]): Flags {
	const { runs, only, help } = parsed(
		args,
		{
			runs: { type: 'string', default: '3' },
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
		HELP,
	);
	return {
		runs: counted(runs, '--runs', HELP),
		only: only?.split(',').map((number) => counted(number.trim(), '--only', HELP)),
		help,
	};
}
