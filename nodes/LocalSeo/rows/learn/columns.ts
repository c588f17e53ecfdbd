import { NOT_IN_SHEETS, SET_BY_SERVICE } from '../../resources';
import { listed, sentences } from '../../text/words';
import { Question } from '../outcome';
import { columnsRead, expressionOf } from '../read/expressions';
import type { Row } from '../read/row';
import { cleanHeading, headingKey } from '../read/sheet';
import type { AccountFields } from './fields';

// Automatic mapping: which columns are sent, and the question about the others.

/** How many names a message lists. */
const MAX_NAMES = 20;

/** A column that is sent, and the field that it means. */
interface SentColumn {
	heading: string;
	field: string;
}

/** The filled columns of a run, and the questions about them. */
export interface SheetColumns {
	sent: SentColumn[];
	/** The match fields that the user has chosen, by the names of the fields. */
	matchFields: string[];
	/** The run stops if there are any. */
	questions: Question[];
	/** Remarks that become hints. */
	notes: string[];
}

const OF_SERVICE = new Set(SET_BY_SERVICE.map(headingKey));
const OF_ROW = new Set(NOT_IN_SHEETS.map(headingKey));

/** Sorts the filled columns of a run: they are sent, left out, or asked about. */
export function columnsOf(row: Row, account: AccountFields): SheetColumns {
	const { sheet, excluded, ignoresExtraColumns } = row;
	const { isAutomatic, added } = row.mapping;
	// Two headings may be alike: the one that is named to the letter is meant.
	const left = new Set(excluded.flatMap((name) => (sheet.has(name) ? [name] : sheet.like(name))));
	const ofAdded = new Set(added.flatMap(({ reads }) => reads));
	// A row without a location is refused anyway, so a heading that is like its column is meant.
	const ofLocation = new Set(columnsRead(expressionOf(row, 'locationId')).map(headingKey));
	const isUsed = (heading: string) => ofAdded.has(heading) || ofLocation.has(headingKey(heading));
	// A column of the same name is never sent, not even in a row where the additional field is blank.
	const replaced = new Set(added.map(({ field }) => headingKey(field)));
	const sent: SentColumn[] = [];
	const unknown: string[] = [];
	for (const heading of isAutomatic ? sheet.ownColumns : []) {
		const key = headingKey(heading);
		if (left.has(heading) || replaced.has(key) || OF_SERVICE.has(key)) continue;
		const field = account.fieldFor(key);
		if (field !== undefined) sent.push({ heading, field });
		else if (!isUsed(heading)) unknown.push(cleanHeading(heading));
	}
	const isAsked = unknown.length > 0 && !ignoresExtraColumns;
	return {
		sent,
		matchFields: row.matchFields.map((name) => account.fieldNamed(name)),
		questions: [
			...doubles(sent),
			...(isAsked ? [unknownColumns(row, account, sent, unknown)] : []),
		],
		notes:
			unknown.length > 0 && !isAsked
				? [`Columns that were not sent: ${listed(unknown, MAX_NAMES)}.`]
				: [],
	};
}

/** The questions about two columns for one field. */
function doubles(sent: SentColumn[]): Question[] {
	const byField = new Map<string, string[]>();
	for (const { heading, field } of sent)
		byField.set(field, [...(byField.get(field) ?? []), heading]);
	return [...byField].flatMap(([field, headings]) => {
		if (headings.length < 2) return [];
		return new Question(
			`Two columns are meant for ${field}: ${headings.join(', ')}`,
			'Rename the one that is not.',
		);
	});
}

function unknownColumns(
	{ resource: { noun }, sheet }: Row,
	{ names }: AccountFields,
	sent: SentColumn[],
	unknown: string[],
): Question {
	const ofRow = unknown.find((name) => OF_ROW.has(headingKey(name)));
	const isNameable = unknown.every((name) => !name.includes(',') && !name.startsWith('='));
	const fields = listed(names, MAX_NAMES);
	const way =
		sheet.headings.length === 1
			? "If that is a whole row of a file, add the option 'Delimiter' in the step that extracts the rows"
			: sent.length === 0
				? `None of yours is a field, so choose 'Map Each Column Manually' under Fields: ${fields}`
				: isNameable
					? `To leave them out, paste this into the option 'Exclude Columns': ${unknown.join(', ')}`
					: "To leave them out, turn on the option 'Ignore Extra Columns'";
	return new Question(
		`Your sheet has columns that are no field of a ${noun}: ${listed(unknown, MAX_NAMES)}`,
		sentences(
			way,
			sent.length > 0 && `If one is meant, rename it: ${fields}`,
			ofRow !== undefined && `Rows are sent whatever '${ofRow}' says`,
		),
	);
}
