export type Fields = Record<string, unknown>;

/** The lists of an account. */
export type Kind = 'locations' | 'keywords' | 'posts' | 'scans';

export interface Request {
	method: string;
	/** Below the base URL and without the query, IDs encoded: `/locations/loc_1/posts`. */
	path: string;
	query: Fields;
	headers?: Record<string, unknown>;
	body?: string;
}

/** A request as the account reads it. */
export interface Call extends Request {
	kind: Kind | 'insights';
	/** The list that the ID in the path is looked for in, and the ID. */
	root: Kind;
	id?: string;
	/** Whether the path is that of a record, not of a list. */
	isOne: boolean;
	fields: Fields;
	/** How many requests with this method came before. */
	earlier: number;
}

/** What the account answers: 200 without a status; without a body, nothing comes after the headers. */
export interface Answer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

const ROUTE =
	/^\/(locations|keywords|posts)(?:\/([^/]+)(?:\/(keywords|posts|scans|insights))?)?\/?$/;

/** Reads a request; undefined if the account has no such path. */
export function read(request: Request): Omit<Call, 'earlier'> | undefined {
	const [, root, id, below] = ROUTE.exec(request.path) ?? [];
	if (root === undefined) return undefined;
	return {
		...request,
		kind: (below ?? root) as Call['kind'],
		root: root as Kind,
		id: id && decodeURIComponent(id),
		isOne: id !== undefined && below === undefined,
		fields: request.body ? (JSON.parse(request.body) as Fields) : {},
	};
}
