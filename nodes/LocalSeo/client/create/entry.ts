import type { JsonObject } from '../ports';

/**
 * How the response to a create was lost: without a word, or with an error of the service's own, which
 * has acted by then, or has not (`busy`: 503).
 */
export type Fault = 'silent' | 'own' | 'busy';

/** The knowledge of this process about one create; times are the account's clock's. */
export interface Entry {
	state: 'sent' | 'doubtful' | 'done' | 'refused' | 'unclear';
	run?: string;
	/** The sent fields, as far as they are compared; empty once it is done. */
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
