import { type JsonObject, keyOf, type Matching } from '../../client';
import { InputError } from '../../text/inputError';
import { capitalized, listed } from '../../text/words';
import type { Existing } from '../learn/existing';
import type { Row } from '../read/row';
import type { Draft } from './plan';
import { MAX_RECORDS, OTHERWISE } from './questions';

/** Names of fields that a message shows. */
const MAX_NAMES = 10;

/** The fields by which the record of a row is found again: those that the row fills. */
export function matchingOf(
	{ resource, publishTime, zone }: Row,
	chosen: string[],
	fields: JsonObject,
): Matching {
	const { matchFields = [], isSearchTerm: isTerm, isPermanent } = resource;
	const usual = publishTime === undefined ? matchFields : [...matchFields, publishTime];
	const names = chosen.length > 0 ? chosen : usual;
	// A service may fill in what a row leaves blank: compared, the row would be new in every run.
	const isCompared = (name: string) => isPermanent === true || keyOf(fields[name]) !== '';
	return { fields: names.filter(isCompared), time: publishTime, zone, isTerm, isPermanent };
}

/** @throws InputError for a row that can't be told from others, and for a match field that no record shows */
export function assertComparable(
	{ row, fields, matching }: Draft,
	existing: Existing,
	chosen: string[],
	shown: ReadonlySet<string>,
): void {
	const { noun } = row.resource;
	const isChosen = row.matchFields.length > 0;
	const names = matching.fields.filter((name) => isChosen || name !== matching.time);
	if (!names.some((name) => keyOf(fields[name]) !== '')) {
		const all = isChosen ? row.matchFields : (row.resource.matchFields ?? []);
		throw new InputError(
			`The row has no value in any match field: ${all.join(', ')}`,
			`Fill these columns, change the option 'Match Fields', or ${OTHERWISE[kindOf(row)]}.`,
		);
	}
	// Compared without it, a new post could count as one that exists.
	const blank = chosen.find((name) => keyOf(fields[name]) === '');
	if (blank !== undefined && !row.resource.isPermanent) {
		throw new InputError(
			`The row has no value in ${blank}, which 'Match Fields' names`,
			`Fill it, name only fields that every row fills, or ${OTHERWISE[kindOf(row)]}.`,
		);
	}
	if (existing.count === 0) return;
	// One list may lack a field that the others of the run show.
	const isUnknown = (field: string) => !existing.seen.has(field) && !shown.has(field);
	// To name the field of the time is to vouch for it.
	const isVouched = (field: string) => field === matching.time && row.isPublishTimeChosen;
	const unknown = matching.fields.filter((field) => isUnknown(field) && !isVouched(field));
	if (unknown.length === 0) return;
	throw new InputError(
		`None of the existing ${noun}s shows ${listed(unknown, MAX_NAMES, ' or ')}`,
		`Without ${unknown.length === 1 ? 'it' : 'them'}, the node cannot recognize what exists already. They show: ${listed([...existing.seen], MAX_NAMES) || 'no fields'}. Name fields that they show in the option 'Match Fields', or ${OTHERWISE[kindOf(row)]}.`,
	);
}

/** @throws InputError for a new record that would not be recognized again: in every run, it would be created */
export function assertRecognizable({ row, request, fields, matching }: Draft): void {
	const { noun, isPermanent } = row.resource;
	const body = request.body as JsonObject;
	const unsent = matching.fields.find((name) => keyOf(fields[name]) !== '' && !(name in body));
	if (unsent !== undefined) {
		throw new InputError(
			`No ${noun} has the ${unsent === 'id' ? 'ID' : unsent} ${JSON.stringify(fields[unsent])}`,
			`${unsent} is not sent, so a new ${noun} would not be recognized by it, and created again in every run. Correct it, name other fields in the option 'Match Fields', or ${OTHERWISE[kindOf(row)]}.`,
		);
	}
	const blank = matching.fields.find((name) => keyOf(fields[name]) === '');
	if (!isPermanent || row.matchFields.length > 0 || blank === undefined) return;
	throw new InputError(
		`The row has no value in ${blank}`,
		`${capitalized(noun)}s are told apart by ${listed(matching.fields, MAX_RECORDS, ' and ')}, and can't be deleted here. Fill it, or name the fields that tell yours apart in the option 'Match Fields'.`,
	);
}

const kindOf = ({ ifExists }: Row): keyof typeof OTHERWISE =>
	ifExists === 'update' ? 'update' : 'skip';
