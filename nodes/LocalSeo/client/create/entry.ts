import type { JsonObject } from '../ports';

/**
 * How the response to a create was lost: without a word, or with an error of the service's own, which
 * has acted by then, or has not (`busy`: 503).
 */
export type Fault = 'silent' | 'own' | 'busy';

/** What this process knows of a create; times are the account's clock's. */
export interface Entry {
	state: 'sent' | 'doubtful' | 'done' | 'refused' | 'unclear';
	run?: string;
	/** What was sent, as far as it is compared; nothing once it is done. */
	sent: JsonObject;
	firstSentAt: number;
	/** When its outcome became uncertain, and how. */
	doubtSince: number;
	fault: Fault;
	/** How often it was sent again. */
	resent: number;
	/** Since when it is known what it became. */
	doneAt: number;
	/** Whether the list has shown its record. */
	wasListed: boolean;
}
