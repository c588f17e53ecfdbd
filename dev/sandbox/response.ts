/** What the service responds; without a body if `body` is undefined, otherwise with JSON. */
export interface ServiceResponse {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

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

	get response(): ServiceResponse {
		const { status, message, errors } = this;
		return { status, body: errors ? { message, errors } : { message } };
	}
}
