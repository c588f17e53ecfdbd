import {
	type Connection,
	fieldsOf,
	instantOf,
	isDate,
	isEmpty,
	momentIn,
	timeOf,
} from '../../client';
import { convert, nameOfType, typeOf } from '../../host/fieldTypes';
import { inSnakeCase, isSchedule, isTime, type Resource } from '../../resources';
import { InputError } from '../../text/inputError';
import { asValue } from '../../text/words';
import { unreadFields } from '../item';
import { type AccountFields, accountFields } from './accountFields';
import type { Row } from '../read/row';
import type { Findings } from './findings';

/** The length of a day (milliseconds). */
const DAY = 86_400_000;

/**
 * Compares what would be sent with the records of the account: types, names, times that are over, and
 * fields that all records have.
 *
 * @param request what would be sent of the row
 *
 * @throws ServiceError if the records can't be read
 */
export async function checkFields(
	row: Row,
	connection: Connection,
	{ problems, warnings }: Findings,
	request = row.request,
): Promise<void> {
	const { resource, mapping } = row;
	const known = await accountFields(row, connection);
	const sent = fieldsOf(request);
	const usual = request.method === 'POST' ? known.usual : [];
	const assumed = resource.fields.filter(({ isAssumed }) => isAssumed).map(({ id }) => id);
	const unread = unreadFields(row);
	for (const name of usual.filter((one) => isEmpty(sent[one]) && !unread.includes(one))) {
		// The interface says which of the fields that it shows may be missing; not so of the others.
		const remarks = assumed.includes(name) ? problems : warnings;
		remarks.add(
			`${asValue(mapping.labelOf(name))} is empty, and every ${request.noun} that was checked has it`,
			remarks === problems
				? 'The service would refuse this row. Fill the cell, or remove the row.'
				: 'The service may refuse this row.',
		);
	}
	const filled = Object.entries(sent).filter(([, one]) => !isEmpty(one));
	// If the service knows none of the columns, that is said once.
	const areAllUnknown =
		mapping.kind === 'automatic' &&
		!Object.keys(fieldsOf(row.request)).some((name) => isKnown(resource, known, name));
	for (const [name, value] of filled) {
		const label = asValue(mapping.labelOf(name));
		const field = `The field ${label}`;
		const { flaw, oddity, advice } = typeFlaw(resource, known, name, value);
		if (flaw) problems.add(`${field} ${flaw}`, advice);
		if (oddity) warnings.add(`${field} ${oddity}`, advice);
		if (
			!flaw &&
			!oddity &&
			(isTime(name) || known.types.get(name) === 'dateTime') &&
			!isDate(value)
		) {
			warnings.add(
				`${field} is not a date that every service reads: ${asValue(value)}`,
				'Write it as 2026-12-31T18:00:00+01:00.',
			);
		}
		if (isNoAddress(name, value)) {
			warnings.add(
				`${field} is not a web address: ${asValue(value)}`,
				'Enter one that begins with https://.',
			);
		}
		if (!areAllUnknown && !isKnown(resource, known, name)) {
			warnings.add(
				`None of the ${resource.noun}s that were checked has a field ${label}`,
				'The service may ignore it or refuse it: check its spelling.',
			);
		}
	}
	for (const { message, advice, isLate } of timesThatAreOver({ ...row, request }, connection)) {
		if (isLate && request.method === 'POST') problems.add(message, advice);
		else warnings.add(message, `The ${request.noun} would go live at once.`);
	}
}

/**
 * A create whose time has long been over is a mistake in the date, or a row of an old sheet: it would go
 * live at once.
 *
 * @throws InputError for such a row
 */
export function refuseWhatIsLate(row: Row, connection: Connection): void {
	const late = timesThatAreOver(row, connection).find(({ isLate }) => isLate);
	if (late) throw new InputError(late.message, `Nothing was sent. ${late.advice}`);
}

/** After so long (ms), a row is not just one of a workflow that runs late. */
const LATE_AFTER = DAY;

/** The times of a row that are over. */
function timesThatAreOver({ request, mapping, zone }: Row, { account }: Connection) {
	const now = account.clock.now();
	return Object.entries(fieldsOf(request))
		.filter(([name, value]) => isOver(zone, name, value, now))
		.map(([name, value]) => ({
			message: `The field ${asValue(mapping.labelOf(name))} is in the past: ${asValue(value)}`,
			advice: `Enter a later time. Without one, the ${request.noun} goes live at once.`,
			isLate: isOver(zone, name, value, now - LATE_AFTER),
		}));
}

/** Says what is wrong with the type of a value, or only unusual, since the service may convert it. */
function typeFlaw(
	{ noun }: Resource,
	{ types }: AccountFields,
	name: string,
	value: unknown,
): { flaw?: string; oddity?: string; advice?: string } {
	const type = types.get(name);
	const own = typeOf(value);
	if (type === undefined || own === type) return {};
	const isSent = `Its value is ${asValue(value)}. Other ${noun}s have ${nameOfType(type)} there.`;
	const result = convert(type, value);
	// A field that is no date was refused before; JSON is sent as it is, and so is a list in place of a text.
	if ('flaw' in result && type !== 'string') {
		return type === 'dateTime' ? {} : { flaw: result.flaw, advice: isSent };
	}
	// Every date is a text.
	if (type === 'string' && own === 'dateTime') return {};
	const is = nameOfType(own);
	const toConvert =
		typeof value === 'string' ? ' To have it converted, map each column manually.' : '';
	return { oddity: `is ${is}, not ${nameOfType(type)}`, advice: isSent + toConvert };
}

function isKnown({ fields }: Resource, { seen }: AccountFields, name: string): boolean {
	if (seen.length === 0 || name === 'id' || seen.includes(name)) return true;
	return fields.some(({ id, isAssumed }) => id === name && !isAssumed);
}

/** Whether a field says when something is to happen, and that is over: a day, at its end. */
function isOver(zone: string, name: string, value: unknown, now: number): boolean {
	const time = isDate(value) && isSchedule(name) ? timeOf(value) : undefined;
	if (time === undefined) return false;
	// A date in JSON may lack a time zone: then it counts until it is over everywhere.
	if (instantOf(value) === undefined) return time + 2 * DAY < now;
	const isDay = momentIn(zone, time).time === 0;
	return time + (isDay ? DAY : 0) < now;
}

/** "my photo.jpg", where the name of the field says that it is an address: `image_url`. */
function isNoAddress(name: string, value: unknown): boolean {
	const isAddress = typeof value !== 'string' || /^https?:\/\//i.test(value.trim());
	return /(^|_)(url|uri|link)$/.test(inSnakeCase(name)) && !isAddress;
}
