import { parseArgs } from 'node:util';
import { startSandbox } from './index';
import { usageOf } from './usage';

const USAGE = 'npx gulp sandbox [--port 4010] [--locations 64] [--latency 0] [--rate 10]';

/** The command behind `npx gulp sandbox`; times in milliseconds, the rate in requests a second. */
async function serve(): Promise<void> {
	const { port, locations, latency, rate } = flags();
	const sandbox = await startSandbox({
		port: port ?? 4010,
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

function flags(): Record<'port' | 'locations' | 'latency' | 'rate', number | undefined> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string' },
			locations: { type: 'string' },
			latency: { type: 'string' },
			rate: { type: 'string' },
		},
	});
	const number = (name: keyof typeof values) => {
		const text = values[name];
		if (text === undefined) return undefined;
		if (!(Number(text) >= 0)) throw new Error(`--${name} must be a number: ${USAGE}`);
		return Number(text);
	};
	return {
		port: number('port'),
		locations: number('locations'),
		latency: number('latency'),
		rate: number('rate'),
	};
}

/** One line that says what to do, and exit status 1. */
function fail(error: NodeJS.ErrnoException & { port?: number }): void {
	const taken = `Port ${error.port} is already taken. Stop what uses it, or choose another with --port.`;
	console.error(error.code === 'EADDRINUSE' ? taken : error.message);
	process.exitCode = 1;
}

serve().catch(fail);
