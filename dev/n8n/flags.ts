import { Command, InvalidArgumentError } from 'commander';

/** The flags of a command such as `npm start`: a wrong one ends it with a line that says so, and the help. */
export function flagsOf(command: string, description = ''): Command {
	return new Command(`${command} --`).description(description).showHelpAfterError();
}

export function whole(least: number, most = Infinity): (value: string) => number {
	const range = most === Infinity ? `of ${least} or more` : `between ${least} and ${most}`;
	return (value) => {
		const number = Number(value);
		if (Number.isInteger(number) && number >= least && number <= most) return number;
		throw new InvalidArgumentError(`It must be a whole number ${range}.`);
	};
}
