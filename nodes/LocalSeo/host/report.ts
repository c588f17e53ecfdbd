/** An error in words, before it becomes one of n8n's. */
export interface Report {
	message: string;
	description: string;
	/** HTTP status. */
	httpCode?: string;
	/** Why, in the words from which newer hosts decide on a wait (n8n-workflow, `Failure`). */
	failure?: { cause: FailureCause; retryAfterMs?: number };
}

export type FailureCause =
	| 'credential-invalid'
	| 'configuration-invalid'
	| 'rate-limited'
	| 'temporarily-unavailable';
