import { NOT_IN_SHEETS, SET_BY_SERVICE } from '../../resources';
import { listed, sentences } from '../../text/words';
import type { Explained } from '../item';
import { columnsRead, expressionOf, isExpression } from '../read/expressions';
import type { Row } from '../read/row';
import { cleanHeading, headingKey } from '../read/sheet';
import type { AccountFields } from './fields';

// Automatic mapping: which columns are sent, and the question about the others.

/** How many names a message lists. */
const MAX_NAMES = 20;
/** The longest text to be pasted (characters): n8n shows no more than 2,000 of an advice. */
const MAX_PASTED = 1_200;

/** A column that is sent, and the field that it means. */
interface SentColumn {
	heading: string;
	field: string;
}

/** The filled columns of a run, and the questions about them. */
export interface SheetColumns {
	sent: SentColumn[];
	/** Columns that are compared and not sent, such as an `id` among the match fields. */
	compared: SentColumn[];
	/** The match fields that the user has chosen, by the names of the fields. */
	matchFields: string[];
	/** The run stops if there are any. */
	questions: Explained[];
	/** Remarks that become hints. */
	notes: string[];
}

/** By the keys of their headings. */
const OF_SERVICE = new Map(SET_BY_SERVICE.map((name) => [headingKey(name), name]));
const OF_ROW = new Set(NOT_IN_SHEETS.map(headingKey));

/** Sorts the filled columns of a run: they are sent, left out, or asked about. */
export function columnsOf(row: Row, account: AccountFields): SheetColumns {
	const { sheet, excluded, ignoresExtraColumns, matchFields } = row;
	const { isAutomatic, added } = row.mapping;
	// Two headings may be alike: the one that is named to the letter is meant.
	const left = new Set(excluded.flatMap((name) => (sheet.has(name) ? [name] : sheet.like(name))));
	const matched = new Map(matchFields.map((name) => [headingKey(name), name]));
	const ofAdded = new Set(added.flatMap(({ reads }) => reads));
	// A row without a location is refused anyway, so a heading that is like its column is meant.
	const ofLocation = new Set(columnsRead(expressionOf(row, 'locationId')).map(headingKey));
	const isUsed = (heading: string) => ofAdded.has(heading) || ofLocation.has(headingKey(heading));
	// A column of the same name is never sent, not even in a row where the additional field is blank.
	const replaced = new Set(added.map(({ field }) => headingKey(field)));
	const sent: SentColumn[] = [];
	const compared: SentColumn[] = [];
	const unknown: string[] = [];
	for (const heading of isAutomatic ? sheet.ownColumns : []) {
		const key = headingKey(heading);
		if (left.has(heading) || replaced.has(key)) continue;
		const field = account.fieldFor(key);
		const ofService = OF_SERVICE.get(key);
		const match = matched.get(key);
		if (ofService === undefined && field !== undefined) sent.push({ heading, field });
		else if (match !== undefined) compared.push({ heading, field: ofService ?? match });
		else if (ofService === undefined && !isUsed(heading)) unknown.push(cleanHeading(heading));
	}
	const misspelled = excluded.filter((name) => sheet.like(name).length === 0);
	const isAsked = unknown.length > 0 && !ignoresExtraColumns;
	return {
		...{ sent, compared },
		matchFields: matchFields.map((name) => {
			const key = headingKey(name);
			return account.fieldFor(key) ?? OF_SERVICE.get(key) ?? name;
		}),
		questions: [
			...doubles([...sent, ...compared]),
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

/** "None of the 15 content posts read shows" */
export const noneShows = ({ count }: AccountFields, noun: string): string =>
	count === 1 ? `The only ${noun} read does not show` : `None of the ${count} ${noun}s read shows`;

/** The questions about two columns for one field. */
function doubles(sent: SentColumn[]): Explained[] {
	const byField = new Map<string, string[]>();
	for (const { heading, field } of sent)
		byField.set(field, [...(byField.get(field) ?? []), heading]);
	return [...byField].flatMap(([field, headings]) => {
		if (headings.length < 2) return [];
		// The option reads names without the white space around them.
		const canBeNamed = new Set(headings.map((heading) => heading.trim())).size > 1;
		return {
			message: `Two columns are meant for ${field}: ${headings.join(', ')}`,
			description: canBeNamed
				? "Rename the one that is not, or name it, just as it is written, in the option 'Exclude Columns'."
				: 'Rename the one that is not.',
		};
	});
}

/** True for a heading that the option Exclude Columns can name: names stand between commas, and no expression is one. */
const canBeNamed = (heading: string): boolean => !heading.includes(',') && !heading.startsWith('=');

function unknownColumns(
	row: Row,
	account: AccountFields,
	unknown: string[],
	misspelled: string[],
): Explained {
	const { resource, excluded, sheet, request } = row;
	const { noun } = resource;
	// Then all rows are of one location, whatever a column says.
	const isOfOne =
		request.ids.locationId !== undefined && !isExpression(expressionOf(row, 'locationId'));
	const named = unknown.filter(canBeNamed);
	const all = [...excluded.filter((name) => !misspelled.includes(name)), ...named].join(', ');
	const isPasted = named.length === unknown.length && all.length <= MAX_PASTED;
	const { count } = account;
	const ofRow = unknown.filter((name) => OF_ROW.has(headingKey(name)));
	const fields = listed(account.names, MAX_NAMES);
	return {
		message: `Your sheet has columns that are no field of a ${noun}: ${listed(unknown, MAX_NAMES)}`,
		description: sentences(
			count > 0
				? `${noneShows(account, noun)} ${unknown.length === 1 ? 'it' : 'them'}`
				: `There are no ${noun}s yet, so only the usual fields are known`,
			sheet.headings.length === 1 &&
				"If that is a whole row of a file, add the option 'Delimiter' in the step that extracts the rows",
			isOfOne && "If one of them says the location of its row, drag it onto 'Location'",
			isPasted
				? `To leave them out, name them in the option 'Exclude Columns': ${all}`
				: "To leave them out, turn on the option 'Ignore Extra Columns', since a name with a comma or an equals sign, or so many of them, can't be named in 'Exclude Columns'",
			`If one is meant, rename it (${fields})`,
			ofRow.length > 0 &&
				`Rows are sent whatever '${ofRow.join(', ')}' says: filter them before this node`,
			misspelled.length > 0 &&
				`'Exclude Columns' names ${listed(misspelled, MAX_NAMES)}, which no row has`,
		),
	};
}
