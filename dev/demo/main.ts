import { prepareHome, shown } from '../n8n/home';
import { installHost, startHost } from '../n8n/host';
import { Complaint } from '../n8n/complaint';
import { installPackage } from '../n8n/nodePackage';
import { requireFree } from '../n8n/port';
import { runProgram, type Program } from '../n8n/program';
import { logIn } from '../n8n/rest';
import { startSandbox } from '../sandbox';
import { readFlags } from './flags';
import { runJobs } from './jobs';
import { addressesOf, reportOf, verdictOf } from './report';
import { putCredential, putWorkflows } from './setup';

/** Starts everything, runs the jobs, and keeps running unless --once is set; returns whether it succeeded. */
async function demo(program: Program): Promise<boolean> {
	const { once, port, sandboxPort, key, state } = readFlags();
	await requireFree(port, 'n8n', '--port');
	await requireFree(sandboxPort, 'the sandbox', '--sandbox-port');
	await installHost();
	const home = prepareHome(state);

	console.log('Building the node, packing it and installing the package into n8n …');
	const { name, version } = await installPackage(home);
	console.log(`Starting the sandbox and n8n with ${name} ${version} …`);
	const sandbox = await startSandbox({ port: sandboxPort });
	program.atEnd(async () => await sandbox.close());
	const host = await startHost(home, port);
	program.atEnd(async () => await host.stop());
	const rest = await logIn(host.url, home);
	const useKey = async (scope: typeof key) =>
		await putCredential(rest, { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys[scope] });
	const credential = await useKey(key);
	const workflows = await putWorkflows(rest, credential);

	console.log('Running the example workflows …\n');
	const startAfresh = async () => {
		sandbox.reset();
		// With another key: with this one, the node waits a while for the list to show what it has created.
		await useKey(key === 'write' ? 'admin' : key);
	};
	const stage = { home, url: host.url, rest, workflows, sandbox, startAfresh };
	const outcomes = await runJobs(stage);
	await useKey(key);
	console.log(`${reportOf(outcomes)}\n\n${verdictOf(outcomes)}\n`);
	const hasPassed = outcomes.every(({ problems }) => problems.length === 0);
	if (!hasPassed) console.log(`n8n's own log: ${shown(home.log)}\n`);
	if (once) return hasPassed;

	console.log(`${addressesOf(host.url, sandbox, home)}

  The sandbox shows the posts from the CSV file: it started afresh after the Excel file, which has the same rows.
  Press Ctrl-C to stop.
`);
	program.isUp();
	await host.ended;
	throw new Complaint(`n8n exited unexpectedly. Its log: ${shown(home.log)}`);
}

void runProgram(demo);
