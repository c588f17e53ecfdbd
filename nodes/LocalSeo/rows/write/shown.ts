import omit from 'lodash/omit';

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
import { shownTime, shownTimes } from '../read/when';

// How a service shows a post that was created, and its time.

type Plan = PlanOf<'create'>;

const DAY = 86_400_000;

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

/** A time without an offset may be of any zone: it is the same within a day. */
export function isSameTime({ live }: Plan, shown: unknown): boolean {
	const text = textOf(shown ?? '').trim();
	const instant = instantOfIso(text);
	if (instant === undefined) return false;
	if (!hasOffset(text)) return Math.abs(instant - live!.at!) <= DAY;
	return Math.floor(instant / 1000) === Math.floor(live!.at! / 1000);
}

/** The keys of the texts by which a post is found. */
export const textsOf = ({ keys, matching }: Plan): Keys => omit(keys, matching.time ?? '', LOOSE);

/** True if a record has these texts. */
export function hasTexts(record: JsonObject, texts: Keys): boolean {
	const fields = Object.keys(texts);
	return fields.length > 0 && hasKeys(comparedKeys(record, { fields }), texts);
}

/**
 * A post as its list shows it: by its ID or, as an answer may have none, or an ID of its own, by what was
 * sent; at another time, only if it was not there before.
 */
export function listedAmong(
	records: JsonObject[],
	plan: Plan,
	answer: JsonObject,
): JsonObject | undefined {
	const { row, before } = plan;
	const { publishTime = '' } = row;
	const id = idOf(answer);
	const known = id !== undefined && records.find((record) => idOf(record) === id);
	if (known) return known;
	const texts = textsOf(plan);
	const alike = records.filter((record) => hasTexts(record, texts));
	const [added] = before?.versions ? newOnes(alike, before.versions) : [];
	return alike.find((record) => isSameTime(plan, record[publishTime])) ?? added;
}

/** The texts of a post that the list shows otherwise than they were sent. */
export function changedTexts({ request, matching }: Plan, listed: JsonObject): string[] {
	const sent = request.body as JsonObject;
	const isOther = (name: string) =>
		Object.hasOwn(listed, name) && keyOf(listed[name]) !== keyOf(sent[name]);
	return matching.fields.filter((name) => name !== matching.time && isOther(name));
}
