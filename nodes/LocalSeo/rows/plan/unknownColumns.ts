import { fieldsOf, isNumeric, textOf } from '../../client';
import { inSnakeCase, isSchedule, isSetByUser, isTime, namesOf } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue, listed } from '../../text/words';
import { unreadFields } from '../item';
import { isBlank, isNoTime } from '../read/cells';
import { isWrittenDate, mayBePlanned, mayBeTime, saysWhen } from '../read/plannedTimes';
import type { Row } from '../read/row';
import { headingKey, likeHeading } from '../read/sheet';
import { dateHeading, isEmbargoHeading, isPublishHeading } from '../read/timeHeadings';
import type { AccountFields } from './accountFields';

// Columns of a sheet that the service does not know: what stands in them would be ignored.

/** How many names a message lists. */
export const MAX_NAMES = 10;

/** A row beside the fields of its account. */
export interface Fitting extends Row {
	account: AccountFields;
	/** By the clock of the service (ms). */
	now: number;
}

/** The account's field that a heading means, where no other column is called so. */
export function fieldFor({ mapping, account: { seen } }: Fitting, name: string): string {
	const field = likeHeading(name, seen);
	if (field === name) return name;
	const isMeant = field !== undefined && isSetByUser(field) && field !== 'status';
	return isMeant && !mapping.names.has(field) ? field : name;
}

/** Whether a field is one of the account's, or of those that the node knows where there are no records. */
export function isKnownField({ account: { seen }, mapping }: Fitting, name: string): boolean {
	return seen.length > 0 ? seen.includes(name) : mapping.known.includes(name);
}

/**
 * The columns of a sheet are judged together: cells may be empty, and files are read without them.
 *
 * @throws InputError if no column is a field of the service, or the row has none of them filled
 */
export function requireKnownColumn(row: Fitting, filled: string[]): void {
	const { mapping, resource, account } = row;
	const { seen, sendable } = account;
	// Without records, the names are only assumed.
	if (seen.length === 0) return;
	const isKnown = (name: string) =>
		mapping.known.includes(name) || seen.includes(fieldFor(row, name));
	const columns = [...mapping.names]
		.filter(([, heading]) => !mapping.excluded.has(heading))
		.map(([name]) => name);
	const known = columns.filter(isKnown);
	const unknown = columns.filter((name) => !isKnown(name));
	if (filled.some(isKnown)) return requireText(row, columns, unknown);
	if (known.length > 0) {
		const names = (resource.matchFields ?? []).filter((name) => known.includes(name));
		const empty = listed(names.length > 0 ? names : known, MAX_NAMES, ' and ');
		const are = names.length === 1 || (names.length === 0 && known.length === 1) ? 'is' : 'are';
		throw new InputError(
			`${empty} ${are} empty`,
			`Nothing was sent. The row has: ${listed(filled, MAX_NAMES)}. Fill it, or remove the row.`,
		);
	}
	throw new InputError(
		`Your columns: ${listed(columns, MAX_NAMES)}. The service expects: ${listed(sendable, MAX_NAMES)}. Rename them or map each column.`,
		`Nothing was sent. To map each column, set 'Mapping Column Mode' to Map Each Column Manually.`,
	);
}

/**
 * A post without its text, beside a column that the service does not know: it is most likely that one.
 *
 * @throws InputError for it
 */
function requireText(row: Fitting, columns: string[], unknown: string[]): void {
	const { resource, request, account, mapping, sheet } = row;
	const { textField: field, noun } = resource;
	if (field === undefined || request.method !== 'POST' || !account.usual.includes(field)) return;
	const sent = [...columns.map((name) => fieldFor(row, name)), ...unreadFields(row)];
	if (sent.includes(field) || !isBlank(fieldsOf(request)[field])) return;
	const headingOf = (name: string) => mapping.names.get(name) ?? name;
	const mayHoldIt = (cell: unknown) => !isBlank(cell) && !isNumeric(cell) && !isWrittenDate(cell);
	const others = unknown
		.map(headingOf)
		.filter((heading) => sheet.valuesIn(heading).some(mayHoldIt));
	if (others.length === 0) return;
	const headings = others.map(asValue);
	throw new InputError(
		`No column is called "${field}", and every ${noun} that was checked has it`,
		`Nothing was sent. The service does not know ${listed(headings, MAX_NAMES, ' and ')}: rename the column that holds it to ${field}, or map each column.`,
	);
}

/**
 * A time in a column that the service does not know: it would be ignored, and the post published at once.
 *
 * @throws InputError for it
 */
