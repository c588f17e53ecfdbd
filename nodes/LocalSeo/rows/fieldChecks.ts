import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	instantOf,
	isDate,
	isEmpty,
	type ServiceRequest,
	timeOf,
} from '../client';
import { convert, nameOfType, noDate, typeOf } from '../host/fieldTypes';
import { asValue } from '../host/words';
import { inSnakeCase, isSchedule, type Resource, resourceOf } from '../service';
import { type AccountFields, fieldsIn } from './accountFields';
import type { Findings } from './findings';
import { readPaging } from './readRequest';

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
	const known = await fieldsIn(connection, resource, readPaging(context), request);
	const sent = fieldsOf(request);
	const past = fieldsInThePast(connection, request);
	const usual = request.method === 'POST' ? known.usual : [];
	for (const name of usual.filter((one) => isEmpty(sent[one]))) {
		warnings.add(
			`The field ${asValue(name)} is missing. Every ${request.noun} that was looked at has it: the service may refuse one without.`,
		);
	}
	for (const [name, value] of Object.entries(sent).filter(([, one]) => !isEmpty(one))) {
		const field = `The field ${asValue(name)}`;
		const { flaw, oddity } = typeFlaw(context, resource, known, name, value);
		if (flaw) problems.add(`${field} ${flaw}`);
		if (oddity) warnings.add(`${field} ${oddity}`);
		if (!flaw && !oddity && isNoDate(name, value)) {
			warnings.add(noDate(name, value));
		}
		if (!isKnown(resource, known, name)) {
			warnings.add(
				`None of the ${resource.noun}s that were looked at has a field ${asValue(name)}. The service may ignore it or refuse it: check its spelling.`,
			);
		}
		if (past.includes(name)) {
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
	if ('flaw' in result) return { flaw: `${result.flaw}. ${isSent}` };
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

/** The fields of a request that say when something is to happen, but not as a date. */
export function fieldsWithoutDate(request: ServiceRequest): string[] {
	const sent = Object.entries(fieldsOf(request)).filter(([, value]) => !isEmpty(value));
	return sent.filter(([name, value]) => isNoDate(name, value)).map(([name]) => name);
}

/** The fields of a request that say when something is to happen, and are in the past. */
export function fieldsInThePast({ account }: Connection, request: ServiceRequest): string[] {
	const now = account.clock.now() + (account.serviceClockOffset ?? 0);
	const sent = Object.entries(fieldsOf(request));
	return sent.filter(([name, value]) => isOver(name, value, now)).map(([name]) => name);
}

/** By the service's clock, as far as it is known. A date counts until its day has ended everywhere. */
function isOver(name: string, value: unknown, now: number): boolean {
	const time = isDate(value) && isSchedule(name) ? timeOf(value) : undefined;
	if (time === undefined) return false;
	const isDay = /^\d{4}-\d{2}-\d{2}$/.test(String(value));
	const isExact = instantOf(value) !== undefined || /(GMT|UTC)$/.test(String(value));
	return time + (isExact ? 0 : isDay ? 2 * DAY : DAY) < now;
}

/** "25.12.2026", or the number as which a spreadsheet keeps a day, where something is to happen then. */
function isNoDate(name: string, value: unknown): boolean {
	return isSchedule(name) && OF_DATE.test(inSnakeCase(name)) && !isDate(value);
}
