// `npm start`: the sandbox and the real n8n, in which the example workflows run on real files. `npm run dev`:
// the same without the runs, with this node compiled and reloaded on save.
import { join, resolve } from 'node:path';
import { command } from '../n8n/command';
import { Complaint } from '../n8n/complaint';
import { flagsOf, whole } from '../n8n/flags';
import { ROOT, shown } from '../n8n/home';
import { installedIn } from '../n8n/nodePackage';
import { type Program, runProgram } from '../n8n/program';
import { publishForm } from './form';
import { runJobs } from './jobs';
import { addressesOf, reportOf } from './report';
import { openStage, type Ports } from './stage';

interface Flags extends Ports {
	once?: boolean;
	watch?: boolean;
	state: string;
}

const readFlags = () =>
	flagsOf('npm start')
		.option('--once', 'run the jobs, check the results and exit (status 0 if every check passed)')
		.option('--watch', 'run no jobs; compile this node on save (npm run dev)')
		.option('--port <number>', 'port of n8n', whole(1, 65535), 5678)
		.option('--sandbox-port <number>', 'port of the sandbox', whole(1, 65535), 4010)
		.option('--state <folder>', 'for .n8n and .n8n-files', (folder) => resolve(folder), __dirname)
		.parse()
		.opts<Flags>();

/** Compiles straight into the installed package, until this program ends; n8n watches its files. */
async function compileOnSave(dist: string): Promise<void> {
	await command('tsc', ['--watch', '--preserveWatchOutput', '--outDir', dist], {
		cwd: ROOT,
		preferLocal: true,
		stdio: ['ignore', 'inherit', 'inherit'],
		reject: false,
	});
}

/** Starts everything, and keeps running unless --once is set; returns whether the jobs succeeded. */
async function demo(program: Program): Promise<boolean> {
	const { once, watch, state, ...ports } = readFlags();
	const settings: Record<string, string> = watch ? { N8N_DEV_RELOAD: 'true' } : {};
	const stage = await openStage(program, ports, state, settings);
	const { home, host, rest, sandbox, workflows } = stage;
	let more = 'Press Ctrl-C to stop.';
	if (watch) {
		void compileOnSave(join(installedIn(home), 'dist'));
		more = `TypeScript in nodes/ and credentials/ is reloaded in n8n and its editor a few seconds after you save.
  Press Ctrl-C to stop; start again after a change of an icon or a JSON file.`;
	} else {
		console.log('Running the example workflows …\n');
		const outcomes = await runJobs(stage);
		console.log(reportOf(outcomes));
		const hasPassed = outcomes.every(({ problems }) => problems.length === 0);
		if (!hasPassed) console.log(`n8n's own log: ${shown(home.log)}\n`);
		if (once) return hasPassed;
	}
	await publishForm(rest, host.url, workflows.form);
	console.log(`${addressesOf(host.url, sandbox, home)}\n\n  ${more}\n`);
	program.isUp();
	await host.ended;
	throw new Complaint(`n8n exited unexpectedly. Its log: ${shown(home.log)}`);
}

void runProgram(demo);
