import { areOtherDates, idOf, isEmpty, type JsonObject, textOf } from '../../client';
import { InputError } from '../../text/inputError';
import { asValue, listed, shortened } from '../../text/words';
import { type MatchedRow, OTHERWISE } from './match';

/** Records that a message shows. */
const MAX_RECORDS = 5;

/** The error for a record that may be the one that a row would create. */
export function similarExists(row: MatchedRow, record: JsonObject): InputError {
	const { request, fields, matchFields, dates, ifExists } = row;
	const { noun } = request;
	const [text] = [...matchFields, ...dates].map((field) => record[field]).filter(Boolean);
	const id = idOf(record);
	const why = otherDate(row, record);
	const hasOthers = Object.entries(fields).some(
		([name, value]) => !matchFields.includes(name) && !isEmpty(value),
	);
	const byOthers = hasOthers
		? "choose the fields that distinguish them in the option 'Match Fields', or "
		: '';
	const same = why ? 'remove the row or its date' : 'write it as there, or remove the row';
	const advice =
		ifExists === 'skip'
			? `If it is the same ${noun}, ${same}. If it is a different one, ${byOthers}run this row alone and ${OTHERWISE.skip}.`
			: `If it is the same ${noun}, give the row the same values in ${matchFields.join(', ')}, or choose the fields that identify it in the option 'Match Fields'. If it is a different one, ${OTHERWISE.update}.`;
	return new InputError(
		`A similar ${noun} already exists: ${asValue(text ?? null)}${id === undefined ? '' : ` (ID ${id})`}`,
		`This row was not sent. ${why}${advice}`,
	);
}

/** In which date a row differs from a record that is much like it, and how to change that. */
function otherDate(row: MatchedRow, record: JsonObject): string {
	const { mapping, fields, dates, ahead, resource } = row;
	const { noun, operations } = resource;
	const date =
		dates.find((name) => areOtherDates(record[name], fields[name])) ??
		ahead.find((name) => isEmpty(record[name]));
	if (date === undefined) return '';
	const shown = [fields[date], record[date] || 'none'].map(textOf);
	const areDays = shown[0].slice(0, 10) !== shown[1].slice(0, 10);
	const [own, other] = shown.map((one) => (areDays ? one.slice(0, 10) : one));
	const isFixed = !operations.some(({ value }) => value === 'update');
	const change = isFixed ? `This node can't change ${noun}s: edit it in the dashboard. ` : '';
	return `Your row: ${mapping.labelOf(date)} ${own}; existing ${noun}: ${other}. ${change}`;
}

/** The error for several records that may be the row's. */
export function severalMatch(
	{ request: { noun }, matchFields }: MatchedRow,
	records: JsonObject[],
): InputError {
	return new InputError(
		`${records.length} ${noun}s match this row: ${listed(records.map(labelOfRecord), MAX_RECORDS, '; ')}`,
		`This row was not sent. They have the same values in ${matchFields.join(', ')}. Add a field that distinguishes them to the option 'Match Fields', or use the operation Update with an ID.`,
	);
}

/**
 * The error for a row whose ID is not that of the record with its values.
 *
 * @param own the record that has the row's ID
 */
export function otherId(
	{ request: { noun }, fields, matchFields }: MatchedRow,
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
		`This row was not sent, because its values in ${matchFields.join(', ')} are not those of that ${noun}. To find the ${noun} by its ID and change these values, set the option 'Match Fields' to id. If the row is about another ${noun}, remove its ID.`,
	);
}

/** "Bakery East, Boston (loc_1)" */
export function labelOfRecord(record: JsonObject): string {
	const label = [record.name, record.city].filter(Boolean).map(textOf).join(', ');
	const id = idOf(record) ?? 'no ID';
	return label === '' ? id : `${shortened(label)} (${id})`;
}
