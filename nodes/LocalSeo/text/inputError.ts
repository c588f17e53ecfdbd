/** Input that can't be used: the message says what is wrong, the description what to do. Nothing was sent. */
export class InputError extends Error {
	/** @param about the fields of a row that are wrong, or the record that it may be about */
	constructor(
		message: string,
		readonly description?: string,
		readonly about: { fields?: string[]; similarTo?: string } = {},
	) {
		super(message);
		this.name = 'InputError';
	}
}
