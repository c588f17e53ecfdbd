import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	isDate,
	isEmpty,
	isRecord,
	type JsonObject,
	madeBefore,
	ServiceError,
	type ServiceRequest,
} from '../client';
import { InputError } from '../host/errors';
import { isSchedule, type Resource, resourceOf } from '../resources';
import {
	assertKnown,
	assertMatchable,
	chosenMatchFields,
	type Existing,
	existingOf,
	indexOf,
	SimilarExists,
} from './existing';
import { matchKeyOf } from './existingRecords';
import { areOtherDates } from './resemblance';
import type { Sending } from './upsert';

/** What to do for a row that is new without doubt. */
const CREATE_ANYWAY = 'set If It Already Exists to Create Another One';
/**
 * Fields that do not tell what a row is: the service gives them values of its own. Any other time may be
 * that of an event.
 */
const NOT_IDENTIFYING =
	/^(id|location_id|status|(created|updated|last_.+)_at|(.+_)?(count|score))$/;

/**
 * Creates a record unless one with the same values in the match fields is listed, or was created from
 * the same values by an earlier row of this run, or by this process within the hour; in that case it
 * returns that one, with `skipped: true`.
 *
 * @throws InputError when the match fields are not in the row, or the chosen ones in none of the
 * records, and when a record is so similar that it may be the same
 */
export async function skipExisting(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	{ create, notes }: Pick<Sending, 'create' | 'notes'>,
): Promise<unknown[]> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const fields = fieldsOf(request);
	const chosen = chosenMatchFields(context, resource);
	assertMatchable(fields, chosen ?? identifying(fields), CREATE_ANYWAY);
	const existing = await existingOf(context, connection, request);
	const matchFields = chosen ?? matchFieldsOf(resource, fields, existing);
	if (chosen) assertKnown(request, existing, chosen, CREATE_ANYWAY);
	if (existing.incomplete) notes?.('partly-compared');

	const dates = chosen
		? []
		: datesIn(fields, existing).filter((name) => !matchFields.includes(name));
	const match = indexOf(existing, matchFields, resource, dates).find(fields);
	if (match?.likeness === 'same') return [{ ...match.record, skipped: true }];
	const made = madeBefore(connection.account, request);
	if (match && !made) {
		const isElsewhere = existing.elsewhere.has(match.record);
		const date = dates.find((name) => areOtherDates(match.record[name], fields[name]));
		const why = isElsewhere
			? 'The list shows it, but it names another location. '
			: date === undefined
				? ''
				: `Its ${date} is another one: ${JSON.stringify(match.record[date])}. `;
		const advice = `${why}If it is the same ${request.noun}, remove the row. If it is a different one, choose the fields that distinguish them in the option Match Fields, or run this row alone and ${CREATE_ANYWAY}.`;
		throw new SimilarExists(request, match.record, [...matchFields, ...dates], advice);
	}
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = existing.seen.size > 0 || matchFields.every((field) => field in fields);
	const compared = isKnown ? [...matchFields, ...dates] : Object.keys(fields);
	const key = JSON.stringify([compared, matchKeyOf(fields, compared, resource.areTerms)]);
	// The list may hide it (a draft), show it later, or with other texts.
	const createOrSkip = async () => {
		const { record, wasMade } = await create();
		return wasMade ? { ...record, skipped: true } : record;
	};
	return [await createUnlessCreated(existing, key, context.getItemIndex(), createOrSkip)];
}

/** Rows with the same key follow one another: the first one that succeeds is the only one. */
async function createUnlessCreated(
	{ created, inDoubt }: Existing,
	key: string,
	row: number,
	create: () => Promise<JsonObject>,
): Promise<JsonObject> {
	for (let known = created.get(key); known !== undefined; known = created.get(key)) {
		const record = await known;
		if (isRecord(record)) return { ...record, skipped: true };
	}
	const doubt = inDoubt.get(key);
	if (doubt && doubt.row !== row) throw doubt.error;
	const creation = create();
	created.set(
		key,
		creation
			.then((record) => {
				inDoubt.delete(key);
				return record;
			})
			.catch((error: unknown) => {
				created.delete(key);
				const mayExist = !(error instanceof ServiceError) || error.mayHaveActed;
				if (mayExist && !(error instanceof InputError)) inDoubt.set(key, { row, error });
			}),
	);
	return await creation;
}

/**
 * The usual match fields. Where the row lacks one of them, or no record has it (the service calls it
 * otherwise, say), the others alone would make different rows the same; then whatever else the row
 * sends has to be the same as well.
 *
 * @throws InputError for a row that has none of them, although the records do
 */
function matchFieldsOf(
	{ matchFields: usual = [] }: Resource,
	fields: JsonObject,
	{ seen }: Existing,
): string[] {
	const isUsual = (field: string) =>
		!isEmpty(fields[field]) && (seen.size === 0 || seen.has(field));
	if (usual.length > 0 && usual.every(isUsual)) return usual;
	if (usual.some((field) => seen.has(field))) assertMatchable(fields, usual, CREATE_ANYWAY);
	const others = identifying(fields).filter((field) => seen.size === 0 || seen.has(field));
	return [...new Set([...usual, ...others])];
}

/**
 * The dates that a row sends: the same text may be posted every week. Whether another date makes
 * another post is left to the user, since a service may also change a date. One that no record shows
 * may be that of an export, unless its name says when the post is to be published.
 */
function datesIn(fields: JsonObject, { seen }: Existing): string[] {
	const tells = (field: string) => seen.size === 0 || seen.has(field) || isSchedule(field);
	return identifying(fields).filter((field) => isDate(fields[field]) && tells(field));
}

function identifying(fields: JsonObject): string[] {
	return Object.keys(fields).filter((name) => !NOT_IDENTIFYING.test(name));
}
