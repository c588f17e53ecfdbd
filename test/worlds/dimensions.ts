import fc from 'fast-check';

/** What happens to one request; times in milliseconds. */
export type Outcome =
	| { kind: 'answered' }
	| { kind: 'rejected'; status: number }
	/** The service acts, or does not, and a fault comes in place of its response. */
	| { kind: 'fault'; acts: boolean; fault: 'connection-lost' | 'timeout'; code: string }
	| { kind: 'status'; acts: boolean; status: number }
	| { kind: 'body'; acts: boolean; status: number; body: unknown }
	/** The connection is gone at once; the backend acts that much later. */
	| { kind: 'late'; status: number; after: number }
	| { kind: 'silent'; acts: boolean }
	| { kind: 'limited'; retryAfter?: string };

/** A service, and what happens to it. Each dimension has a plain value and odd ones. */
export interface World {
	clockOffset: number;
	/** Milliseconds to which `created_at` is cut. */
	granularity: number;
	/** Hours by which `created_at` is off though it says `Z`. */
	wrongZone: number;
	dates: 'zoned' | 'no-zone' | 'absent' | 'future';
	hasDateHeader: boolean;
	text: keyof typeof TEXTS;
	hiddenFields: 'none' | 'content' | 'title';
	ids: 'text' | 'number' | 'none';
	order: 'newest-first' | 'oldest-first' | 'shuffled';
	/** Milliseconds for which a list may be served from a cache. */
	staleness: number;
	totals: 'right' | 'absent' | 'text' | 'too-low' | 'too-high' | 'huge';
	pageSize: number;
	/** Records of the location before the first row, some of them like rows. */
	before: number;
	latency: number;
	rows: number;
	/** How many rows have the same content as another one. */
	duplicates: number;
	/**
	 * What comes after the first run: nothing; n8n's Retry On Fail, which runs the rows again that did
	 * not succeed, with the same or other content (`$now`); or the execution is stopped in the middle,
	 * and a person runs it again.
	 */
	life: 'once' | 'retried' | 'retried-with-time' | 'stopped';
	/** What happens to the creates, in the order in which they arrive; then all are answered. */
	creates: Outcome[];
	/** The same for reads. */
	reads: Outcome[];
}

const answered: Outcome = { kind: 'answered' };

/** How texts are stored. */
export const TEXTS = {
	plain: (text: string) => text,
	trimmed: (text: string) => text.trim().replace(/\s+/g, ' '),
	truncated: (text: string) => text.slice(0, 40),
	ellipsis: (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text),
	entities: (text: string) =>
		text
			.replaceAll('&', '&amp;')
			.replaceAll('<', '&lt;')
			.replaceAll('"', '&quot;')
			.replaceAll("'", '&#39;'),
	nfc: (text: string) => text.normalize('NFC'),
	nfd: (text: string) => text.normalize('NFD'),
	nfkc: (text: string) => text.normalize('NFKC'),
	curly: (text: string) => text.replace(/"(.*?)"/g, '“$1”').replaceAll("'", '’'),
	html: (text: string) => `<p>${text.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</p>`,
};

function dimension<T>(plain: T, ...odd: T[]): fc.Arbitrary<T> {
	return fc.oneof(
		{ withCrossShrink: true },
		{ weight: 3, arbitrary: fc.constant(plain) },
		{ weight: 1, arbitrary: fc.constantFrom(...odd) },
	);
}

const CODES = [
	'ECONNRESET',
	'EPIPE',
	'HPE_INVALID_CHUNK_SIZE',
	'HPE_INVALID_HEADER_TOKEN',
	'Z_DATA_ERROR',
	'ERR_BAD_RESPONSE',
];
const FALSE_SUCCESSES: unknown[] = [
	'',
	'<html><title>Welcome</title></html>',
	{},
	{ success: false },
	{ data: null },
	{ data: { ok: true } },
	{ errors: [{ message: 'no' }] },
];

const createOutcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	fc.constant(answered),
	fc.record({
		kind: fc.constant('rejected' as const),
		status: fc.constantFrom(400, 403, 409, 422),
	}),
	fc.record({
		kind: fc.constant('fault' as const),
		acts: fc.boolean(),
		fault: fc.constantFrom('connection-lost' as const, 'timeout' as const),
		code: fc.constantFrom(...CODES),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		acts: fc.boolean(),
		status: fc.constantFrom(500, 502, 503, 504, 408),
	}),
	fc.record({
		kind: fc.constant('body' as const),
		acts: fc.boolean(),
		status: fc.constantFrom(200, 201, 204),
		body: fc.constantFrom(...FALSE_SUCCESSES),
	}),
	fc.record({
		kind: fc.constant('late' as const),
		status: fc.constantFrom(502, 504),
		after: fc.constantFrom(500, 5_000, 20_000, 60_000),
	}),
	fc.record({ kind: fc.constant('silent' as const), acts: fc.boolean() }),
	fc.record({
		kind: fc.constant('limited' as const),
		retryAfter: fc.constantFrom(undefined, '1', '0', '-3', '5'),
	}),
);

const readOutcome: fc.Arbitrary<Outcome> = fc.oneof(
	{ withCrossShrink: true },
	fc.constant(answered),
	fc.record({
		kind: fc.constant('fault' as const),
		acts: fc.constant(false),
		fault: fc.constantFrom('connection-lost' as const, 'timeout' as const),
		code: fc.constantFrom(...CODES),
	}),
	fc.record({
		kind: fc.constant('status' as const),
		acts: fc.constant(false),
		status: fc.constantFrom(500, 502, 503, 403),
	}),
	fc.record({
		kind: fc.constant('body' as const),
		acts: fc.constant(false),
		status: fc.constant(200),
		body: fc.constantFrom(...FALSE_SUCCESSES),
	}),
);

export const worlds: fc.Arbitrary<World> = fc.record({
	clockOffset: dimension(0, 3_600_000, -86_400_000, 400, -2_500),
	granularity: dimension(1, 1_000, 60_000),
	wrongZone: dimension(0, 2, -7),
	dates: dimension<World['dates']>('zoned', 'no-zone', 'absent', 'future'),
	hasDateHeader: dimension(true, false),
	text: dimension<World['text']>('plain', ...(Object.keys(TEXTS).slice(1) as Array<World['text']>)),
	hiddenFields: dimension<World['hiddenFields']>('none', 'content', 'title'),
	ids: dimension<World['ids']>('text', 'number', 'none'),
	order: dimension<World['order']>('newest-first', 'oldest-first', 'shuffled'),
	staleness: dimension(0, 1_000, 5_000, 30_000),
	totals: dimension<World['totals']>('right', 'absent', 'text', 'too-low', 'too-high', 'huge'),
	pageSize: dimension(15, 1, 3, 100),
	before: dimension(0, 1, 5, 40),
	latency: dimension(100, 5, 2_000),
	rows: dimension(3, 1, 2, 8, 20),
	duplicates: dimension(0, 1, 2),
	life: dimension<World['life']>('once', 'retried', 'retried-with-time', 'stopped'),
	creates: fc.array(createOutcome, { maxLength: 8 }),
	reads: fc.array(readOutcome, { maxLength: 4 }),
});
