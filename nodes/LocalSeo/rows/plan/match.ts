import {
	type Connection,
	fieldsOf,
	instantOf,
	isEmpty,
	isRecord,
	type JsonObject,
	keyTextOf,
	matchKeyOf,
	textOf,
} from '../../client';
import { InputError } from '../../text/inputError';
import { inSnakeCase, isSchedule, namesOf } from '../../resources';
import { listed } from '../../text/words';
import { type Existing, existingOf } from './existing';
import type { Explained } from '../item';
import type { IfExists } from '../read/parameters';
import type { Row } from '../read/row';
import { isWrittenDate } from '../read/plannedTimes';
import { likeHeading } from '../read/sheet';

/** Names of fields that a message shows. */
const MAX_NAMES = 10;
/**
 * Fields that do not tell what a row is: the service gives them values of its own. Any other time may be
 * that of an event.
 */
const NOT_IDENTIFYING =
	/^(id|location_id|status|(created|updated|last_.+)_at|(.+_)?(count|score))$/;
/** The alternatives for a row that can't be told from others, as the end of a sentence. */
export const OTHERWISE = {
	skip: "set 'If It Already Exists' to 'Create Another One'",
	update: 'use the operation Create',
};

/** A row to be compared with what exists. */
export interface MatchedRow extends Pick<Row, 'resource' | 'request' | 'mapping'> {
	/** The fields of the row. */
	fields: JsonObject;
	existing: Existing;
	ifExists: Exclude<IfExists, 'create'>;
	/** The fields that identify its record, and dates in which it may differ from one that is much like it. */
	matchFields: string[];
	dates: string[];
	/** The dates among these that say when it is to be published, and are still to come. */
	ahead: string[];
	/** Match fields that the user has chosen for codes: they are compared to the letter. */
	codes: string[];
	/** Its values in these, as the index of the records has them; absent: they are not known yet. */
	values?: string;
	/** Its values in the match fields: rows that share them are about the same record, if it exists. */
	owner?: string;
	/** Rows with the same key are about the same record. */
	key: string;
}

/**
 * Reads what a row is compared with, and by which fields.
 *
 * @throws InputError for a row that can't be told from others, and for chosen match fields that no record has; ServiceError if the list can't be read
 */
export async function matchOf(
	row: Row,
	connection: Connection,
	ifExists: MatchedRow['ifExists'],
): Promise<MatchedRow> {
	const { resource, mapping } = row;
	const fields = fieldsOf(row.request);
	const names = ['id', ...Object.keys(fields), ...namesOf(resource)];
	const meant = row.matchFields.map((name) => likeHeading(name, names) ?? name);
	const chosen = meant.length > 0 ? meant : undefined;
	const usual = ifExists === 'skip' ? identifying(fields) : (resource.matchFields ?? []);
	assertMatchable(fields, chosen ?? usual, OTHERWISE[ifExists]);
	const existing = await existingOf(row, connection);
	const known = { ...{ mapping, fields, resource, existing, ifExists }, request: ownRequest(row) };
	if (chosen) assertKnown(known, chosen);
	if (ifExists === 'update') {
		const matchFields = chosen ?? usual;
		const isUsual = (name: string) => resource.matchFields?.includes(name) === true;
		const codes = matchFields.filter((name) => !isUsual(name) && isCode(fields[name]));
		const keyOf = (name: string) =>
			codes.includes(name) ? codeOf(fields[name]) : keyTextOf(fields[name]);
		const values = (names: string[]) => JSON.stringify(names.map(keyOf));
		const owner = values(matchFields);
		const isThere = () =>
			existing.indexBy(matchFields, resource).find(fields, undefined, owner).same.length === 1;
		// New rows that lack one of them would be the same by the others alone, though they are different.
		const isKnown = matchFields.every((name) => !isEmpty(fields[name])) || isThere();
		const key = isKnown ? owner : values([...matchFields, ...identifying(fields)]);
		return { ...known, matchFields, dates: [], ahead: [], codes, owner, key };
	}
	const matchFields = chosen ?? matchFieldsOf(known);
	const dates = chosen ? [] : datesIn(known, matchFields);
	const valuesIn = (names: string[]) => matchKeyOf(fields, names, resource.isSearchTerm);
	const own = [...matchFields, ...dates];
	const values = valuesIn(own) ?? '';
	// A field that no record is known to have (a typo, say) must not make different rows the same.
	const isKnown = existing.seen.size > 0 || matchFields.every((field) => field in fields);
	const all = Object.keys(fields);
	const key = JSON.stringify(isKnown ? [own, values] : [all, valuesIn(all)]);
	const now = connection.account.clock.now();
	const isAhead = (name: string) => isSchedule(name) && (instantOf(fields[name]) ?? 0) > now;
	return { ...known, matchFields, dates, ahead: dates.filter(isAhead), codes: [], values, key };
}

