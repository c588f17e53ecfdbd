import type { FieldType, IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	instantOf,
	isDate,
	isEmpty,
	type JsonObject,
	type ServiceRequest,
	timeOf,
} from '../client';
import { InputError } from '../host/errors';
import { convert, nameOfType, typeOf, typesIn, valuesOf } from '../host/fieldTypes';
import { asValue, listed } from '../host/words';
import {
	inSnakeCase,
	isSchedule,
	someRecords,
	type Resource,
	resourceOf,
	sendableFields,
} from '../service';
import { dateAdvice } from './dates';
import type { Findings } from './findings';
import { columnOf, isAutomatic, labelOfField, readMapping } from './readBody';
import { readPaging } from './readRequest';
import { oncePerRun } from './row';

/** How many names a message lists. */
const MAX_NAMES = 10;
/** From so many records on, what each of them has is no chance. */
const FEWEST_RECORDS = 3;

/** The fields of a resource in an account. */
interface AccountFields {
	/** Names of those that can be sent, the known ones first. */
	sendable: string[];
	/** Names of all that records have. */
	seen: string[];
	/** Names of those that the node knows and every record has filled; none where there are few records. */
	usual: string[];
	/** Types of those whose values all have the same one, by name. */
	types: Record<string, FieldType | undefined>;
}

/**
 * The fields that the records of a row's location have; if it shows none, those of other locations.
 *
 * @throws ServiceError if the records can't be read
 */
async function fieldsInAccount(
	context: IExecutePaginationFunctions,
	connection: Connection,
	resource: Resource,
	{ ids }: ServiceRequest,
): Promise<AccountFields> {
	const read = async () => {
		const paging = readPaging(context);
		const records = await someRecords(connection, resource, paging, ids.locationId);
		const { known, others, seen } = sendableFields(resource, records);
		const names = [...seen].filter((name) => name !== 'id');
		const isInAll = (name: string) => valuesOf(records, name).length === records.length;
		const usual = records.length < FEWEST_RECORDS ? [] : known.map(({ id }) => id);
		return {
			sendable: [...known.map(({ id }) => id), ...others],
			seen: names,
			usual: usual.filter(isInAll),
			types: Object.fromEntries([...typesIn(records)].filter(([name]) => name !== 'id')),
		};
	};
	return await oncePerRun(context, connection.account, ['fields', resource.value], read);
}

/**
 * Refuses a row that is mapped automatically if it has no column that the service is known to have a
 * field for: its headings are wrong then. Fields are known from the resource, the editor or, if these do
 * not suffice, from the records of the account. Columns beside a known one are left to the service.
 *
 * @param known fields that records of the account are known to have
 * @throws InputError with the row's columns and the fields, and ServiceError if the records can't be read
 */
export async function requireKnownColumn(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	known: Iterable<string> = [],
): Promise<void> {
	// JSON is sent as it is.
	if (typeof request.body !== 'object') return;
	const mapping = readMapping(context);
	if (!isAutomatic(mapping)) return;
	const sent = Object.keys(fieldsOf(request));
	const resource = resourceOf(context.getNodeParameter('resource'));
	const offered = [...resource.fields, ...(mapping.schema ?? [])].map(({ id }) => id);
	if (includesAny(sent, [...offered, ...known])) return;

	const { sendable, seen } = await fieldsInAccount(context, connection, resource, request);
	// Without records, the names are only assumed.
	if (seen.length === 0 || includesAny(sent, seen)) return;
	const { json: row } = context.getInputData();
	const columns = sent.filter((name) => name in row);
	throw new InputError(
		`Your columns: ${listed(columns, MAX_NAMES)}. The service expects: ${listed(sendable, MAX_NAMES)}. Rename them or map each column.`,
		`Nothing was sent. To map each column, set 'Mapping Column Mode' to Map Each Column Manually.`,
	);
}

function includesAny(names: string[], known: string[]): boolean {
	return names.some((name) => known.includes(name));
}

/** The end of a name that says that it is a date: `schedule` may be "weekly". */
const OF_DATE = /_(at|date|datetime)$/;
/** Milliseconds for which a date without a time zone is not judged, and what a day takes. */
const DAY = 86_400_000;

/**
 * Compares what would be sent with the records of the account: types, names, times that are over, and
 * fields that all records have.
 *
 * @throws ServiceError if the records can't be read
 */
