import type { JsonObject } from '../ports';

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	run: string;
	row: number | string;
}

/** What this process knows of a create; times are the account's clock's. */
export interface Entry {
	state: 'sent' | 'doubtful' | 'done' | 'refused' | 'unclear';
	run?: string;
	/** What was sent, as far as it is compared; nothing once it is done. */
	sent: JsonObject;
	firstSentAt: number;
	/** When its outcome became uncertain. */
	doubtSince: number;
	/** Whether the service itself reported an error: it has acted by then, or has not. */
	isOwnError: boolean;
	/** How often it was sent again after the service's own error, and after silence. */
	resent: { own: number; silent: number };
	/** Since when it is known what it became. */
	doneAt: number;
	/** Whether the list has shown its record. */
	wasListed: boolean;
}
