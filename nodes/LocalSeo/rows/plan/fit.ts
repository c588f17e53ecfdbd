import { type Connection, fieldsOf, idNames, type JsonObject } from '../../client';
import { convert } from '../../host/fieldTypes';
import { InputError } from '../../text/inputError';
import { inSnakeCase, isSchedule, isSetByUser, isTime, namesOf } from '../../resources';
import { asValue, listed } from '../../text/words';
import { type AccountFields, accountFields } from './accountFields';
import { unreadFields } from '../item';
import { isBlank } from '../read/cells';
import { mayBePlanned } from '../read/plannedTimes';
import type { Row } from '../read/row';
import { headingKey, likeHeading } from '../read/sheet';
import { readTime } from '../read/times';
import { existingOf } from './existing';

/** How many names a message lists. */
const MAX_NAMES = 10;

/**
 * A row that is mapped automatically, as the account's records have it: each heading as the field that it
 * means, a number as text where texts are, a date as an instant where dates are. The account is asked
 * only if the row has something that the node does not know.
 *
 * @throws InputError for headings that the service does not know, for a row that has none of its fields
 * filled, and for a time in a column that would be lost; ServiceError if the list that it is compared with,
 * or the records, can't be read
 */
export async function fitted(given: Row, connection: Connection): Promise<Row> {
	const { request, resource, mapping, ifExists } = given;
	// JSON is sent as it is.
	if (typeof request.body !== 'object') return given;
	if (mapping.kind === 'columns') return await withKnownTimes(given, connection);
	const entries = Object.entries(request.body);
	const { matchFields = [] } = resource;
	// A text keeps its spaces; a word from a list does not.
	const isPlain = ([name, value]: [string, unknown]) =>
		mapping.known.includes(name) &&
		!isSchedule(name) &&
		typeof value === 'string' &&
		(value === value.trim() || matchFields.includes(name));
	// Rows about one record follow one another in their order, so all of a sheet go the same way.
	const isOrdered =
		request.method === 'PATCH' ||
		ifExists === 'update' ||
		(ifExists === 'skip' &&
			[...mapping.names].some(
				([name, heading]) => !mapping.known.includes(name) && !mapping.excluded.has(heading),
			));
	if (!isOrdered && entries.length > 0 && entries.every(isPlain)) return given;
	const isAddressed = idNames(request.path).every((name) => name in request.ids);
	const isCompared = isAddressed && request.method === 'POST' && ifExists !== 'create';
	const existing = isCompared ? await existingOf(given, connection) : undefined;
	const account = await accountFields(given, connection, existing?.records);
	const row = { ...given, account, now: timeAt(connection) };
	requireKnownColumn(row, [...Object.keys(request.body), ...unreadFields(row)]);
	const body: JsonObject = {};
	// What the service sets itself, as in rows that it gave: they are left out where all else is.
	const isOwn = (name: string) => mapping.names.has(name) && isSetByService(row, name);
	const hasOthers = entries.some(([name]) => !isOwn(name));
	if (entries.length > 0 && !hasOthers) refuseOwnFields(row, entries);
	for (const [given, value] of entries) {
		if (isOwn(given)) continue;
		const field = fieldFor(row, given);
		// The first of two columns that mean one field is it.
		const name = Object.hasOwn(body, field) ? given : field;
		body[name] = fittedValue(row, given, name, value);
	}
	return { ...given, request: { ...request, body } };
}

/** Whether the service gives a field its value, as far as its records have it, or all have it. */
function isSetByService({ account: { seen } }: Fitting, name: string): boolean {
	return (
		!isSetByUser(name) &&
		(seen.includes(name) || /^(created|updated|submitted)_at$/.test(inSnakeCase(name)))
	);
}

/** @throws InputError for a row that has nothing else */
function refuseOwnFields({ resource }: Fitting, entries: Array<[string, unknown]>): void {
	const names = listed(
		entries.map(([name]) => name),
		MAX_NAMES,
		' and ',
	);
	throw new InputError(
		`The row has nothing but what the service sets itself: ${names}`,
		`Nothing was sent. Add a column with what is to be changed in the ${resource.noun}, or send these in Additional Fields.`,
	);
}

interface Fitting extends Row {
	account: AccountFields;
	/** By the clock of the service (ms). */
	now: number;
}

const timeAt = ({ account: { clock, serviceClockOffset = 0 } }: Connection) =>
	clock.now() + serviceClockOffset;

/** The account's field that a heading means, where no other column is called so. */
function fieldFor({ mapping, account: { seen } }: Fitting, name: string): string {
	const field = likeHeading(name, seen);
	if (field === name) return name;
	const isMeant = field !== undefined && isSetByUser(field) && field !== 'status';
	return isMeant && !mapping.names.has(field) ? field : name;
}

function fittedValue(row: Fitting, given: string, name: string, value: unknown): unknown {
	const { account, mapping } = row;
	const { types, values, days } = account;
	const type = types.get(name);
	if (type === undefined && !isKnownField(row, name)) refuseLostTime(row, name, value);
	const isTimed = type === undefined ? isTime(name) : type === 'dateTime';
	if (isTimed && !isBlank(value)) {
		const columns = [mapping.names.get(given) ?? given];
		return readTime(row, { label: name, value, columns, takesDays: days.has(name) });
	}
	if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
		return String(value);
	}
	if (type === 'string' && Array.isArray(value)) {
		const text = convert(type, value);
		if ('value' in text) return text.value;
	}
	// Spaces at the end of a word from a list; a text keeps its own.
	const isListed = typeof value === 'string' && values.get(name)?.has(value.trim());
	return isListed ? value.trim() : value;
}

