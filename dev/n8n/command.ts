import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Complaint } from './complaint';

const execute = promisify(execFile);

/** Runs a command and returns its output; if it fails, the complaint includes the output. */
export async function command(
	name: string,
	args: string[],
	cwd: string,
	more: { env?: NodeJS.ProcessEnv; uid?: number; gid?: number } = {},
): Promise<string> {
	try {
		const { stdout } = await execute(name, args, { ...more, cwd, maxBuffer: 64 * 1024 * 1024 });
		return stdout;
	} catch (error) {
		const { stdout, stderr } = error as { stdout?: string; stderr?: string };
		throw new Complaint(
			[`"${name} ${args.join(' ')}" failed.`, stdout, stderr].filter(Boolean).join('\n'),
		);
	}
}
