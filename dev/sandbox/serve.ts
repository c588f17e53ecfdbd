// `npx gulp sandbox`: the sandbox alone.
import { Command, InvalidArgumentError } from 'commander';
import { startSandbox } from './index';
import { usageOf } from './usage';

function number(value: string): number {
	if (Number(value) >= 0) return Number(value);
	throw new InvalidArgumentError('It must be a number of 0 or more.');
}

async function serve(): Promise<void> {
	const { latency, rate, ...given } = new Command('npx gulp sandbox')
		.option('--port <number>', 'where it listens', number, 4010)
		.option('--locations <number>', 'how many there are', number, 64)
		.option('--latency <ms>', 'how long each request takes at least', number, 0)
		.option('--rate <number>', 'requests per second for each key (default: no limit)', number)
		.showHelpAfterError()
		.parse()
		.opts<{ port: number; locations: number; latency: number; rate?: number }>();
	const sandbox = await startSandbox({ ...given, latencyMs: latency, requestsPerSecond: rate });
	const lines = [`Page         ${sandbox.origin}`, ...usageOf(sandbox)].map((line) => `  ${line}`);
	console.log(`\n${lines.join('\n')}\n\n  Press Ctrl-C to stop. Nothing is saved.\n`);
	for (const signal of ['SIGINT', 'SIGTERM'] as const) {
		process.once(signal, () => void sandbox.close().catch(fail));
	}
}

/** One line that says what to do, and exit status 1. */
function fail(error: NodeJS.ErrnoException & { port?: number }): void {
	const taken = `Port ${error.port} is already taken. Stop what uses it, or choose another with --port.`;
	console.error(error.code === 'EADDRINUSE' ? taken : error.message);
	process.exitCode = 1;
}

serve().catch(fail);