export async function checkFields(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	{ problems, warnings }: Findings,
): Promise<void> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const known = await fieldsInAccount(context, connection, resource, request);
	const sent = fieldsOf(request);
	// By the service's clock, as far as it is known.
	const now = connection.account.clock.now() + (connection.account.serviceClockOffset ?? 0);
	const usual = request.method === 'POST' ? known.usual : [];
	for (const name of usual.filter((one) => isEmpty(sent[one]))) {
		warnings.add(
			`Every ${request.noun} that was checked has ${asValue(labelOfField(context, name))}, which is missing here: the service may refuse this row.`,
		);
	}
	const filled = Object.entries(sent).filter(([, one]) => !isEmpty(one));
	// If the service knows none of the columns, that is said once.
	const areAllUnknown =
		isAutomatic(readMapping(context)) && !filled.some(([name]) => isKnown(resource, known, name));
	for (const [name, value] of filled) {
		const label = asValue(labelOfField(context, name));
		const field = `The field ${label}`;
		const { flaw, oddity } = typeFlaw(context, resource, known, name, value);
		if (flaw) problems.add(`${field} ${flaw}`);
		if (oddity) warnings.add(`${field} ${oddity}`);
		if (!flaw && !oddity && isNoDate(name, value)) {
			warnings.add(noDate(context, name, value));
		}
		if (isNoAddress(name, value)) {
			warnings.add(
				`${field} is not a web address: ${asValue(value)}. Enter one that begins with https://.`,
			);
		}
		if (!areAllUnknown && !isKnown(resource, known, name)) {
			warnings.add(
				`None of the ${resource.noun}s that were checked has a field ${label}. The service may ignore it or refuse it: check its spelling.`,
			);
		}
		if (isOver(name, value, now)) {
			problems.add(
				`${field} is in the past: ${asValue(value)}. Enter a later time, or leave it empty.`,
			);
		}
	}
}

/** What is wrong with the type of a value, or only unusual, since the service may convert it. */
function typeFlaw(
	context: IExecutePaginationFunctions,
	{ noun }: Resource,
	{ types }: AccountFields,
	name: string,
	value: unknown,
): { flaw?: string; oddity?: string } {
	const type = Object.hasOwn(types, name) ? types[name] : undefined;
	const own = typeOf([value]);
	if (type === undefined || own === type) return {};
	const isSent = `Its value is ${asValue(value)}. Other ${noun}s have ${nameOfType(type)} there.`;
	const result = convert(context, type, value);
	if ('flaw' in result) {
		const advice =
			type === 'dateTime' ? ` ${dateAdvice(context, value, columnOf(context, name))}` : '';
		return { flaw: `${result.flaw}. ${isSent}${advice}` };
	}
	// Every date is a text.
	if (type === 'string' && own === 'dateTime') return {};
	const is = own && nameOfType(own);
	const advice =
		typeof value === 'string' ? ' To have it converted, map each column manually.' : '';
	return { oddity: `is ${is}, not ${nameOfType(type)}. ${isSent}${advice}` };
}

function isKnown({ fields }: Resource, { seen }: AccountFields, name: string): boolean {
	if (seen.length === 0 || name === 'id' || seen.includes(name)) return true;
	return fields.some(({ id, isAssumed }) => id === name && !isAssumed);
}

/** The fields that say when something is to happen, but not as a date. */
export function fieldsWithoutDate(sent: JsonObject): string[] {
	const filled = Object.entries(sent).filter(([, value]) => !isEmpty(value));
	return filled.filter(([name, value]) => isNoDate(name, value)).map(([name]) => name);
}

/** That a field which says when something is to happen has a value that is no date. */
export function noDate(
	context: IExecutePaginationFunctions,
	field: string,
	value: unknown,
): string {
	return `The field ${asValue(labelOfField(context, field))} is not a date that every service reads. Its value is ${asValue(value)}. ${dateAdvice(context, value, columnOf(context, field))}`;
}

/** Whether a field says when something is to happen, and that is over. A date counts until its day has ended everywhere. */
function isOver(name: string, value: unknown, now: number): boolean {
	const time = isDate(value) && isSchedule(name) ? timeOf(value) : undefined;
	if (time === undefined) return false;
	const isDay = /^\d{4}-\d{2}-\d{2}$/.test(String(value));
	const isExact = instantOf(value) !== undefined || /(GMT|UTC)$/.test(String(value));
	return time + (isExact ? 0 : isDay ? 2 * DAY : DAY) < now;
}

/** "my photo.jpg", where the name of the field says that it is an address: `image_url`. */
function isNoAddress(name: string, value: unknown): boolean {
	const isAddress = typeof value !== 'string' || /^https?:\/\//i.test(value.trim());
	return /(^|_)(url|uri|link)$/.test(inSnakeCase(name)) && !isAddress;
}

/** "25.12.2026", or the number as which a spreadsheet keeps a day, where something is to happen then. */
function isNoDate(name: string, value: unknown): boolean {
	return isSchedule(name) && OF_DATE.test(inSnakeCase(name)) && !isDate(value);
}
