import type { Answer } from './account';

/** Thrown while a request is handled, to reject it. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** Messages by field, if fields are the reason. */
		readonly errors?: Record<string, string[]>,
	) {
		super(message);
	}

	get response(): Answer {
		const { status, message, errors } = this;
		return { status, body: errors ? { message, errors } : { message } };
	}
}