/** Why a row could not be compared with all that exists, and what may come of it; undefined if it could. */
export function uncompared({
	existing: { incomplete, areTexts, seen },
	request: { noun },
	matchFields,
}: MatchedRow): Explained | undefined {
	if (incomplete) {
		return {
			message: `The list of ${noun}s is incomplete: not all of them could be compared with your rows`,
		};
	}
	const isNone = seen.size === 0 && !areTexts;
	if (isNone || matchFields.some((name) => seen.has(name))) return undefined;
	const shown = seen.size > 0 ? ` They show: ${listed([...seen], MAX_NAMES)}` : '';
	return {
		message: `None of the existing ${noun}s shows ${listed(matchFields, MAX_NAMES, ' or ')}: they could not be compared with your rows`,
		description: `Rows that exist already may be created again.${shown}`,
	};
}

/** The request that would create the record: an `id` in a sheet is the service's, or a number of its rows. */
function ownRequest({ request, mapping }: Row): Row['request'] {
	const { body } = request;
	if (mapping.kind !== 'automatic' || !isRecord(body) || !Object.hasOwn(body, 'id')) return request;
	const own = Object.entries(body).filter(([name]) => name !== 'id');
	return { ...request, body: Object.fromEntries(own) };
}

/** A code as it is written; "001r" and "001R" may be two. */
export function codeOf(value: unknown): string {
	return textOf(value).normalize('NFC').trim();
}

/** One word with a digit, such as a number of a shop or an ID of another system. */
function isCode(value: unknown): boolean {
	return /^\S*\d\S*$/.test(codeOf(value));
}

/**
 * The usual match fields. Where the row lacks one of them, or no record has it (the service calls it
 * otherwise, say), the others alone would make different rows the same; then whatever else the row
 * sends has to be the same as well.
 *
 * @throws InputError for a row that has none of them, although the records do
 */
function matchFieldsOf({
	resource,
	fields,
	existing: { seen },
}: Pick<MatchedRow, 'resource' | 'fields' | 'existing'>): string[] {
	const { matchFields: usual = [] } = resource;
	const isUsual = (field: string) =>
		!isEmpty(fields[field]) && (seen.size === 0 || seen.has(field));
	if (usual.length > 0 && usual.every(isUsual)) return usual;
	if (usual.some((field) => seen.has(field))) assertMatchable(fields, usual, OTHERWISE.skip);
	const others = identifying(fields).filter((field) => seen.size === 0 || seen.has(field));
	return [...new Set([...usual, ...others])];
}

/**
 * The dates that a row sends: the same text may be posted every week. Whether another date makes
 * another post is left to the user, since a service may also change a date. One that no record shows
 * may be that of an export, unless its name says when the post is to be published.
 */
function datesIn(
	{ fields, resource, existing: { seen } }: Pick<MatchedRow, 'fields' | 'resource' | 'existing'>,
	matchFields: string[],
): string[] {
	// A keyword or a location is there once, whatever its sheet says of when.
	if (!namesOf(resource).some(isSchedule)) return [];
	const tells = (field: string) => seen.size === 0 || seen.has(field) || isSchedule(field);
	const others = identifying(fields).filter((field) => !matchFields.includes(field));
	return others.filter((field) => tells(field) && isWrittenDate(fields[field]));
}

function identifying(fields: JsonObject): string[] {
	return Object.keys(fields).filter((name) => !NOT_IDENTIFYING.test(inSnakeCase(name)));
}

/** @throws InputError for a row that can't be told from others */
function assertMatchable(fields: JsonObject, matchFields: string[], otherwise: string): void {
	if (matchKeyOf(fields, matchFields) !== undefined) return;
	const names = matchFields.join(', ');
	throw new InputError(
		`The row has no value in any match field${names && `: ${names}`}`,
		`Fill these columns, change the option 'Match Fields', or ${otherwise}.`,
	);
}

/** @throws InputError for a chosen match field that no record has */
function assertKnown(
	{
		request: { noun },
		existing: { seen },
		ifExists,
	}: Pick<MatchedRow, 'request' | 'existing' | 'ifExists'>,
	matchFields: string[],
): void {
	const unknown = matchFields.filter((field) => !seen.has(field));
	if (seen.size === 0 || unknown.length === 0) return;
	throw new InputError(
		`None of the existing ${noun}s has a field "${unknown[0]}"`,
		`Without it, the node cannot recognize them. They have: ${listed([...seen], MAX_NAMES)}. Change the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}
