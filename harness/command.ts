import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Complaint } from './complaint';

const execute = promisify(execFile);

/** Runs a command to its end and returns what it printed; what it said is part of the complaint. */
export async function command(name: string, args: string[], cwd: string): Promise<string> {
	try {
		const { stdout } = await execute(name, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
		return stdout;
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: string; stderr?: string };
		throw new Complaint(
			[`"${name} ${args.join(' ')}" did not succeed.`, stdout, stderr].filter(Boolean).join('\n'),
		);
	}
}
