import { hasOffset, idOf, instantOfIso, type JsonObject, keyOf, textOf } from '../../client';
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
	// What can't be read says nothing.
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

/** True if a list shows a post: by its ID, or by what was sent, as an answer may have an ID of its own. */
export function isListed(plan: Plan, record: JsonObject, listed: JsonObject): boolean {
	const { row, request, matching } = plan;
	const { publishTime = '' } = row;
	const id = idOf(record);
	if (id !== undefined && idOf(listed) === id) return true;
	const sent = request.body as JsonObject;
	const names = matching.fields.filter((field) => field !== publishTime);
	const isSameText = names.every((name) => keyOf(listed[name]) === keyOf(sent[name]));
	return names.length > 0 && isSameText && isSameTime(plan, listed[publishTime]);
}

/** The texts of a post that the list shows otherwise than they were sent. */
export function changedTexts({ request, matching }: Plan, listed: JsonObject): string[] {
	const sent = request.body as JsonObject;
	const isOther = (name: string) =>
		Object.hasOwn(listed, name) && keyOf(listed[name]) !== keyOf(sent[name]);
	return matching.fields.filter((name) => name !== matching.time && isOther(name));
}

/** True if an answer shows what else was sent of a post, and not its time. */
export function showsNoTime({ row, request, matching }: Plan, record: JsonObject): boolean {
	const { publishTime = '', isPublishTimeChosen } = row;
	if (isPublishTimeChosen || Object.hasOwn(record, publishTime)) return false;
	const sent = request.body as JsonObject;
	return matching.fields.some((name) => Object.hasOwn(sent, name) && Object.hasOwn(record, name));
}
