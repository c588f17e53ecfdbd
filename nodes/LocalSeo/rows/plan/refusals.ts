import { idOf, type JsonObject, keyOf, textOf } from '../../client';
import { isUpsert, SET_BY_SERVICE } from '../../resources';
import { InputError } from '../../text/inputError';
import { capitalized, listed, shortened } from '../../text/words';
import { labelOf } from '../labels';
import type { ComparedList } from '../learn/list';
import type { Row } from '../read/row';
import { shownTime } from '../read/when';
import { isOfRecord } from './draft';
import { type Beside, lacks } from './match';
import type { Compared } from './plan';

// Why a row is not sent, although it could be.

/** Names of fields, and records, that a message shows. */
const MAX_NAMES = 10;
const MAX_RECORDS = 5;

const and = (names: string[]): string => listed(names, MAX_NAMES, ' and ');
const nounOf = ({ resource }: Row): string => resource.noun;

/** @throws InputError for a row that can't be told from others, or not be recognized again */
export function assertComparable(
	one: Compared,
	list: ComparedList,
	shown: ReadonlySet<string>,
): void {
	const { row, sought } = one;
	const { matching } = sought;
	const { resource, matchFields: chosen, isPublishTimeChosen } = row;
	const [blank] = matching.fields.filter((name) => lacks(one, name));
	if (blank !== undefined) {
		throw new InputError(
			`The row has no ${blank}, by which ${nounOf(row)}s are told apart`,
			"Fill it, or name fields that every row fills in the option 'Match Fields'.",
		);
	}
	if (chosen.length === 0 && matching.fields.every((name) => name === matching.time)) {
		throw new InputError(
			`The row has no ${listed(resource.matchFields ?? [], MAX_NAMES, ' or ')}, by which ${nounOf(row)}s are told apart`,
			"Name the fields that tell yours apart in the option 'Match Fields'.",
		);
	}
	if (list.count === 0) return;
	// To name the field of the time is to vouch for it: then its row is refused beside a record with its texts.
	const isVouched = (name: string) =>
		name === matching.time && isPublishTimeChosen && chosen.length === 0;
	const isUnknown = (name: string) => !list.seen.has(name) && !shown.has(name) && !isVouched(name);
	const unknown = matching.fields.filter(isUnknown);
	if (unknown.length === 0) return;
	const named = [...list.seen].filter((name) => !SET_BY_SERVICE.includes(name));
	throw new InputError(
		`None of the existing ${nounOf(row)}s shows ${listed(unknown, MAX_NAMES, ' or ')}, so yours would not be recognized`,
		`Name fields that they show in the option 'Match Fields': ${listed(named, MAX_NAMES) || 'there are none'}.`,
	);
}

/** The error for a row beside a record that has all of its match fields but one. */
export function isBeside(
	{ row, fields, sought: { matching } }: Compared,
	{ seen }: ComparedList,
	{ record, shared, differing }: Beside,
): InputError {
	const id = idOf(record);
	const which = `${nounOf(row)} with this ${and(shared)} is there${id === undefined ? '' : ` (ID ${id})`}`;
	if (differing === matching.time && !seen.has(differing)) {
		return new InputError(
			`A ${which}, and none shows its ${differing}`,
			`To skip such rows, set the option 'Match Fields' to ${shared.join(', ')}.`,
		);
	}
	const shownIn = (one: JsonObject) => shownTime(one[differing], row.zone);
	const difference =
		differing === matching.time
			? `at another time (${shownIn(record) || 'none'}; the row says ${shownIn(fields)})`
			: `with another ${differing}`;
	return new InputError(
		`A ${which}, ${difference}`,
		isUpsert(row.operation)
			? `To change it, set the option 'Match Fields' to ${shared.join(', ')}; if yours is another one, to ${matching.fields.join(', ')}.`
			: `If yours is another one, set the option 'Match Fields' to ${matching.fields.join(', ')}; else remove the row.`,
	);
}

/**
 * The error for rows of one run that say two things of one record: none is sent.
 *
 * @param different one of each that sends something else
 */
export function conflictOf(group: Compared[], different: Compared[]): InputError {
	const [{ row, request, sought }] = group;
	const shared = isOfRecord(request) ? ['ID'] : sought.matching.fields;
	const some = different.slice(0, MAX_NAMES);
	const names = new Set(some.flatMap(({ fields }) => Object.keys(fields)));
	const isOther = (name: string) =>
		!shared.includes(name) && new Set(some.map(({ fields }) => keyOf(fields[name]))).size > 1;
	const rows = labelOf(
		row.rows,
		group.map((one) => one.row.index),
	);
	return new InputError(
		`${capitalized(rows)} have the same ${and(shared)}, and another ${and([...names].filter(isOther).sort())}`,
		isOfRecord(request)
			? 'Remove all but one.'
			: "If they are several, name a field that tells them apart in the option 'Match Fields'; else remove all but one.",
	);
}

/** @throws InputError for several records that may be the row's */
export function theOnlyOne({ row, sought }: Compared, records: JsonObject[]) {
	if (records.length < 2) return records[0];
	throw new InputError(
		`${records.length} ${nounOf(row)}s match this row: ${listed(records.map(labelOfRecord), MAX_RECORDS, '; ')}`,
		`They have the same ${and(sought.matching.fields)}. Use the operation Update with an ID.`,
	);
}

/** "Bakery East, Boston (loc_1)" */
export function labelOfRecord(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).map(textOf).join(', ');
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${shortened(label)} (${id})`;
}
