import {
	type Connection,
	fieldsOf,
	isRecord,
	type JsonObject,
	keyOf,
	type Matching,
	matchKeyOf,
} from '../../client';
import { namesOf } from '../../resources';
import { InputError } from '../../text/inputError';
import { listed } from '../../text/words';
import type { Explained } from '../item';
import type { IfExists } from '../read/parameters';
import type { Row } from '../read/row';
import { likeHeading } from '../read/sheet';
import { type Existing, existingOf, matchingOf } from './existing';

/** Names of fields that a message shows. */
const MAX_NAMES = 10;
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
	/** The fields that are compared; the time among them only if the row has one. */
	matching: Matching;
	/** True if the user has chosen them: then nothing else is compared. */
	isChosen: boolean;
	/** Rows with the same key are about the same record. */
	key: string;
}

/** The fields by which the record of a row is found again. */
export function matchingOfRow({ resource, request, matchFields }: Row): Matching {
	const fields = fieldsOf(request);
	const usual = matchingOf(resource, fields);
	const names = ['id', ...Object.keys(fields), ...namesOf(resource)];
	const chosen = matchFields.map((name) => likeHeading(name, names) ?? name);
	if (chosen.length > 0) return { ...usual, fields: chosen };
	const isCompared = (name: string) => name !== usual.time || keyOf(fields[name]) !== '';
	return { ...usual, fields: usual.fields.filter(isCompared) };
}

/**
 * Reads what a row is compared with, and by which fields.
 *
 * @throws InputError for a row that can't be told from others, and for a match field that no record
 * shows; ServiceError if the list can't be read
 */
export async function matchOf(
	row: Row,
	connection: Connection,
	ifExists: MatchedRow['ifExists'],
): Promise<MatchedRow> {
	const { resource, mapping } = row;
	const request = ownRequest(row);
	const fields = fieldsOf(row.request);
	const matching = matchingOfRow(row);
	assertMatchable(fields, matching.fields, OTHERWISE[ifExists]);
	const existing = await existingOf(row, connection);
	const isChosen = row.matchFields.length > 0;
	const key = JSON.stringify([matching.fields, matchKeyOf(fields, matching)]);
	const matched = { resource, mapping, request, fields, existing, ifExists, matching };
	assertShown({ ...matched, isChosen, key });
	return { ...matched, isChosen, key };
}

/** The warning about a row that was not compared with all that exists; undefined if it was. */
export function uncompared({ existing, request: { noun } }: MatchedRow): Explained | undefined {
	if (existing.incomplete) {
		return {
			message: `The list of ${noun}s is incomplete: not all of them could be compared with your rows`,
		};
	}
	if (!existing.endsWithRepeat) return undefined;
	return {
		message: `The service returned a page of ${noun}s again in place of the next one: if there are more than ${existing.count}, they could not be compared with your rows`,
		description: "Set the option 'Page Parameter Name' to your service's name for it.",
	};
}

/** The request that would create the record: an `id` in a sheet is the service's, or a number of its rows. */
function ownRequest({ request, mapping }: Row): Row['request'] {
	const { body } = request;
	if (mapping.kind !== 'automatic' || !isRecord(body) || !Object.hasOwn(body, 'id')) return request;
	const own = Object.entries(body).filter(([name]) => name !== 'id');
	return { ...request, body: Object.fromEntries(own) };
}

/** @throws InputError for a row that can't be told from others */
function assertMatchable(fields: JsonObject, names: string[], otherwise: string): void {
	if (names.some((name) => keyOf(fields[name]) !== '')) return;
	throw new InputError(
		`The row has no value in any match field${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
		`Fill these columns, change the option 'Match Fields', or ${otherwise}.`,
	);
}

/** @throws InputError for a match field that no record shows: the row could be created again in every run */
function assertShown({ request, existing, matching, ifExists }: MatchedRow): void {
	const { seen, count } = existing;
	if (count === 0) return;
	const unknown = matching.fields.filter((field) => !seen.has(field) && field !== 'id');
	if (unknown.length === 0) return;
	throw new InputError(
		`None of the existing ${request.noun}s shows ${listed(unknown, MAX_NAMES, ' or ')}`,
		`Without ${unknown.length === 1 ? 'it' : 'them'}, the node cannot recognize what exists already. They show: ${listed([...seen], MAX_NAMES) || 'no fields'}. Name fields that they show in the option 'Match Fields', or ${OTHERWISE[ifExists]}.`,
	);
}
