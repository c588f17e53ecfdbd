import { Command, InvalidArgumentError } from 'commander';
import { startSandbox } from './index';
import { usageOf } from './usage';

interface Flags {
	port: number;
	locations: number;
	latency: number;
	rate?: number;
}

function number(value: string): number {
	if (Number(value) >= 0) return Number(value);
	throw new InvalidArgumentError('It must be a number of 0 or more.');
}

const readFlags = () =>
	new Command('npx gulp sandbox')
		.option('--port <number>', 'where it listens', number, 4010)
		.option('--locations <number>', 'how many there are', number, 64)
		.option('--latency <ms>', 'how long each request takes at least', number, 0)
		.option('--rate <number>', 'requests per second for each key (default: no limit)', number)
		.showHelpAfterError()
		.parse()
		.opts<Flags>();

/** The command behind `npx gulp sandbox`. */
async function serve(): Promise<void> {
	const { port, locations, latency, rate } = readFlags();
	const sandbox = await startSandbox({
		port,
		locations,
		latencyMs: latency,
		requestsPerSecond: rate,
	});
	console.log(`
  Local SEO sandbox

  Page         ${sandbox.origin}
${usageOf(sandbox)
	.map((line) => `  ${line}`)
	.join('\n')}

  Press Ctrl-C to stop. Nothing is saved.
`);
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
