import { type Connection, fieldsOf, idNames, type JsonObject } from '../../client';
import { convert } from '../../host/fieldTypes';
import { InputError } from '../../text/inputError';
import { isSchedule, isSetByServiceOnly, isTime, namesOf } from '../../resources';
import { listed } from '../../text/words';
import { accountFields } from './accountFields';
import { unreadFields } from '../item';
import { isBlank, isNoTime } from '../read/cells';
import type { Row } from '../read/row';
import { likeHeading } from '../read/sheet';
import { readTime } from '../read/times';
import { existingOf } from './existing';
import {
	fieldFor,
	type Fitting,
	isKnownField,
	MAX_NAMES,
	refuseLostTime,
	requireKnownColumn,
} from './unknownColumns';

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
	const isOwn = (name: string) =>
		mapping.names.has(name) &&
		!mapping.added.has(name) &&
		!given.matchFields.includes(name) &&
		isSetByServiceOnly(likeHeading(name, account.seen) ?? name);
	const hasOthers = entries.some(([name]) => !isOwn(name));
	if (entries.length > 0 && !hasOthers) refuseOwnFields(row, entries);
	for (const [given, value] of entries) {
		if (isOwn(given)) continue;
		const field = fieldFor(row, given);
		// The first of two columns that mean one field is it.
		const name = Object.hasOwn(body, field) ? given : field;
		const fitting = fittedValue(row, given, name, value);
		if (fitting !== undefined) body[name] = fitting;
	}
	return { ...given, request: { ...request, body } };
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

const timeAt = ({ account }: Connection) => account.clock.now();

function fittedValue(row: Fitting, given: string, name: string, value: unknown): unknown {
	const { account, mapping } = row;
	const { types, values, days } = account;
	const type = types.get(name);
	if (type === undefined && !isKnownField(row, name)) refuseLostTime(row, name, value);
	const isTimed = type === undefined ? isTime(name) : type === 'dateTime';
	if (isTimed && Array.isArray(value) && isNoTime(value)) return undefined;
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