export function refuseLostTime(row: Fitting, name: string, value: unknown): void {
	const { mapping, resource, account, sheet, request, now } = row;
	const fields = [...account.seen, ...namesOf(resource)].filter(isSchedule);
	// `publish: true` beside `publish_at` says nothing of when.
	const field = fields.find(isTime) ?? fields[0];
	if (field === undefined || name === field) return;
	// Additional Fields, too, may say when.
	if (!isBlank(fieldsOf(request)[field])) return;
	const isThere = () => !sheet.valuesIn(mapping.names.get(field) ?? field).every(isNoTime);
	const isLost = (one: string, cell: unknown) => {
		const heading = mapping.names.get(one) ?? one;
		const isTwin = isTwinOf(field, heading);
		const isNamed = isTwin || isPublishHeading(heading);
		if (!mapping.added.has(one) && isHeldBack(heading, cell)) return true;
		if (!mayBeTime(cell) || isNoEmbargo(heading, cell)) return false;
		// An additional field is meant as it is, unless its name says when to publish.
		if (mapping.added.has(one)) return isTwin || (isNamed && !KIND_OF.test(inSnakeCase(one)));
		if (!isNamed && !mayBePlanned(sheet, heading, cell, now)) return false;
		// Beside a column that says when, in other rows, only another one that is called so does.
		const isBare = dateHeading(heading)?.isBare === true && saysWhen(cell, now);
		return isTwin || (isNamed && !isSwitch(heading, cell)) || isBare || !isThere();
	};
	if (!isLost(name, value)) return;
	const also = Object.entries(fieldsOf(request))
		.filter(([one, cell]) => one !== name && !isKnownField(row, one) && isLost(one, cell))
		.map(([one]) => asValue(mapping.labelOf(one)));
	const others = also.length > 0 ? ` The same is true of ${listed(also, MAX_NAMES, ' and ')}.` : '';
	throw new InputError(
		account.seen.length === 0
			? `There is no ${resource.noun} yet that shows a field "${name}": this one could go live at once`
			: `None of the ${resource.noun}s has a field "${name}": this one could go live at once`,
		`Its value is ${asValue(value)}. Nothing was sent. If it says when to publish, ${wayOut(row, { name, field, isThere: isThere() })}.${others}`,
	);
}

/** The way out for a time that would be lost, as the end of a sentence. */
function wayOut(
	{ mapping }: Fitting,
	{ name, field, isThere }: { name: string; field: string; isThere: boolean },
): string {
	if (mapping.added.has(name)) return `name the additional field ${field}; else remove it`;
	if (mapping.kind === 'columns') return `map ${field} in its place; else remove it`;
	const move = isThere ? `move it to the column ${field}` : `rename the column to ${field}`;
	return `${move}; else leave it out with the option 'Exclude Columns'`;
}

/** Spreadsheets number a heading that comes twice: "Publish At_1". */
function isTwinOf(field: string, heading: string): boolean {
	return headingKey(heading).replace(/\d+$/, '') === headingKey(field);
}

/** Names of additional fields that say how to publish: `schedule_type`. */
const KIND_OF = /(?:^|_)(?:type|mode|channel|status|id)$/;
/** Headings of switches: whether to publish, and whether that is planned. */
const PUBLISH = /^(?:publish|go[ _-]?live)\W*$/i;
const PLANNED =
	/^(?:scheduled?|planned|(?:ein)?geplant|(?:in)?gepland|programmée?s?|planifiée?s?|(?:program|agend)ad[oa]s?|programmat[oa]|pianificat[oa])\W*$/iu;
const ON = /^(?:y|yes|on|x|[✓✔1]|ja|s[iíì]|sim|oui|now|ok)$/iu;
const OFF = /^(?:no?|n\/a|off|[✗✘0-]|nein|nee|n[aã]o|non|later|done|ready|draft)$/iu;

/** Whether a column says whether to publish, and not when: `Publish`, with "yes" below it. */
function isSwitch(heading: string, cell: unknown): boolean {
	const [name, value] = [heading.trim(), textOf(cell).trim()];
	if (PUBLISH.test(name)) return ON.test(value);
	return PLANNED.test(name) && (ON.test(value) || OFF.test(value));
}

const NONE =
	/^(?:no|none|n\/a|[-–—0]|nein|keine?r?|nicht|non|aucun|ninguno|nessuno|nee|geen|não)$/iu;

/** Whether a cell says that its post is not held back. */
function isNoEmbargo(heading: string, cell: unknown): boolean {
	return isEmbargoHeading(heading) && NONE.test(textOf(cell).trim());
}

/** Whether a row is marked as not to be published: without its time it would go live at once. */
function isHeldBack(heading: string, cell: unknown): boolean {
	return PUBLISH.test(heading.trim()) && /^false$/i.test(textOf(cell).trim());
}
