import { listed } from '../../text/words';
import type { Explained } from '../item';
import { columnsRead, expressionOf } from '../read/expressions';
import type { Row } from '../read/row';
import { cleanHeading, headingKey } from '../read/sheet';
import { NOT_IN_SHEETS, SET_BY_SERVICE } from '../../resources';
import type { AccountFields } from './fields';

// Automatic mapping: which columns are sent, and the question about the others.

/** How many names a message lists. */
const MAX_NAMES = 20;

/** A column that is sent, and the field that it means. */
export interface SentColumn {
	heading: string;
	field: string;
}

export interface Columns {
	sent: SentColumn[];
	/** Columns that are compared and not sent, such as an `id` among the match fields. */
	compared: SentColumn[];
	/** What has to be asked about them. */
	questions: Explained[];
	/** What is worth a hint. */
	notes: string[];
}

/** Sorts the filled columns of a run: they are sent, left out, or asked about. */
export function columnsOf(row: Row, account: AccountFields): Columns {
	const { sheet, excluded, ignoresExtraColumns, matchFields } = row;
	const isNamed = (names: string[], heading: string) =>
		names.some((name) => headingKey(name) === headingKey(heading));
	const ofLocation = columnsRead(expressionOf(row, 'locationId'));
	const sent: SentColumn[] = [];
	const compared: SentColumn[] = [];
	const unknown: string[] = [];
	for (const heading of sheet.ownColumns) {
		if (isNamed(excluded, heading)) continue;
		const field = account.fieldFor(heading);
		const ofService = SET_BY_SERVICE.find((name) => isNamed([name], heading));
		if (field !== undefined) sent.push({ heading, field });
		else if (isNamed(matchFields, heading)) compared.push({ heading, field: ofService ?? heading });
		else if (ofService === undefined && !ofLocation.includes(heading)) {
			unknown.push(cleanHeading(heading));
		}
	}
	const misspelled = excluded.filter((name) => sheet.like(name).length === 0);
	const isAsked = unknown.length > 0 && !ignoresExtraColumns;
	return {
		...{ sent, compared },
		questions: [
			...doubles(sent),
			...(isAsked ? [unknownColumns(row, account, unknown, misspelled)] : []),
		],
		notes: [
			...(unknown.length > 0 && !isAsked
				? [`Columns that were not sent: ${listed(unknown, MAX_NAMES)}.`]
				: []),
			...(misspelled.length > 0 && !isAsked
				? [`'Exclude Columns' names columns that no row has: ${listed(misspelled, MAX_NAMES)}.`]
				: []),
		],
	};
}

/** The questions about two columns for one field. */
function doubles(sent: SentColumn[]): Explained[] {
	const byField = new Map<string, string[]>();
	for (const { heading, field } of sent)
		byField.set(field, [...(byField.get(field) ?? []), heading]);
	return [...byField].flatMap(([field, headings]) => {
		if (headings.length < 2) return [];
		return {
			message: `Two columns are meant for ${field}: ${headings.join(', ')}`,
			description: `Name the one to leave out in the option 'Exclude Columns', or rename it.`,
		};
	});
}

function unknownColumns(
	{ resource: { noun }, excluded }: Row,
	account: AccountFields,
	unknown: string[],
	misspelled: string[],
): Explained {
	const names = listed(unknown, MAX_NAMES);
	const all = [...excluded.filter((name) => !misspelled.includes(name)), ...unknown].join(', ');
	const known = listed(account.names, MAX_NAMES);
	const ofRow = unknown.filter((name) => NOT_IN_SHEETS.includes(headingKey(name)));
	return {
		message:
			account.count > 0
				? `None of the ${account.count} ${noun}s read shows these columns: ${names}`
				: `There are no ${noun}s yet, and these columns are not among the usual fields: ${names}`,
		description: [
			`Rename those that are meant (${known}).`,
			`To leave out the others, add the option 'Ignore Extra Columns', or name them in 'Exclude Columns': ${all}.`,
			...(misspelled.length > 0
				? [`'Exclude Columns' names ${listed(misspelled, MAX_NAMES)}, which no row has.`]
				: []),
			...ofRow.map(
				(name) =>
					`Rows are sent whatever '${name}' says: filter them before this node, then name it in 'Exclude Columns'.`,
			),
			`Or set 'Mapping Column Mode' to Map Each Column Manually: other columns are then ignored. To send one all the same, use the option 'Additional Fields'.`,
		].join(' '),
	};
}
