import { idOf, type JsonObject, keyOf, type Matching, matchKeyOf, textOf } from '../../client';
import { InputError } from '../../text/inputError';
import { asValue, capitalized, listed, shortened } from '../../text/words';
import type { Row } from '../read/row';
import { shownTime } from '../read/when';
import { type Existing, matchingOf } from './existing';

/** Names of fields, and records, that a message shows. */
const MAX_NAMES = 10;
const MAX_RECORDS = 5;
/** The alternatives for a row that can't be told from others, as the end of a sentence. */
const OTHERWISE = {
	skip: "set 'If It Already Exists' to 'Create Another One'",
	update: "use the operation Create with 'If It Already Exists' set to 'Create Another One'",
};

/** A row beside what exists. */
export interface Match {
	row: Row;
	/** The values of the row: what is sent, and what is only compared. */
	fields: JsonObject;
	existing: Existing;
	ifExists: keyof typeof OTHERWISE;
	/** The fields that are compared; the time among them only if the row has one. */
	matching: Matching;
	/** True if the user has chosen them: then nothing else is compared. */
	isChosen: boolean;
	/** Rows with the same key are about the same record. */
	key: string;
}

/** The fields by which the record of a row is found again. */
export function matchingOfRow(
	{ resource, publishTime }: Row,
	fields: JsonObject,
	matchFields: string[],
): Matching {
	const usual = matchingOf(resource, publishTime);
	// A service may give a post that went out at once a time of its own.
	const isCompared = (name: string) => name !== usual.time || keyOf(fields[name]) !== '';
	const names = matchFields.length > 0 ? matchFields : usual.fields;
	return { ...usual, fields: names.filter(isCompared) };
}

/**
 * Compares a row with what exists.
 *
 * @param shown the fields that records of the account show, whatever their location
 * @throws InputError for a row that can't be told from others, and for a match field that no record shows
 */
export function matchOf(
	row: Row,
	matching: Matching,
	fields: JsonObject,
	existing: Existing,
	shown: ReadonlySet<string>,
): Match {
	const { ifExists } = row;
	const key = JSON.stringify([matching.fields, matchKeyOf(fields, matching)]);
	const isChosen = row.matchFields.length > 0;
	const match: Match = {
		...{ row, fields, existing, matching, key, isChosen },
		ifExists: ifExists === 'update' ? 'update' : 'skip',
	};
	assertMatchable(match);
	assertShown(match, shown);
	return match;
}

/** The remark about a row that was not compared with all that exists; undefined if it was. */
export function uncompared({ existing, row }: Match): string | undefined {
	if (!existing.incomplete) return undefined;
	return `The list of ${row.resource.noun}s is incomplete: not all of them could be compared with your rows`;
}

