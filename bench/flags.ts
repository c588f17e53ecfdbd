import { parseArgs } from 'node:util';
import { Complaint } from '../harness/complaint';

/** What `npm run bench -- <flags>` can be told. */
export interface Flags {
	/** How often each contender runs. */
	runs: number;
	/** Numbers of the scenarios; absent: all. */
	only?: number[];
	help: boolean;
}

export const HELP = `npm run bench -- [flags]

  --runs <number>    how often each contender runs; the table shows medians (3)
  --only <numbers>   which scenarios, e.g. 1,3 (all); results.md is written for all only
  --help             this text`;

function counted(value: string, flag: string): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= 1) return number;
	throw new Complaint(`${flag} wants a whole number of 1 or more, not "${value}".\n\n${HELP}`);
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

/** Reads the flags, complaining about what it does not know. */
export function readFlags(args: string[]): Flags {
	const { runs, only, help } = parse(args);
	return {
		runs: counted(runs, '--runs'),
		only: only?.split(',').map((number) => counted(number.trim(), '--only')),
		help,
	};
}
