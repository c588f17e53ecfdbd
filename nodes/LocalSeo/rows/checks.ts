import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	idNames,
	instantOf,
	isDate,
	isEmpty,
	ServiceError,
	type ServiceRequest,
	timeOf,
} from '../client';
import { InputError, reportOf } from '../host/errors';
import { convert, nameOfType, noDate } from '../host/fieldTypes';
import { sentences } from '../host/sentences';
import { asText, asValue } from '../host/shown';
import { inSnakeCase, isSchedule, type Resource, resourceOf, typeOf } from '../service';
import { type AccountFields, fieldsInAccount } from './fields';
import type { Attempt } from './readRequest';

/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/** What a dry run finds out about a row, each text once. */
export class Findings {
	/** Why the row can't be sent, or would be refused. */
	readonly problems = new Set<string>();
	/** What is worth a look, although the row would be sent. */
	readonly warnings = new Set<string>();

	constructor(private readonly context: IExecutePaginationFunctions) {}

	/** Reads a part of the row; whatever fails there is wrong with the row. */
	readonly attempt: Attempt = (read) => {
		try {
			return read();
		} catch (thrown) {
			this.problems.add(this.inWords(thrown));
			return undefined;
		}
	};

	/**
	 * Makes a check.
	 *
	 * @returns what it gives; undefined if it found something wrong with the row
	 * @throws whatever says nothing about the row: the key is refused, the service is down
	 */
	async check<T>(make: () => Promise<T>): Promise<T | undefined> {
		return await make().catch((thrown: unknown) => {
			if (!isOfRow(thrown)) throw thrown;
			this.problems.add(this.inWords(thrown));
			return undefined;
		});
	}

	/** An error as one text: what is wrong, and what to do. */
	private inWords(thrown: unknown): string {
		const { message, description } = reportOf(this.context, thrown);
		return asText(description ? sentences(message, description) : message);
	}
}

/** Whether an error is about the row: what it holds, or an ID that does not exist. */
export function isOfRow(thrown: unknown): boolean {
	if (!(thrown instanceof ServiceError)) return thrown instanceof InputError;
	const { kind, status = 0, request } = thrown.facts;
	if (kind === 'invalid-id') return true;
	return kind === 'rejected' && ABOUT_ID.includes(status) && idNames(request.path).length > 0;
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