/** @throws InputError for a row that can't be told from others */
function assertMatchable({ fields, matching, isChosen, ifExists }: Match): void {
	const names = matching.fields.filter((name) => isChosen || name !== matching.time);
	if (names.some((name) => keyOf(fields[name]) !== '')) return;
	throw new InputError(
		`The row has no value in any match field${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
		`Fill these columns, change the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}

/** @throws InputError for a match field that no record shows: the row could be created again in every run */
function assertShown(
	{ row, existing, matching, ifExists }: Match,
	shown: ReadonlySet<string>,
): void {
	const { seen, count } = existing;
	if (count === 0) return;
	// Posts that went out at once may have no time.
	const isTime = (field: string) => field === matching.time && shown.has(field);
	const unknown = matching.fields.filter((field) => !seen.has(field) && !isTime(field));
	if (unknown.length === 0) return;
	throw new InputError(
		`None of the existing ${row.resource.noun}s shows ${listed(unknown, MAX_NAMES, ' or ')}`,
		`Without ${unknown.length === 1 ? 'it' : 'them'}, the node cannot recognize what exists already. They show: ${listed([...seen], MAX_NAMES) || 'no fields'}. Name fields that they show in the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}

/**
 * @param body what would be sent
 * @throws InputError for a row that is not equal to a record, and may still be about it
 */
export function refuseUnclear(match: Match, body: JsonObject): void {
	const { row, existing, fields, matching, isChosen } = match;
	const { isPermanent } = row.resource;
	const [alike] = isPermanent ? existing.alike(fields, matching) : [];
	if (alike) throw alikeExists(match, alike);
	const unsent = matching.fields.find((name) => keyOf(fields[name]) !== '' && !(name in body));
	if (unsent !== undefined) throw notToBeRecognized(match, unsent);
	const blank = matching.fields.find((name) => keyOf(fields[name]) === '');
	if (isPermanent && !isChosen && blank !== undefined) throw lacksField(match, blank);
	const other = isChosen ? undefined : repeatedOrEditedIn(match);
	if (other) throw repeatedOrEdited(match, other);
}

/** A record with all texts of a row and another time, or with its time and one of its texts. */
function repeatedOrEditedIn({ existing, fields, matching }: Match): JsonObject | undefined {
	const { time } = matching;
	if (time === undefined || !matching.fields.includes(time)) return undefined;
	const texts = matching.fields.filter((name) => name !== time);
	const [repeated] = existing.equal(fields, { ...matching, fields: texts });
	const atSameTime = existing.equal(fields, { ...matching, fields: [time] });
	const isShared = (record: JsonObject) =>
		texts.some((name) => keyOf(fields[name]) !== '' && keyOf(record[name]) === keyOf(fields[name]));
	return repeated ?? atSameTime.find(isShared);
}

/** The error for a row beside a record that another run has just created, and that is much like it. */
export function similarTo(
	{ row, matching, ifExists }: Match,
	record: JsonObject,
	changed: string[],
) {
	const { noun } = row.resource;
	const other = changed.length > 0 ? `, with another ${listed(changed, MAX_RECORDS, ' and ')}` : '';
	return new InputError(
		`A similar ${noun} was created a moment ago${idIn(record)}${other}`,
		`If yours is another ${noun}, set the option 'Match Fields' to ${matching.fields.join(', ')}, or ${OTHERWISE[ifExists]}; if not, remove the row.`,
	);
}

/** The error for a new record without a match field: it could be created again in every run. */
function notToBeRecognized({ row, fields, ifExists }: Match, name: string): InputError {
	const { noun } = row.resource;
	return new InputError(
		`No ${noun} has the ${name === 'id' ? 'ID' : name} ${asValue(fields[name])}`,
		`${name} is not sent, so a new ${noun} would not be recognized by it, and created again in every run. Correct it, name other fields in the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}

function repeatedOrEdited({ row, fields, matching }: Match, record: JsonObject): InputError {
	const { noun } = row.resource;
	const { time = '', fields: names } = matching;
	const shared = names.filter((name) => name !== time && isSame(fields, record, name));
	const isAtSameTime = keyOf(fields[time]) === keyOf(record[time]);
	const [own, other] = [fields, record].map((one) => shownTime(one[time], row.zone));
	const all = [...new Set([...names, time])].join(', ');
	const others = names.filter((name) => !isSame(fields, record, name));
	const difference = isAtSameTime
		? `, with another ${listed(others, MAX_RECORDS, ' and ')}`
		: `; the row says ${own}`;
	const when = other === '' ? 'without a time' : `for ${other}`;
	return new InputError(
		`A ${noun} with this ${listed(shared, MAX_RECORDS, ' and ')} is there ${when}${difference}`,
		`If it is another ${noun}, set the option 'Match Fields' to ${all}; if not, remove the row${idIn(record)}.`,
	);
}

function isSame(fields: JsonObject, record: JsonObject, name: string): boolean {
	return keyOf(fields[name]) !== '' && keyOf(fields[name]) === keyOf(record[name]);
}

const idIn = (record: JsonObject) => {
	const id = idOf(record);
	return id === undefined ? '' : ` (the other one has the ID ${id})`;
};

/** The error for a record that differs from a row in punctuation alone: it could not be deleted again. */
function alikeExists({ row, matching, ifExists }: Match, record: JsonObject): InputError {
	const { noun } = row.resource;
	return new InputError(
		`A similar ${noun} already exists: ${labelOfRecord(record)}`,
		`If it is the same ${noun}, write ${matching.fields.join(', ')} as there, or remove the row. If it is another one, run this row alone and ${OTHERWISE[ifExists]}.`,
	);
}

/** The error for a new record that can't be deleted again, and lacks what tells it from others. */
function lacksField({ row, matching }: Match, blank: string): InputError {
	const { noun } = row.resource;
	return new InputError(
		`The row has no value in ${blank}`,
		`${capitalized(noun)}s are told apart by ${listed(matching.fields, MAX_RECORDS, ' and ')}, and can't be deleted here. Fill it, or name the fields that tell yours apart in the option 'Match Fields'.`,
	);
}

/** @throws InputError for several records that may be the row's */
export function theOnlyOne(
	{ row, matching }: Match,
	records: JsonObject[],
): JsonObject | undefined {
	if (records.length < 2) return records[0];
	const { noun } = row.resource;
	throw new InputError(
		`${records.length} ${noun}s match this row: ${listed(records.map(labelOfRecord), MAX_RECORDS, '; ')}`,
		`They have the same values in ${matching.fields.join(', ')}. Add a field that distinguishes them to the option 'Match Fields', or use the operation Update with an ID.`,
	);
}

/** "Bakery East, Boston (loc_1)" */
export function labelOfRecord(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).map(textOf).join(', ');
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${shortened(label)} (${id})`;
}
