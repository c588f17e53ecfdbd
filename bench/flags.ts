import { parseArgs } from 'node:util';
import { Complaint } from '../harness/complaint';
import { counted } from '../harness/flags';

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

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				runs: { type: 'string', default: '3' },
				only: { type: 'string' },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new Complaint(`${(error as Error).message}\n\n${HELP}`);
	}
}

/** Reads the flags, and complains about unknown ones. */
export function readFlags(args: string[]): Flags {
	const { runs, only, help } = parse(args);
	return {
		runs: counted(runs, '--runs', HELP),
		only: only?.split(',').map((number) => counted(number.trim(), '--only', HELP)),
		help,
	};
}
