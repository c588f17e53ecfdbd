import { idOf, type JsonObject, keyOf, type Matching, type Relation, textOf } from '../../client';
import { InputError } from '../../text/inputError';
import { capitalized, listed, shortened } from '../../text/words';
import { labelOf } from '../labels';
import type { Row } from '../read/row';
import { shownTime, shownTimes } from '../read/when';

// Questions about a row beside a record, or beside another row, that it may be about.

/** Records, and fields of a row, that a message shows. */
export const MAX_RECORDS = 5;
/** The alternatives for a row that can't be told from others, as the end of a sentence. */
export const OTHERWISE = {
	skip: "set 'If It Already Exists' to 'Create Another One'",
	update: "use the operation Create with 'If It Already Exists' set to 'Create Another One'",
};

/** A row, and what is compared of it. */
interface Asking {
	row: Row;
	fields: JsonObject;
	matching: Matching;
}

/** The error for a row that is not equal to a record, and may still be about it. */
export function relatedTo(
	asking: Asking,
	{ record, relation }: { record: JsonObject; relation: Relation },
): InputError {
	const { row, matching, fields } = asking;
	const { noun } = row.resource;
	const other = row.ifExists === 'update' ? OTHERWISE.update : OTHERWISE.skip;
	if (relation === 'similar') {
		return new InputError(
			`A similar ${noun} already exists: ${labelOfRecord(record)}`,
			`If it is the same ${noun}, write ${matching.fields.join(', ')} as there, or remove the row. If it is another one, run this row alone and ${other}.`,
			{ similarTo: nameOf(record) },
		);
	}
	const isShared = (name: string) => keyOf(fields[name]) === keyOf(record[name]);
	const differing = matching.fields.filter((name) => !isShared(name));
	const shared = matching.fields.filter((name) => isShared(name) && keyOf(fields[name]) !== '');
	return alikeTo(asking, { shared, differing, record });
}

/** "A post with this title is there, with another content": a repeated text, or a row that was edited. */
function alikeTo(
	{ row, fields, matching }: Asking,
	{ shared, differing, record }: { shared: string[]; differing: string[]; record: JsonObject },
): InputError {
	const { noun } = row.resource;
	const { time = '' } = matching;
	const texts = shared.filter((name) => name !== time);
	const isOther = differing.includes(time);
	const [own, other] = shownTimes([fields[time], record[time]], row.zone);
	const when = !isOther ? '' : other === '' ? ' without a time' : ` for ${other}`;
	const difference = isOther
		? `; the row says ${own}`
		: `, with another ${listed(differing, MAX_RECORDS, ' and ')}`;
	const id = idOf(record);
	return new InputError(
		`A ${noun} with this ${listed(texts, MAX_RECORDS, ' and ')} is there${when}${difference}`,
		`If yours is another ${noun}, set the option 'Match Fields' to ${matching.fields.join(', ')}; if not, remove the row${id === undefined ? '' : ` (the other one has the ID ${id})`}.`,
		{ similarTo: nameOf(record) },
	);
}

/** The error for a row beside a record that has the rest of its values, and shows a time that may be the row's. */
export function perhapsEqualTo({ row, matching }: Asking, record: JsonObject): InputError {
	const { time = '' } = matching;
	const { noun } = row.resource;
	const others = matching.fields.filter((name) => name !== time);
	return new InputError(
		`A ${noun} with this ${listed(others, MAX_RECORDS, ' and ')} is there, and its ${time} may be the same: ${textOf(record[time])}`,
		`Your service shows times without their offset or their seconds. If it is this ${noun}, remove the row, or set the option 'Match Fields' to ${others.join(', ')}; if not, run this row alone and ${OTHERWISE.skip}.`,
		{ similarTo: nameOf(record) },
	);
}

/** The error for a row whose time is over, beside a record that has the rest of its values. */
export function overBeside(
	{ row, fields }: Asking,
	shared: string[],
	record: JsonObject,
): InputError {
	const { resource, publishTime = '', zone } = row;
	const { noun } = resource;
	const id = idOf(record);
	return new InputError(
		`${publishTime} is over (${shownTime(fields[publishTime], zone)}), and a ${noun} with this ${listed(shared, MAX_RECORDS, ' and ')} is there`,
		`If yours is another ${noun}, enter a later time; if not, remove the row${id === undefined ? '' : ` (the other one has the ID ${id})`}.`,
		{ fields: [publishTime], similarTo: nameOf(record) },
	);
}

/** The error for rows of one run that say two things of one record: neither is sent. */
export function conflictOf(
	row: Row,
	rows: number[],
	shared: string[],
	differing: string[],
): InputError {
	const others = `${listed(shared, MAX_RECORDS, ' and ')}, and another ${listed(differing, MAX_RECORDS, ' and ')}`;
	return new InputError(
		`${capitalized(labelOf(row.rows, rows))} have the same ${others}`,
		row.operation.routing.request.method === 'POST'
			? `If they are meant to be several, name a field that tells them apart in the option 'Match Fields'; if not, remove all but one.`
			: 'Remove all but one.',
	);
}

/** The error for rows of one run that differ in punctuation alone: what they create could not be deleted again. */
export function similarRows({ row, matching }: Asking, rows: number[]): InputError {
	const { noun } = row.resource;
	return new InputError(
		`${capitalized(labelOf(row.rows, rows))} are similar: their ${listed(matching.fields, MAX_RECORDS, ' and ')} differ in punctuation, case or spaces alone`,
		`If they mean one ${noun}, remove all but one. If not, run them one after the other, each alone, and ${OTHERWISE.skip}.`,
	);
}

/** @throws InputError for several records that may be the row's */
export function theOnlyOne(
	{ row, matching }: Asking,
	records: JsonObject[],
): JsonObject | undefined {
	if (records.length < 2) return records[0];
	const { noun } = row.resource;
	throw new InputError(
		`${records.length} ${noun}s match this row: ${listed(records.map(labelOfRecord), MAX_RECORDS, '; ')}`,
		`They have the same values in ${matching.fields.join(', ')}. Add a field that distinguishes them to the option 'Match Fields', or use the operation Update with an ID.`,
	);
}

/** The ID of a record, in a column. */
const nameOf = (record: JsonObject) => idOf(record) ?? 'a record without an ID';

/** "Bakery East, Boston (loc_1)" */
export function labelOfRecord(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).map(textOf).join(', ');
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${shortened(label)} (${id})`;
}
