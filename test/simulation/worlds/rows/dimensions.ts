import pick from 'lodash/pick';
import { DateTime } from 'luxon';

import type { Answer } from '../../../../dev/sandbox/account';
import type { JsonObject } from '../../../../nodes/LocalSeo/client';
import { fc, mostly, named, oneOf, type WorldOf, worldsOf } from '../../../support/random';
import { ANSWERED, delayed, late, lostAt, type Outcome } from '../faults';

export const TEXTS: Record<string, (text: string) => string> = {
	plain: (text) => text,
	trimmed: (text) => text.trim().replace(/\s+/g, ' '),
	cut: (text) => text.slice(0, 40),
	entities: (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
	decomposed: (text) => text.normalize('NFD'),
	curly: (text) => text.replace(/"(.*?)"/g, '“$1”').replaceAll("'", '’'),
	html: (text) => `<p>${text.replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')}</p>`,
	translated: (text) => text.split(' ').reverse().join(' '),
};

/** Of the workflow. */
export const ZONE = 'Europe/Berlin';
/** No quarter hours: without an offset, the time would be right in some other zone (ms). */
const LATER = 80 * 60_000;
/** How services keep the time to publish of a row. */
export const TIMES: Record<string, (time: string, now: number) => string | null> = {
	kept: (time) => time,
	later: (time) => new Date(Date.parse(time) + LATER).toISOString(),
	'at once': (_, now) => new Date(now).toISOString(),
	never: () => null,
};

/** How services show a time to publish; undefined: they do not. */
export const SHOWN: Record<string, (at: Date) => string | undefined> = {
	offset: (at) => at.toISOString(),
	utc: (at) => at.toISOString().slice(0, 19),
	wall: (at) => DateTime.fromJSDate(at, { zone: ZONE }).toFormat("yyyy-MM-dd'T'HH:mm:ss"),
	minutes: (at) => `${at.toISOString().slice(0, 16)}Z`,
	never: () => undefined,
};

/** How services call a post that is planned, or not. */
export const STATUSES: Record<string, (isPlanned: boolean) => string | undefined> = {
	none: () => undefined,
	scheduled: (isPlanned) => (isPlanned ? 'scheduled' : 'published'),
	published: () => 'published',
};

/** How services answer a create: with its record, or a receipt whose ID no list shows. */
export const ANSWERS: Record<string, (record: JsonObject, receipt: string) => Answer> = {
	record: (data) => ({ status: 201, body: { data } }),
	receipt: (_, id) => ({ status: 202, body: { data: { id, status: 'queued' } } }),
	nothing: () => ({ status: 204 }),
	id: (data) => ({ status: 201, body: { data: pick(data, 'id') } }),
};

/** `some dates`: the other rows go live at once; `too much`: more than is remembered of some ten rows. */
type More = 'nothing' | 'values' | 'dates' | 'some dates' | 'much' | 'too much';
type Life = 'once' | 'retried' | 'retried-with-time' | 'stopped' | 'together';
const SHRINKS = { withCrossShrink: true };
const answered = fc.constant(ANSWERED);
const onWrites = fc.oneof(SHRINKS, answered, lostAt(0, Infinity), late, delayed);
const usually = Array<fc.Arbitrary<Outcome[]>>(9).fill(fc.array(onWrites, { maxLength: 3 }));
/** The same fault at so many writes. */
const again = fc
	.tuple(lostAt(Infinity), fc.integer({ min: 1, max: 12 }))
	.map(([outcome, times]) => Array<Outcome>(times).fill(outcome));
const onReads = fc.oneof(SHRINKS, answered, lostAt(Infinity), delayed);

/** A service to which the rows of a sheet are posted, and what happens to it; times in milliseconds. */
const DIMENSIONS = {
	text: named(TEXTS),
	time: named(TIMES),
	showsTime: named(SHOWN),
	status: named(STATUSES),
	answers: named(ANSWERS),
	/** A field that the list leaves out. */
	listedWithout: mostly('nothing', 'content'),
	hasIds: mostly(true, false),
	/** Records of the location before the first row, some of them like rows. */
	before: mostly(5, 0, 1, 30, 31, 60, 400),
	hasTotal: mostly(true, false),
	pageSize: mostly(15, 10, 100),
	/** By how much the list lags, as one of a replica. */
	staleness: mostly(0, 1_000, 6_000, 30_000, 60_000),
	/** The list may hide what goes live later, or what is new, which a total counts all the same. */
	hides: mostly('nothing', 'ahead', 'new'),
	/** Others post while the list is read, one record in so much time. */
	others: mostly(Infinity, 5_000),
	latency: mostly(100, 5, 2_000),
	/** How long a create takes. */
	takes: mostly(0, 120_000),
	/** After so many requests the key is refused. */
	revokedAfter: mostly(Infinity, 0, 3, 10),
	/** The rows, how many of them say the same as others, and what they hold besides texts. */
	count: mostly(3, 1, 2, 8, 20, 70, 2_000),
	duplicates: mostly(0, 1, 2),
	more: oneOf<More>('nothing', 1, fc.constantFrom('values', 'dates', 'some dates', 'much')),
	/** True if a run reads the list first, as Skip the Row does; else it creates anyway. */
	readsFirst: mostly(true, false),
	/** True if the run names the field with the time to publish, and the fields that tell rows apart. */
	namesTime: mostly(false, true),
	namesMatchFields: mostly(true, false),
	/**
	 * Comes after the first run: nothing; n8n's Retry On Fail, with the same or other content
	 * (`$now`); the execution is stopped in the middle, and a person runs it again; or a second execution
	 * of the same rows goes on at the same time.
	 */
	life: oneOf<Life>(
		'once',
		1,
		fc.constantFrom('retried', 'retried-with-time', 'stopped', 'together'),
	),
	/** Outcomes of writes and reads, in the order in which they arrive; then all are answered. */
	writes: { plain: [] as Outcome[], drawn: fc.oneof(SHRINKS, ...usually, again) },
	reads: { plain: [] as Outcome[], drawn: fc.array(onReads, { maxLength: 2 }) },
};
export type World = WorldOf<typeof DIMENSIONS>;

/** The service that we would have written, and services at random. */
export const { plain: PLAIN, worlds } = worldsOf(DIMENSIONS);