function isKnownField({ account: { seen }, mapping }: Fitting, name: string): boolean {
	return seen.length > 0 ? seen.includes(name) : mapping.known.includes(name);
}

/**
 * Mapped columns have types of their own. A time in a field that the account does not have is
 * one of an older workflow, or a guess.
 *
 * @throws InputError for such a time
 */
async function withKnownTimes(given: Row, connection: Connection): Promise<Row> {
	const times = Object.entries(fieldsOf(given.request)).filter(
		([name, value]) => isSchedule(name) && !isBlank(value),
	);
	if (times.length === 0) return given;
	const account = await accountFields(given, connection);
	const row = { ...given, account, now: timeAt(connection) };
	const { seen } = account;
	const known = seen.length > 0 ? seen : namesOf(given.resource);
	for (const [name, value] of times) if (!known.includes(name)) refuseLostTime(row, name, value);
	return given;
}

/**
 * The columns of a sheet are judged together: cells may be empty, and files are read without them.
 *
 * @throws InputError if no column is a field of the service, or the row has none of them filled
 */
function requireKnownColumn(row: Fitting, filled: string[]): void {
	const { mapping, resource, account } = row;
	const { seen, sendable } = account;
	// Without records, the names are only assumed.
	if (seen.length === 0) return;
	const isKnown = (name: string) =>
		mapping.known.includes(name) || seen.includes(fieldFor(row, name));
	const columns = [...mapping.names]
		.filter(([, heading]) => !mapping.excluded.has(heading))
		.map(([name]) => name);
	if (filled.some(isKnown))
		return requireText(
			row,
			columns,
			columns.filter((one) => !isKnown(one)),
		);
	const known = columns.filter(isKnown);
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
	const { resource, request, account, mapping } = row;
	const { matchFields = [], noun } = resource;
	if (request.method !== 'POST' || !namesOf(resource).some(isSchedule)) return;
	const sent = new Set([...columns.map((name) => fieldFor(row, name)), ...unreadFields(row)]);
	const isMissing = (name: string) =>
		account.usual.includes(name) && !sent.has(name) && isBlank(fieldsOf(request)[name]);
	const missing = matchFields.find(isMissing);
	const hasWords = (value: unknown) => typeof value === 'string' && /\S\s+\S/.test(value);
	const others = unknown.filter((name) => hasWords(fieldsOf(request)[name]));
	if (missing === undefined || others.length === 0) return;
	const headings = others.map((name) => asValue(mapping.names.get(name) ?? name));
	throw new InputError(
		`No column is called "${missing}", and every ${noun} that was checked has it`,
		`Nothing was sent. The service does not know ${listed(headings, MAX_NAMES, ' and ')}: rename the column that holds it to ${missing}, or map each column.`,
	);
}

/**
 * A time in a column that the service does not know: it would be ignored, and the post published at once.
 *
 * @throws InputError for it
 */
function refuseLostTime(row: Fitting, name: string, value: unknown): void {
	const { mapping, resource, account, sheet, request, now } = row;
	const isMapped = mapping.kind === 'columns';
	const field = [...account.seen, ...namesOf(resource)].find((one) => isSchedule(one));
	if (field === undefined || isBlank(value) || name === field) return;
	const column = mapping.names.get(field) ?? field;
	// Additional Fields, too, may say when.
	const own = fieldsOf(request)[field];
	if (!isBlank(own)) return;
	const heading = mapping.names.get(name) ?? name;
	const isTwin = isTwinOf(field, heading);
	const isNamed = isTwin || isScheduleHeading(heading);
	if (!isTwin && !isMapped && !sheet.valuesIn(column).every(isBlank)) return;
	const isLost = (one: string) =>
		isSetByUser(one) && mayBePlanned(sheet, mapping.names.get(one) ?? one, now);
	if (!isNamed && !isLost(name)) return;
	const also = Object.keys(fieldsOf(request))
		.filter((one) => one !== name && !isKnownField(row, one) && isLost(one))
		.map((one) => asValue(mapping.labelOf(one)));
	const isUnseen = account.seen.length === 0;
	const others = also.length > 0 ? ` The same is true of ${listed(also, MAX_NAMES, ' and ')}.` : '';
	throw new InputError(
		isUnseen
			? `There is no ${resource.noun} yet that shows a field "${name}": this one could go live at once`
			: `None of the ${resource.noun}s has a field "${name}": this one could go live at once`,
		`Its value is ${asValue(value)}. Nothing was sent. If it says when to publish, ${isMapped ? `map ${field} in its place; else remove it` : `rename the column to ${field}; else leave it out with the option 'Exclude Columns'`}.${others}`,
	);
}

/** Spreadsheets number a heading that comes twice: "Publish At_1". */
function isTwinOf(field: string, heading: string): boolean {
	return headingKey(heading).replace(/\d+$/, '') === headingKey(field);
}

function isScheduleHeading(heading: string): boolean {
	return isSchedule(heading.trim().replace(/[\s-]+/g, '_'));
}
