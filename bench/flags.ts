import { parseArgs } from 'node:util';
import { Complaint } from '../harness/complaint';

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

function counted(value: string, flag: string): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= 1) return number;
	throw new Complaint(`${flag} must be a whole number of 1 or more, not "${value}".\n\n${HELP}`);
}

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
		runs: counted(runs, '--runs'),
		only: only?.split(',').map((number) => counted(number.trim(), '--only')),
		help,
	};
}
