import { isAbsolute, join } from 'node:path';
import { parseArgs } from 'node:util';
import { Complaint } from '../n8n/complaint';

/** Where the demo's n8n keeps its data by default. */
export const STATE = __dirname;

/** The flags of `npm start`. */
export interface Flags {
	once: boolean;
	port: number;
	sandboxPort: number;
	key: 'read' | 'write' | 'admin';
	state: string;
	help: boolean;
}

export const HELP = `npm start -- [flags]

  --once                   run the jobs, check the results and exit (status 0 if every check passed)
  --port <number>          port of n8n (default: 5678)
  --sandbox-port <number>  port of the sandbox (default: 4010)
  --key <scope>            scope of the API key that the jobs use: read, write or admin (default: write)
  --state <folder>         folder for .n8n and .n8n-files (default: demo)
  --help                   show this help`;

export function portOf(value: string, flag: string): number {
	const port = Number(value);
	if (!Number.isInteger(port) || port < 1 || port > 65535) {
		throw new Complaint(`${flag} must be a port between 1 and 65535, not "${value}".`);
	}
	return port;
}

function scopeOf(value: string): Flags['key'] {
	if (value === 'read' || value === 'write' || value === 'admin') return value;
	throw new Complaint(`--key must be read, write or admin, not "${value}".`);
}

function parse(args: string[]) {
	try {
		return parseArgs({
			args,
			options: {
				once: { type: 'boolean', default: false },
				port: { type: 'string', default: '5678' },
				'sandbox-port': { type: 'string', default: '4010' },
				key: { type: 'string', default: 'write' },
				state: { type: 'string', default: STATE },
				help: { type: 'boolean', default: false },
			},
		}).values;
	} catch (error) {
		throw new Complaint(`${(error as Error).message}\n\n${HELP}`);
	}
}

/** Reads the flags, and complains about unknown ones. */
export function readFlags(args: string[]): Flags {
	const { once, port, 'sandbox-port': sandboxPort, key, state, help } = parse(args);
	return {
		once,
		port: portOf(port, '--port'),
		sandboxPort: portOf(sandboxPort, '--sandbox-port'),
		key: scopeOf(key),
		state: isAbsolute(state) ? state : join(process.cwd(), state),
		help,
	};
}
