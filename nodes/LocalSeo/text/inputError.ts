/** Input that can't be used: the message says what is wrong, the description what to do. Nothing was sent. */
export class InputError extends Error {
	constructor(
		message: string,
		readonly description?: string,
	) {
		super(message);
		this.name = 'InputError';
	}
}
