import { isAxiosError } from 'axios';
import { startSandbox } from '../sandbox';
import { Complaint } from '../harness/complaint';
import { HELP, readFlags, type Flags } from './flags';
import { prepareHome, shown } from '../harness/home';
import { installHost, startHost } from '../harness/host';
import { runJobs } from './jobs';
import { installPackage } from '../harness/package';
import { requireFree } from '../harness/port';
import { addressesOf, reportOf, verdictOf } from './report';
import { logIn } from '../harness/rest';
import { putCredential, putWorkflows } from './setup';

/** What is to be closed at the end, the last opened first. */
const open: Array<() => Promise<void>> = [];

async function closeAll(): Promise<void> {
	for (let close = open.pop(); close !== undefined; close = open.pop()) await close();
}

/** Resolves on Ctrl-C, or when the terminal or another program ends the demo. */
const interrupted = new Promise<'interrupted'>((resolve) => {
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => resolve('interrupted'));
	}
});

/** Whether the demo is up and only waits to be ended: Ctrl-C is then a good end. */
let staying = false;

/** Starts everything, runs the jobs, and stays until told to end; says whether all went well. */
async function demo({ once, port, sandboxPort, key, state }: Flags): Promise<boolean> {
	await requireFree(port, 'n8n', '--port');
	await requireFree(sandboxPort, 'the sandbox', '--sandbox-port');
	installHost();
	const home = prepareHome(state);

	console.log('Building the node, packing it and installing the package into n8n …');
	const { name, version } = await installPackage(home);
	console.log(`Starting the sandbox and n8n with ${name} ${version} …`);
	const sandbox = await startSandbox({ port: sandboxPort });
	open.push(async () => await sandbox.close());
	const host = await startHost(home, port);
	open.push(async () => await host.stop());
	const rest = await logIn(host.url, shown(home.n8n));
	const credential = await putCredential(rest, {
		baseUrl: sandbox.baseUrl,
		apiKey: sandbox.keys[key],
	});
	const workflows = await putWorkflows(rest, credential);

	console.log('Running the example workflows …\n');
	const outcomes = await runJobs({ home, url: host.url, rest, workflows, sandbox });
	console.log(`${reportOf(outcomes)}\n\n${verdictOf(outcomes)}\n`);
	const well = outcomes.every(({ problems }) => problems.length === 0);
	if (!well) console.log(`n8n's own log: ${shown(home.log)}\n`);
	if (once) return well;

	console.log(`${addressesOf(host.url, sandbox, home)}\n\nCtrl-C ends it all.`);
	staying = true;
	await host.ended;
	throw new Complaint(`n8n has ended by itself. Its log: ${shown(home.log)}`);
}

function complain(error: unknown): void {
	const message = isAxiosError(error)
		? `${error.config?.method?.toUpperCase()} ${error.config?.url}: ${error.message}`
		: error instanceof Complaint && error.message;
	console.error(message ? `\n${message}` : error);
}

async function main(): Promise<void> {
	let well = false;
	try {
		const flags = readFlags(process.argv.slice(2));
		if (flags.help) {
			console.log(HELP);
			return;
		}
		const result = await Promise.race([demo(flags), interrupted]);
		if (result === 'interrupted') console.log('\nStopping …');
		well = result === 'interrupted' ? staying : result;
	} catch (error) {
		complain(error);
	}
	await closeAll().catch((error: unknown) => {
		well = false;
		complain(error);
	});
	process.exit(well ? 0 : 1);
}

void main();
