import { type Command, Option } from 'commander';
import { resolve } from 'node:path';
import { flagsOf, whole } from '../n8n/flags';
import type { Scope } from '../sandbox';

/** Where the demo's n8n keeps its data by default. */
export const STATE = __dirname;

export interface Ports {
	port: number;
	sandboxPort: number;
}

export interface Flags extends Ports {
	once?: boolean;
	key: Scope;
	state: string;
}

function withPorts(command: Command): Command {
	const port = whole(1, 65535);
	return command
		.option('--port <number>', 'port of n8n', port, 5678)
		.option('--sandbox-port <number>', 'port of the sandbox', port, 4010);
}

export const readFlags = () =>
	withPorts(flagsOf('npm start'))
		.option('--once', 'run the jobs, check the results and exit (status 0 if every check passed)')
		.addOption(
			new Option('--key <scope>', 'scope of the API key that the jobs use')
				.choices(['read', 'write', 'admin'])
				.default('write'),
		)
		.addOption(
			new Option('--state <folder>', 'folder for .n8n and .n8n-files')
				.argParser((folder) => resolve(folder))
				.default(STATE, 'dev/demo'),
		)
		.parse()
		.opts<Flags>();

export const readPorts = () => withPorts(flagsOf('npm run dev')).parse().opts<Ports>();
