// `npm start`: the sandbox and the real n8n, in which the example workflows run on real files.
import { Complaint } from '../n8n/complaint';
import { shown } from '../n8n/home';
import { type Program, runProgram } from '../n8n/program';
import { readFlags } from './flags';
import { runJobs } from './jobs';
import { addressesOf, reportOf } from './report';
import { openStage } from './stage';

/** Starts everything, runs the jobs, and keeps running unless --once is set; returns whether it succeeded. */
async function demo(program: Program): Promise<boolean> {
	const { once, key, state, ...ports } = readFlags();
	const stage = await openStage(program, ports, { command: 'npm start', key, state });
	const { home, host, sandbox } = stage;
	console.log('Running the example workflows …\n');
	const outcomes = await runJobs(stage);
	console.log(reportOf(outcomes));
	const hasPassed = outcomes.every(({ problems }) => problems.length === 0);
	if (!hasPassed) console.log(`n8n's own log: ${shown(home.log)}\n`);
	if (once) return hasPassed;

	console.log(`${addressesOf(host.url, sandbox, home)}

  The sandbox shows the posts from the Excel file: it started afresh after the CSV file, which has the same rows.
  Press Ctrl-C to stop.
`);
	program.isUp();
	await host.ended;
	throw new Complaint(`n8n exited unexpectedly. Its log: ${shown(home.log)}`);
}

void runProgram(demo);
