import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	areOtherDates,
	type Connection,
	isDate,
	isEmpty,
	type JsonObject,
	madeBefore,
	matchKeyOf,
	type ServiceRequest,
} from '../client';
import { isSchedule } from '../service';
import {
	assertMatchable,
	type Done,
	type MatchedRow,
	matchedRow,
	type Sending,
	SimilarExists,
} from './matching';

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
 * the same values by an earlier row of this run, or by this process within the hour: then it is skipped.
 *
 * @throws as `matchedRow` does, and InputError when a record is so similar that it may be the same
 */
export async function skipExisting(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	{ create }: Pick<Sending, 'create'>,
): Promise<Done> {
	const telling = (_: unknown, sent: JsonObject) => identifying(sent);
	const row = await matchedRow(context, connection, request, telling, CREATE_ANYWAY);
	const { existing, fields, resource, index, chosen } = row;
	const { seen } = existing;
	const isPartlyCompared = existing.incomplete !== undefined;
	const matchFields = chosen ?? matchFieldsOf(row);
	const dates = chosen ? [] : datesIn(row).filter((name) => !matchFields.includes(name));
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = seen.size > 0 || matchFields.every((field) => field in fields);
	const compared = isKnown ? [...matchFields, ...dates] : Object.keys(fields);
	const key = JSON.stringify([compared, matchKeyOf(fields, compared, resource.areTerms)]);
	return await existing.inTurn(key, async () => {
		const twin = existing.madeBy(key, index);
		if (twin) return { record: twin.record, became: 'skipped', twin: twin.row };
		const { same, similar } = existing.indexBy(matchFields, resource, dates).find(fields);
		if (same.length > 0) return { record: same[0], became: 'skipped', isPartlyCompared };
		// The list may hide it (a draft), show it later, or with other texts.
		const made = madeBefore(connection.account, request);
		if (made) return { record: made, became: 'skipped', isPartlyCompared };
		if (similar) throw similarExists(row, similar, matchFields, dates);
		const { record, wasMade } = await existing.create(key, index, create);
		return { record, became: wasMade ? 'skipped' : 'created', isPartlyCompared };
	});
}

function similarExists(
	{ request, fields, existing }: MatchedRow,
	record: JsonObject,
	matchFields: string[],
	dates: string[],
): SimilarExists {
	const date = dates.find((name) => areOtherDates(record[name], fields[name]));
	const why = existing.elsewhere.has(record)
		? 'The list shows it, but it names another location. '
		: date === undefined
			? ''
			: `Its ${date} is another one: ${JSON.stringify(record[date])}. `;
	const advice = `${why}If it is the same ${request.noun}, remove the row. If it is a different one, choose the fields that distinguish them in the option Match Fields, or run this row alone and ${CREATE_ANYWAY}.`;
	return new SimilarExists(request, record, [...matchFields, ...dates], advice);
}

/**
 * The usual match fields. Where the row lacks one of them, or no record has it (the service calls it
 * otherwise, say), the others alone would make different rows the same; then whatever else the row
 * sends has to be the same as well.
 *
 * @throws InputError for a row that has none of them, although the records do
 */
function matchFieldsOf({ resource, fields, existing: { seen } }: MatchedRow): string[] {
	const { matchFields: usual = [] } = resource;
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
function datesIn({ fields, existing: { seen } }: MatchedRow): string[] {
	const tells = (field: string) => seen.size === 0 || seen.has(field) || isSchedule(field);
	return identifying(fields).filter((field) => isDate(fields[field]) && tells(field));
}

function identifying(fields: JsonObject): string[] {
	return Object.keys(fields).filter((name) => !NOT_IDENTIFYING.test(name));
}
