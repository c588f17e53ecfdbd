/** What goes back over the wire. `body` undefined: none; anything else is sent as JSON. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** A request the service does not grant; thrown anywhere while one is handled. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		message: string,
		/** Texts by field, where fields are concerned. */
		readonly errors?: Record<string, string[]>,
	) {
		super(message);
	}

	get answer(): Answer {
		const { status, message, errors } = this;
		return { status, body: errors ? { message, errors } : { message } };
	}
}
