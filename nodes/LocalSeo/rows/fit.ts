import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	idNames,
	isDate,
	type JsonObject,
	readDate,
	type ServiceRequest,
} from '../client';
import { InputError } from '../text/inputError';
import { isSchedule, isSetByUser, isTime, type Resource, resourceOf } from '../service';
import { asValue, listed } from '../text/words';
import { type AccountFields, accountFields } from './accountFields';
import { isBlank } from './cells';
import { automaticNames, excludedKeys, isAutomatic, isKnownToNode, readMapping } from './columns';
import { existingOf } from './existing';
import { ifExistsOf } from './row';
import { headingKey, type Sheet, sheetOf } from './sheet';
import { readTime } from './times';

type Context = IExecutePaginationFunctions;

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
export async function fitted(
	context: Context,
	connection: Connection,
	request: ServiceRequest,
): Promise<ServiceRequest> {
	// JSON is sent as it is, and what each column is mapped to has a type of its own.
	if (typeof request.body !== 'object' || !isAutomatic(readMapping(context))) return request;
	const resource = resourceOf(context.getNodeParameter('resource'));
	const sheet = sheetOf(context);
	const entries = Object.entries(request.body);
	const { matchFields = [] } = resource;
	// A text keeps its spaces; a word from a list does not.
	const isPlain = ([name, value]: [string, unknown]) =>
		isKnownToNode(context, name) &&
		typeof value === 'string' &&
		(value === value.trim() || matchFields.includes(name));
	if (entries.length > 0 && entries.every(isPlain)) return request;
	const isAddressed = idNames(request.path).every((name) => name in request.ids);
	const isCompared = isAddressed && request.method === 'POST' && ifExistsOf(context) !== 'create';
	const existing = isCompared ? await existingOf(context, connection, request) : undefined;
	const account = await accountFields(context, connection, resource, request, existing?.records);
	const row = { context, request, resource, sheet, account };
	requireKnownColumn(row, Object.keys(request.body));
	const body: JsonObject = {};
	for (const [given, value] of entries) {
		const field = fieldFor(row, given);
		// Of two columns that mean one field, the first is it.
		const name = Object.hasOwn(body, field) ? given : field;
		body[name] = fittedValue(row, given, name, value);
	}
	return { ...request, body };
}

interface FittedRow {
	context: Context;
	request: ServiceRequest;
	resource: Resource;
	sheet: Sheet;
	account: AccountFields;
}

/** The account's field that a heading means, where no other column is called so. */
function fieldFor({ context, sheet, account: { seen } }: FittedRow, name: string): string {
	if (seen.includes(name) || isKnownToNode(context, name)) return name;
	const key = headingKey(name);
	const field = seen.find((one) => headingKey(one) === key);
	const isMeant = field !== undefined && isSetByUser(field) && field !== 'status';
	return isMeant && !automaticNames(context, sheet).has(field) ? field : name;
}

function fittedValue(row: FittedRow, given: string, name: string, value: unknown): unknown {
	const { context, account, sheet } = row;
	const { types, values, days, seen } = account;
	const type = types.get(name);
	if (type === undefined && seen.length > 0 && !seen.includes(name))
		refuseLostTime(row, name, value);
	const isTimed = type === undefined ? isTime(name) : type === 'dateTime';
	if (isTimed && !isBlank(value)) {
		const columns = [automaticNames(context, sheet).get(given) ?? given];
		return readTime(context, { label: name, value, columns, takesDays: days.has(name) });
	}
	if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) {
		return String(value);
	}
	// Spaces at the end of a word from a list; a text keeps its own.
	const isListed = typeof value === 'string' && values.get(name)?.has(value.trim());
	return isListed ? value.trim() : value;
}

/**
 * The columns of a sheet are judged together: cells may be empty, and files are read without them.
 *
 * @throws InputError if no column is a field of the service, or the row has none of them filled
 */
function requireKnownColumn(row: FittedRow, filled: string[]): void {
	const { context, resource, account, sheet } = row;
	const { seen, sendable } = account;
	// Without records, the names are only assumed.
	if (seen.length === 0) return;
	const isKnown = (name: string) =>
		isKnownToNode(context, name) || seen.includes(fieldFor(row, name));
	if (filled.some(isKnown)) return;
	const excluded = excludedKeys(context, row.request.ids);
	const columns = [...automaticNames(context, sheet)]
		.filter(([, heading]) => !excluded.has(headingKey(heading)))
		.map(([name]) => name);
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
 * A time in a column that the service does not know: it would be ignored, and the post published at once.
 *
 * @throws InputError for it
 */
function refuseLostTime(row: FittedRow, name: string, value: unknown): void {
	const { context, resource, account, sheet } = row;
	const field = account.seen.find((one) => isSchedule(one));
	if (field === undefined || automaticNames(context, sheet).has(field)) return;
	if (!isSetByUser(name) || !isWrittenDate(value)) return;
	if (!isSchedule(name) && !isOfDates(row, name)) return;
	throw new InputError(
		`None of the ${resource.noun}s has a field "${name}": this one could go live at once`,
		`Its value is ${asValue(value)}. Nothing was sent. If it says when to publish, rename the column to ${field}; else leave it out with the option 'Exclude Columns'.`,
	);
}

/** Whether a column has dates, and nothing else. */
function isOfDates({ context, sheet }: FittedRow, name: string): boolean {
	const heading = automaticNames(context, sheet).get(name) ?? name;
	return sheet.valuesIn(heading).every((value) => isBlank(value) || isWrittenDate(value));
}

/** Whether a text is a date in any spelling; numbers alone may be anything. */
export function isWrittenDate(value: unknown): boolean {
	if (typeof value !== 'string' || /^\s*[\d.,]+\s*$/.test(value)) return isDate(value);
	const written = readDate(value);
	return written !== undefined && !('flaw' in written);
}
