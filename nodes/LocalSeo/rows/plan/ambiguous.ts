import { idOf, type JsonObject, keyOf, textOf } from '../../client';
import { InputError } from '../../text/inputError';
import { capitalized, listed, shortened } from '../../text/words';
import { type MatchedRow, OTHERWISE } from './match';

/** Records that a message shows. */
const MAX_RECORDS = 5;

/**
 * The error for a record whose texts a row has, at another time, or one of them at the same time: it is a
 * repeated text, or an edited row.
 */
export function repeatedOrEdited(match: MatchedRow, record: JsonObject): InputError {
	const { request, fields, mapping } = match;
	const { noun } = request;
	const { time = '', fields: names } = match.matching;
	const texts = names.filter((name) => name !== time);
	const shared = texts.filter((name) => isSame(fields, record, name));
	const [own, other] = [fields, record].map((one) => textOf(one[time] ?? '') || 'none');
	const times = `${mapping.labelOf(time)} of the row: ${own}; of the existing ${noun}: ${other}`;
	const all = [...new Set([...names, time])].join(', ');
	return new InputError(
		`A ${noun} with the same ${listed(shared, MAX_RECORDS, ' and ')} already exists${idIn(record)}`,
		`This row was not sent. ${times}. If it is another ${noun}, set the option 'Match Fields' to ${all}; if not, remove the row.`,
	);
}

function isSame(fields: JsonObject, record: JsonObject, name: string): boolean {
	return keyOf(fields[name]) !== '' && keyOf(fields[name]) === keyOf(record[name]);
}

/** The error for a record that differs from a row in punctuation alone: it could not be deleted again. */
export function alikeExists(match: MatchedRow, record: JsonObject): InputError {
	const { request, matching, ifExists } = match;
	const names = matching.fields.join(', ');
	return new InputError(
		`A similar ${request.noun} already exists: ${labelOfRecord(record)}`,
		`This row was not sent. If it is the same ${request.noun}, write ${names} as there, or remove the row. If it is another one, run this row alone and ${OTHERWISE[ifExists]}.`,
	);
}

/** The error for a new record that can't be deleted again, and lacks what tells it from others. */
export function lacksFields(match: MatchedRow, blank: string[]): InputError {
	const { request, matching } = match;
	const names = listed(blank, MAX_RECORDS, ' and ');
	return new InputError(
		`The row has no value in ${names}`,
		`This row was not sent. ${capitalized(request.noun)}s are told apart by ${listed(matching.fields, MAX_RECORDS, ' and ')}, and can't be deleted here. Fill ${blank.length === 1 ? 'it' : 'them'}, or name the fields that tell yours apart in the option 'Match Fields'.`,
	);
}

function idIn(record: JsonObject): string {
	const id = idOf(record);
	return id === undefined ? '' : ` (ID ${id})`;
}

/** The error for several records that may be the row's. */
export function severalMatch(
	{ request: { noun }, matching: { fields: names } }: MatchedRow,
	records: JsonObject[],
): InputError {
	return new InputError(
		`${records.length} ${noun}s match this row: ${listed(records.map(labelOfRecord), MAX_RECORDS, '; ')}`,
		`This row was not sent. They have the same values in ${names.join(', ')}. Add a field that distinguishes them to the option 'Match Fields', or use the operation Update with an ID.`,
	);
}

/**
 * The error for a row whose ID is not that of the record with its values.
 *
 * @param own the record that has the row's ID
 */
export function otherId(
	{ request: { noun }, fields, matching: { fields: names } }: MatchedRow,
	own?: JsonObject,
): InputError {
	if (!own) {
		return new InputError(
			`No ${noun} has the ID "${textOf(fields.id)}"`,
			`This row was not sent. Check its ID, or ${OTHERWISE.update} for a new ${noun}.`,
		);
	}
	return new InputError(
		`The ID of this row belongs to another ${noun}: ${labelOfRecord(own)}`,
		`This row was not sent, because its values in ${names.join(', ')} are not those of that ${noun}. To find the ${noun} by its ID and change these values, set the option 'Match Fields' to id. If the row is about another ${noun}, remove its ID.`,
	);
}

/** "Bakery East, Boston (loc_1)" */
export function labelOfRecord(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).map(textOf).join(', ');
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${shortened(label)} (${id})`;
}
