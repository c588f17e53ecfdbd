import { isAxiosError } from 'axios';
import { Complaint } from './complaint';

/** A program at the terminal that opens things and closes them in order, however it ends. */
export interface Program {
	/** What is to be closed at the end, the last opened first. */
	atEnd(close: () => Promise<void>): void;
	/** Everything is up, and only waits to be ended: from here on Ctrl-C is a good end. */
	isUp(): void;
}

function complain(error: unknown): void {
	const message = isAxiosError(error)
		? `${error.config?.method?.toUpperCase()} ${error.config?.url}: ${error.message}`
		: error instanceof Complaint && error.message;
	console.error(message ? `\n${message}` : error);
}

/** Runs a program to its end, or until Ctrl-C; it says itself whether all went well. */
export async function runProgram(main: (program: Program) => Promise<boolean>): Promise<never> {
	const closings: Array<() => Promise<void>> = [];
	let isUp = false;
	// Ctrl-C, or the terminal or another program ends it.
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
