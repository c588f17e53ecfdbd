import { Complaint } from './complaint';

/** The whole number of 1 or more that a flag was given; complains with the help about anything else. */
export function counted(value: string, flag: string, help: string): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= 1) return number;
	throw new Complaint(`${flag} must be a whole number of 1 or more, not "${value}".\n\n${help}`);
}
