import { flagsOf, whole } from '../../n8n/flags';

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
}

/** What docs/scale.md shows; only this run is written there. */
export const FULL: Load = { executions: 20, rows: 500, rate: 50 };
const SHORT: Load = { executions: 4, rows: 50, rate: 10 };

const ABOUT =
	'Queue mode. The run without flags takes about 15 minutes and writes its figures to docs/scale.md.';

export function readFlags(): Flags {
	const short = `a short run: ${SHORT.executions} executions of ${SHORT.rows} rows at ${SHORT.rate} requests per second`;
	const flags = flagsOf('npx gulp demo:queue', ABOUT)
		.option('--short', short)
		.option(
			'--executions <number>',
			`how many executions start at once, one for each worker at least (default: ${FULL.executions})`,
			whole(2),
		)
		.option('--rows <number>', `rows of each execution (default: ${FULL.rows})`, whole(1))
		.option(
			'--rate <number>',
			`requests per second that the service allows the API key (default: ${FULL.rate})`,
			whole(1),
		)
		.option('--docker', 'run PostgreSQL and Redis in Docker instead of installing them')
		.parse()
		.opts<Partial<Load> & { short?: boolean; docker?: boolean }>();
	const { short: isShort, docker = false, ...given } = flags;
	return { load: { ...(isShort ? SHORT : FULL), ...given }, docker };
}

/** Whether this is the run that docs/scale.md shows. */
export function isFull({ executions, rows, rate }: Load): boolean {
	return executions === FULL.executions && rows === FULL.rows && rate === FULL.rate;
}
