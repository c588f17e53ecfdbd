import type { IExecutePaginationFunctions } from 'n8n-workflow';

import {
	type Connection,
	fieldsOf,
	idOf,
	type JsonObject,
	matchKeyOf,
	type ServiceRequest,
} from '../client';
import { InputError } from '../host/errors';
import { namesIn } from '../panel/values';
import { type Resource, resourceOf } from '../service';
import type { Became } from './became';
import { type Existing, existingOf } from './existing';
import { readOptions } from './options';
import { requireKnownColumn } from './requireKnownColumn';

/** Characters of a text, and names, that a message shows. */
const MAX_TEXT = 100;
const MAX_NAMES = 10;

/** How a row leaves; a dry run only looks at what would be sent. */
export interface Sending {
	create: () => Promise<{ record: JsonObject; wasMade?: boolean }>;
	change: (request: ServiceRequest) => Promise<JsonObject>;
}

/** What became of a row whose record may exist already. */
export interface Done {
	record: JsonObject;
	became: Became;
	/** The row of this run that has made the record, where it was another one. */
	twin?: number;
	/** Whether not all records that exist could be compared with it. */
	isPartlyCompared?: boolean;
}

/** A row to be compared with what exists. */
export interface MatchedRow {
	index: number;
	request: ServiceRequest;
	fields: JsonObject;
	resource: Resource;
	existing: Existing;
	/** The match fields that the user has chosen. */
	chosen?: string[];
}

/**
 * Reads what a row is compared with.
 *
 * @param usual names of the fields that tell what the row is, where the user has chosen none
 * @param otherwise what else the user can do, as the end of a sentence
 * @throws InputError for a row that can't be told from others, or without a column that the service
 * knows, and for chosen match fields that no record has; ServiceError if the records can't be read
 */
export async function matchedRow(
	context: IExecutePaginationFunctions,
	connection: Connection,
	request: ServiceRequest,
	usual: (resource: Resource, fields: JsonObject) => string[],
	otherwise: string,
): Promise<MatchedRow> {
	const resource = resourceOf(context.getNodeParameter('resource'));
	const fields = fieldsOf(request);
	const chosen = chosenMatchFields(context, resource);
	assertMatchable(fields, chosen ?? usual(resource, fields), otherwise);
	const existing = await existingOf(context, connection, request);
	await requireKnownColumn(context, connection, request, existing.seen);
	if (chosen) assertKnown(request, existing, chosen, otherwise);
	return { index: context.getItemIndex(), request, fields, resource, existing, chosen };
}

/** The option Match Fields, unless it says what the node would do without it. */
function chosenMatchFields(
	context: IExecutePaginationFunctions,
	{ matchFields = [] }: Resource,
): string[] | undefined {
	const names = namesIn(readOptions(context).matchFields);
	return names.length === 0 || names.join() === matchFields.join() ? undefined : names;
}

/**
 * @param otherwise what else the user can do, as the end of a sentence
 * @throws InputError for a row that can't be told from others
 */
export function assertMatchable(
	fields: JsonObject,
	matchFields: string[],
	otherwise: string,
): void {
	if (matchKeyOf(fields, matchFields) !== undefined) return;
	const names = matchFields.join(', ');
	throw new InputError(
		`The row has no value in any match field${names && `: ${names}`}`,
		`Fill these columns, change the option Match Fields, or ${otherwise}.`,
	);
}

/** @throws InputError for a chosen match field that no record has */
function assertKnown(
	{ noun }: ServiceRequest,
	{ seen }: Existing,
	matchFields: string[],
	otherwise: string,
): void {
	const unknown = matchFields.filter((field) => !seen.has(field));
	if (seen.size === 0 || unknown.length === 0) return;
	const fields = [...seen];
	const more = fields.length > MAX_NAMES ? ', …' : '';
	throw new InputError(
		`None of the existing ${noun}s has a field "${unknown[0]}"`,
		`Without it, the node cannot recognize them. They have: ${fields.slice(0, MAX_NAMES).join(', ')}${more}. Change the option Match Fields, or ${otherwise}.`,
	);
}

/** A record that may be what a row would create. */
export class SimilarExists extends InputError {
	/** @param advice what to do where it is the same record, and where it is another one */
	constructor({ noun }: ServiceRequest, record: JsonObject, matchFields: string[], advice: string) {
		const [text] = matchFields.map((field) => record[field]).filter(Boolean);
		const id = idOf(record);
		super(
			`A similar ${noun} already exists: ${JSON.stringify(text ?? null).slice(0, MAX_TEXT)}${id === undefined ? '' : ` (ID ${id})`}`,
			`This row was not sent. ${advice}`,
		);
	}
}
