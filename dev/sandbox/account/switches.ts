import type { Limit, Quota } from './counter';
import type { Answer, Call, Fields, Kind } from './exchange';
import { metaOf, type Page, PAGING, type PageSwitches } from './paging';

/** What a service may do one way or another. The defaults are those of the interface. */
export interface Switches extends PageSwitches {
	/** The records of a list from before the first request; for a list that is within the account. */
	sample: (kind: Kind, ownerId: string) => Fields[];
	/** Answers in place of everything below, where it answers. */
	instead: (call: Call) => Answer | undefined;
	/** The ID of a record under its name, from a number that counts up or from those in its list. */
	id: (number: number, kind: Kind, records: Fields[]) => Fields;
	/** What is kept of the fields that were sent. */
	stores: (fields: Fields, kind: Kind, isNew: boolean) => Fields;
	/** `created_at` as it is shown; undefined: none. */
	createdAt: (at: Date, fields: Fields) => unknown;
	/** Milliseconds that the service's clock is ahead. */
	offset: number;
	hasDate: boolean;
	/** The lists to which records are added at the beginning. */
	newestFirst: readonly Kind[];
	created: (record: Fields, call: Call) => Answer;
	updated: (record: Fields, call: Call, before: Fields) => Answer;
	deleted: (record: Fields, call: Call) => Answer;
	insights: (location: Fields, call: Call) => unknown;
	/** The records of a list as they are shown. */
	shows: (records: Fields[], call: Call) => Fields[];
	/** Milliseconds for which a list may be served from a cache, and whether that says its `Age`. */
	staleness: number;
	saysAge: boolean;
	page: (page: Page, call: Call) => Answer;
	/** For each key by itself. */
	limit: Limit | undefined;
	/** The headers that say how many milliseconds to wait, and how much is left of the limit. */
	saysWait: (wait: number, now: number) => Record<string, string>;
	saysQuota: (quota: Quota, requests: number) => Record<string, string>;
}

export const PREFIX: Record<Kind, string> = {
	locations: 'loc',
	keywords: 'kw',
	posts: 'post',
	scans: 'scan',
};

/** An ID as the interface shows it: `loc_` and a suffix that says nothing. */
export const opaqueId = (number: number, kind: Kind) => ({
	id: `${PREFIX[kind]}_${(0xa1b2c3 + number * 7919).toString(36)}`,
});

export const INTERFACE: Switches = {
	sample: () => [],
	instead: () => undefined,
	id: opaqueId,
	stores: (fields) => fields,
	createdAt: (at) => at.toISOString(),
	offset: 0,
	hasDate: true,
	newestFirst: [],
	created: (data) => ({ status: 201, body: { data } }),
	updated: (data) => ({ body: { data } }),
	deleted: () => ({ status: 204 }),
	insights: () => ({ days: [] }),
	shows: (records) => records,
	staleness: 0,
	saysAge: false,
	...PAGING,
	page: (page) => ({ body: { data: page.data, meta: metaOf(page) } }),
	limit: undefined,
	saysWait: (wait) => ({ 'retry-after': String(Math.max(1, Math.ceil(wait / 1000))) }),
	saysQuota: ({ left, most, endsAt }) => ({
		'x-ratelimit-limit': String(most),
		'x-ratelimit-remaining': String(left),
		'x-ratelimit-reset': String(Math.ceil(endsAt / 1000)),
	}),
};
