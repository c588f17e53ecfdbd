/** What the credential tells the node about one request. */
export interface Exchange {
	/** Where the request went. */
	address?: string;
	/** The key that was sent with it, which may not come back. */
	key?: string;
}

/** Requests of this node, by the options that n8n hands on to the credential's `authenticate`. */
export const exchanges = new WeakMap<object, Exchange>();
