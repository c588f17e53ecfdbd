import omit from 'lodash/omit';
import { DateTime } from 'luxon';

import {
	comparedKeys,
	hasKeys,
	hasOffset,
	idOf,
	instantOfIso,
	type JsonObject,
	keyOf,
	type Keys,
	LOOSE,
	newOnes,
	textOf,
} from '../../client';
import type { PlanOf } from '../plan/plan';
import { isBlank } from '../read/cells';
import { isDay, shownTime, shownTimes } from '../read/when';

// How a service shows a post that was created, and its time.

type Plan = PlanOf<'create'>;

/** Seconds. */
const QUARTER_HOUR = 900;
const WIDEST_OFFSET = 14 * 3_600;

/**
 * How an answer shows the time of a post, if it is another one than was sent, or empty: "another time: …, not
 * …"; undefined: it keeps it.
 */
export function otherTimeIn(plan: Plan, record: JsonObject): string | undefined {
	const { publishTime = '', zone } = plan.row;
	if (!Object.hasOwn(record, publishTime)) return undefined;
	const shown = record[publishTime];
	const sent = new Date(plan.live!.at!).toISOString();
	if (isBlank(shown)) return `no time, not ${shownTime(sent, zone)}`;
	// A value that can't be read says nothing.
	if (instantOfIso(textOf(shown).trim()) === undefined || isSameTime(plan, shown)) return undefined;
	const [other, own] = shownTimes([shown, sent], zone);
	return `another time: ${other}, not ${own}`;
}

/**
 * True if a service shows the time of a post. One without an offset may be of any zone, and zones differ by
 * quarter hours; a day is that of the row's zone, or of UTC.
 */
export function isSameTime({ live, row }: Plan, shown: unknown): boolean {
	const text = textOf(shown ?? '').trim();
	const instant = instantOfIso(text);
	if (instant === undefined) return false;
	const at = DateTime.fromMillis(live!.at!, { zone: row.zone });
	if (isDay(text)) return [at, at.toUTC()].some((time) => time.toISODate() === text);
	const ahead = Math.floor(instant / 1000) - Math.floor(live!.at! / 1000);
	if (hasOffset(text)) return ahead === 0;
	return ahead % QUARTER_HOUR === 0 && Math.abs(ahead) <= WIDEST_OFFSET;
}

/** The keys of the texts by which a post is found. */
const textsOf = ({ keys, matching }: Plan): Keys => omit(keys, matching.time ?? '', LOOSE);

/** True if a record has these texts. */
function hasTexts(record: JsonObject, texts: Keys): boolean {
	const fields = Object.keys(texts);
	return fields.length > 0 && hasKeys(comparedKeys(record, { fields }), texts);
}

/**
 * A post as its list shows it, of what was not there before: by its ID or, as an answer may have none, or an
 * ID of its own, by what was sent. Where the list was not read before, it has to have the texts that were sent.
 */
export function listedAmong(
	records: JsonObject[],
	plan: Plan,
	answer: JsonObject,
): JsonObject | undefined {
	const { versions } = plan.before ?? {};
	const { publishTime = '' } = plan.row;
	const id = idOf(answer);
	const texts = textsOf(plan);
	const isAlike = (record: JsonObject) => hasTexts(record, texts);
	const added = versions ? newOnes(records, versions) : records.filter(isAlike);
	const alike = added.filter(isAlike);
	return (
		added.find((record) => id !== undefined && idOf(record) === id) ??
		alike.find((record) => isSameTime(plan, record[publishTime])) ??
		(versions && alike[0])
	);
}

/** The texts of a post that the list shows otherwise than they were sent. */
export function changedTexts({ request, matching }: Plan, listed: JsonObject): string[] {
	const sent = request.body as JsonObject;
	const isOther = (name: string) =>
		Object.hasOwn(listed, name) && keyOf(listed[name]) !== keyOf(sent[name]);
	return matching.fields.filter((name) => name !== matching.time && isOther(name));
}
