import type { Row } from './read/row';

/** The rows that n8n hands over at once, and what they share. */
export class Batch {
	private readonly shared = new Map<string, Promise<unknown>>();

	constructor(readonly rows: Row[]) {}

	/**
	 * Does something once for all rows, which get the same result or error.
	 *
	 * @param what tells it from all else that they share
	 */
	async once<T>(what: unknown[], work: () => Promise<T>): Promise<T> {
		const name = JSON.stringify(what);
		const known = this.shared.get(name) ?? work();
		this.shared.set(name, known);
		return (await known) as T;
	}
}
