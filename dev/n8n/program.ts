import { isAxiosError } from 'axios';
import { Complaint } from './complaint';

/** A command-line program that cleans up in reverse order, however it ends. */
export interface Program {
	/** Registers what to close at the end; the last registered is closed first. */
	atEnd(close: () => Promise<void>): void;
	/** Everything is running: from now on, Ctrl-C ends the program with success. */
	isUp(): void;
}

/** Its message has the output of the command. */
const isOfCommand = (error: unknown): error is Error => Object(error).name === 'ExecaError';

function complain(error: unknown): void {
	const message = isAxiosError(error)
		? `${error.config?.method?.toUpperCase()} ${error.config?.url}: ${error.message}`
		: (error instanceof Complaint || isOfCommand(error)) && error.message;
	console.error(message ? `\n${message}` : error);
}

/** Runs a program until it ends or is interrupted; it returns whether it succeeded. */
export async function runProgram(main: (program: Program) => Promise<boolean>): Promise<never> {
	const closings: Array<() => Promise<void>> = [];
	let isUp = false;
	// By Ctrl-C, a closed terminal or another program.
	const interrupted = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
			process.on(signal, () => resolve('interrupted'));
		}
	});
	const program: Program = {
		atEnd: (close) => closings.push(close),
		isUp: () => {
			isUp = true;
		},
	};

	let isWell = false;
	try {
		const result = await Promise.race([main(program), interrupted]);
		if (result === 'interrupted') console.log('\nStopping …');
		isWell = result === 'interrupted' ? isUp : result;
	} catch (error) {
		complain(error);
	}
	for (const close of closings.reverse()) {
		await close().catch((error: unknown) => {
			isWell = false;
			complain(error);
		});
	}
	process.exit(isWell ? 0 : 1);
}
