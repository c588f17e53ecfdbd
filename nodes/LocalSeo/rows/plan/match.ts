import { type JsonObject, keysOf, type Matching, type Sought, soughtBy } from '../../client';
import type { Facts } from '../learn/facts';
import type { ComparedList } from '../learn/list';
import { isBlank } from '../read/cells';
import type { Row } from '../read/row';
import type { Compared, Draft } from './plan';

/** Names of the fields that some row of a run fills, in the order of the first row that does. */
export function filledIn(drafts: Draft[]): ReadonlySet<string> {
	const filled = new Set<string>();
	for (const { fields } of drafts) for (const name in fields) filled.add(name);
	return filled;
}

/**
 * Adds to drafts what is compared of them.
 *
 * @param filled the fields that some row of the run fills
 */
export function comparing(
	filled: ReadonlySet<string>,
	{ columns }: Facts,
): (draft: Draft) => Compared {
	const chosen = columns?.matchFields ?? [];
	// Shared by rows: each is remembered for an hour.
	const matchings = new Map<string, Matching>();
	return (draft) => {
		const { row, fields } = draft;
		const names = chosen.length > 0 ? chosen : matchFieldsOf(draft, filled);
		const key = names.join();
		const matching = matchings.get(key) ?? matchingOf(row, names);
		matchings.set(key, matching);
		const keys = keysOf(fields, matching);
		return { ...draft, keys, sought: soughtBy(fields, matching, keys) };
	};
}

/**
 * The fields by which the record of a row is found again: those of the resource that some row of the run fills.
 * Create Another One compares nothing: there it is what the row fills.
 */
function matchFieldsOf({ row, fields }: Draft, filled: ReadonlySet<string>): string[] {
	const { resource, publishTime, whenToPublish, ifExists } = row;
	const usual = [...(resource.matchFields ?? [])];
	if (whenToPublish === 'scheduled') usual.push(publishTime!);
	return usual.filter((name) => (ifExists === 'create' ? name in fields : filled.has(name)));
}

const matchingOf = ({ publishTime: time, zone, resource }: Row, fields: string[]): Matching => ({
	...{ fields, time, zone },
	compareAs: resource.compareAs,
});

/** True if a row has no value in a match field. */
export function lacks({ fields, keys, sought }: Compared, name: string): boolean {
	return name === sought.matching.time ? isBlank(fields[name]) : keys[name] === '';
}

/** True if a record has the texts by which a row is found again, and there are some. */
export function hasTexts(record: JsonObject, { matching, texts }: Sought): boolean {
	const isTextCompared = matching.fields.some((name) => name !== matching.time);
	return isTextCompared && soughtBy(record, matching, keysOf(record, matching)).texts === texts;
}

/** Milliseconds. */
const PUBLISHED_WITHIN = 3_600_000;
const CLOCKS_DIFFER = 300_000;

/** How much later a service may show a time that is over (ms): as the moment of publishing, which is no time to come. */
export const laterBy = (at: number | undefined, now: number): number =>
	at === undefined || at > now ? 0 : Math.min(PUBLISHED_WITHIN, now - at + CLOCKS_DIFFER);

/** A record that has all match fields of a row but one. */
export interface Beside {
	record: JsonObject;
	shared: string[];
	differing: string;
}

/**
 * The record of another row, or of this one before it was edited, where none has all of its match fields. A post
 * that was edited is no new one; nor is a location whose city is spelled otherwise, and which would stay.
 */
export function besideOf(one: Compared, list: ComparedList, later: number): Beside | undefined {
	const { row, fields, keys, sought } = one;
	const { matching } = sought;
	if (row.matchFields.length > 0) return undefined;
	for (const differing of matching.fields.filter((name) => mayDiffer(row, name))) {
		const shared = matching.fields.filter((name) => name !== differing);
		if (shared.every((name) => name === matching.time)) continue;
		const own = soughtBy(fields, { ...matching, fields: shared }, keys);
		const [record] = list.equalTo(own, later);
		if (record) return { record, shared, differing };
	}
	return undefined;
}

const mayDiffer = ({ resource }: Row, name: string): boolean =>
	resource.publishTime !== undefined || (resource.compareAs === 'words' && name === 'city');
