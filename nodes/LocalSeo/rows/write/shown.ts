import omit from 'lodash/omit';

import {
	comparedKeys,
	hasKeys,
	hasOffset,
	idOf,
	identityOf,
	instantOfIso,
	type JsonObject,
	keyOf,
	type Keys,
	LOOSE,
	mayBeAt,
	textOf,
} from '../../client';
import type { PlanOf } from '../plan/plan';
import { isBlank } from '../read/cells';
import { shownTime, shownTimes } from '../read/when';

// How a service shows a post that was created, and its time.

type Plan = PlanOf<'create'>;

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
	if (instantOfIso(textOf(shown).trim()) === undefined || isSameTime(plan, record))
		return undefined;
	const [other, own] = shownTimes([shown, sent], zone);
	return `another time: ${other}, not ${own}`;
}

/** True if a service shows the time of a post, as far as can be told: without an offset, of any zone. */
export const isSameTime = ({ live, row }: Plan, record: JsonObject): boolean =>
	mayBeAt(record[row.publishTime ?? ''], live!.at!);

/** True if what is shown can't be the moment of publishing, in any zone. */
export function isCertain({ row }: Plan, record: JsonObject, now: number): boolean {
	const shown = record[row.publishTime ?? ''];
	return hasOffset(textOf(shown ?? '').trim()) || !mayBeAt(shown, now);
}

/** The keys of the texts by which a post is found. */
const textsOf = ({ keys, matching }: Plan): Keys => omit(keys, matching.time ?? '', LOOSE);

/** True if a record has these texts. */
function hasTexts(record: JsonObject, texts: Keys): boolean {
	const fields = Object.keys(texts);
	return fields.length > 0 && hasKeys(comparedKeys(record, { fields }), texts);
}

/**
 * A post as its list shows it, of what was not there before: by the ID of its answer, or by its texts; at its
 * time, before all others. One that has its time alone is it, if it is the only one, and the time says its zone.
 * Where the list was not read before, an older post may have the number of a receipt, or the texts.
 */
export function listedAmong(
	records: JsonObject[],
	plan: Plan,
	answer: JsonObject,
): JsonObject | undefined {
	const { known } = plan.before ?? {};
	const { publishTime = '' } = plan.row;
	const id = idOf(answer);
	const texts = textsOf(plan);
	const isNamed = (record: JsonObject) => id !== undefined && idOf(record) === id;
	const isAlike = (record: JsonObject) => hasTexts(record, texts);
	const added = records.filter((record) => !known?.has(identityOf(record)));
	const atTime = added.filter((record) => isSameTime(plan, record));
	const own = atTime.find(isNamed) ?? atTime.find(isAlike);
	if (own) return own;
	if (!known) return added.find((record) => isNamed(record) && isAlike(record));
	const [only, ...others] = atTime;
	const isOnly = only && others.length === 0 && hasOffset(textOf(only[publishTime]).trim());
	return added.find(isNamed) ?? added.find(isAlike) ?? (isOnly ? only : undefined);
}

/** The texts of a post that the list shows otherwise than they were sent. */
export function changedTexts({ request, matching }: Plan, listed: JsonObject): string[] {
	const sent = request.body as JsonObject;
	const isOther = (name: string) =>
		Object.hasOwn(listed, name) && keyOf(listed[name]) !== keyOf(sent[name]);
	return matching.fields.filter((name) => name !== matching.time && isOther(name));
}
