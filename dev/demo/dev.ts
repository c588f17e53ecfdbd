// `npm run dev`: the sandbox and the pinned n8n with this node, which is compiled and reloaded on save.
import { join } from 'node:path';
import { readPorts, STATE } from './flags';
import { publishForm } from './form';
import { addressesOf } from './report';
import { openStage } from './stage';
import { command } from '../n8n/command';
import { Complaint } from '../n8n/complaint';
import { ROOT, shown } from '../n8n/home';
import { installedIn } from '../n8n/nodePackage';
import { runProgram, type Program } from '../n8n/program';

/**
 * Compiles on save, straight into the installed package, until this program ends; n8n watches its files
 * and reloads it.
 */
async function compileOnSave(dist: string): Promise<void> {
	await command('tsc', ['--watch', '--preserveWatchOutput', '--outDir', dist], {
		cwd: ROOT,
		preferLocal: true,
		stdio: ['ignore', 'inherit', 'inherit'],
		reject: false,
	});
}

async function dev(program: Program): Promise<boolean> {
	const settings = { command: 'npm run dev', state: STATE, N8N_DEV_RELOAD: 'true' };
	const { home, host, rest, sandbox, workflows } = await openStage(program, readPorts(), settings);
	await publishForm(rest, host.url, workflows.form);

	const dist = join(installedIn(home), 'dist');
	void compileOnSave(dist);
	console.log(`
${addressesOf(host.url, sandbox, home)}

  TypeScript in nodes/ and credentials/ is reloaded in n8n and its editor a few seconds after you save.
  Press Ctrl-C to stop; start again after a change of an icon or a JSON file.
`);
	program.isUp();
	await host.ended;
	throw new Complaint(`n8n exited unexpectedly. Its log: ${shown(home.log)}`);
}

void runProgram(dev);
