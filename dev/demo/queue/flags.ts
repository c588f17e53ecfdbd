import { parseArgs } from 'node:util';
import { Complaint } from '../../n8n/complaint';
import { counted } from '../../n8n/flags';

/** How much is posted, and how fast the service lets it through. */
export interface Load {
	executions: number;
	/** Of each execution. */
	rows: number;
	/** Requests per second for the one API key. */
	rate: number;
}

/** The flags of `npx gulp demo:queue`. */
export interface Flags {
	load: Load;
	/** Whether PostgreSQL and Redis run in Docker. */
	docker: boolean;
	help: boolean;
}

/** What docs/scale.md shows; only this run is written there. */
export const FULL: Load = { executions: 20, rows: 500, rate: 50 };
const SHORT: Load = { executions: 4, rows: 50, rate: 10 };

export const HELP = `npx gulp demo:queue [flags]

  --short                a short run: ${SHORT.executions} executions of ${SHORT.rows} rows at ${SHORT.rate} requests per second
  --executions <number>  how many executions start at once (default: ${FULL.executions})
  --rows <number>        rows of each execution (default: ${FULL.rows})
  --rate <number>        requests per second that the service allows the API key (default: ${FULL.rate})
  --docker               run PostgreSQL and Redis in Docker instead of installing them
  --help                 show this help

The run without flags takes about 15 minutes and writes its figures to docs/scale.md.`;

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				short: { type: 'boolean', default: false },
				executions: { type: 'string' },
				rows: { type: 'string' },
				rate: { type: 'string' },
				docker: { type: 'boolean', default: false },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new Complaint(`${(error as Error).message}\n\n${HELP}`);
	}
}

/** Reads the flags, and complains about unknown ones and about a load that cannot show anything. */
export function readFlags(args: string[]): Flags {
	const { short, docker, help, ...numbers } = parse(args);
	const usual = short ? SHORT : FULL;
	const numberOf = (name: keyof Load) =>
		numbers[name] === undefined ? usual[name] : counted(numbers[name], `--${name}`, HELP);
	const load = {
		executions: numberOf('executions'),
		rows: numberOf('rows'),
		rate: numberOf('rate'),
	};
	if (load.executions < 2) {
		throw new Complaint(`--executions must be 2 or more: one for each worker.\n\n${HELP}`);
	}
	return { load, docker, help };
}

/** Whether this is the run that docs/scale.md shows. */
export function isFull({ executions, rows, rate }: Load): boolean {
	return executions === FULL.executions && rows === FULL.rows && rate === FULL.rate;
}
