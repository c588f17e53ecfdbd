/** What an error says, before it becomes one of n8n's errors. */
export interface Report {
	message: string;
	description?: string;
	/** Whether no request failed: the cause is what was asked for, a rule of n8n, or a list. */
	isNodeOperation?: boolean;
	/** HTTP status. */
	httpCode?: string;
	/** The cause, from which newer versions of n8n decide how long to back off (docs/n8n-facts.md, section 7). */
	failure?: { cause: FailureCause; retryAfterMs?: number };
}

export type FailureCause =
	| 'credential-invalid'
	| 'configuration-invalid'
	| 'rate-limited'
	| 'temporarily-unavailable';
