import { NOT_IN_SHEETS, SET_BY_SERVICE } from '../../resources';
import { listed, sentences } from '../../text/words';
import type { Explained } from '../item';
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
	const { sheet, excluded, ignoresExtraColumns, matchFields, mapping } = row;
	// Two headings may be alike: the one that is named to the letter is meant.
	const left = new Set(excluded.flatMap((name) => (sheet.has(name) ? [name] : sheet.like(name))));
	const matched = new Map(matchFields.map((name) => [headingKey(name), name]));
	// What Location and Additional Fields read or replace is used, if it is no field.
	const added = mapping?.added ?? [];
	const expressions = [expressionOf(row, 'locationId'), ...added.map((one) => one.expression)];
	const used = new Set(
		[...expressions.flatMap(columnsRead), ...added.map(({ field }) => field)].map(headingKey),
	);
	const sent: SentColumn[] = [];
	const compared: SentColumn[] = [];
	const unknown: string[] = [];
	for (const heading of mapping?.isAutomatic ? sheet.ownColumns : []) {
		if (left.has(heading)) continue;
		const key = headingKey(heading);
		const field = account.fieldFor(key);
		const ofService = OF_SERVICE.get(key);
		const match = matched.get(key);
		if (field !== undefined) sent.push({ heading, field });
		else if (match !== undefined) compared.push({ heading, field: ofService ?? match });
		else if (ofService === undefined && !used.has(key)) unknown.push(cleanHeading(heading));
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
		return {
			message: `Two columns are meant for ${field}: ${headings.join(', ')}`,
			description: `Rename the one that is meant otherwise, or name it, just as it is written, in the option 'Exclude Columns'.`,
		};
	});
}

function unknownColumns(
	{ resource: { noun }, excluded, sheet, publishTime }: Row,
	account: AccountFields,
	unknown: string[],
	misspelled: string[],
): Explained {
	// The time to publish must not be left out by a pasted text.
	const pasted = unknown.filter((name) => headingKey(name) !== headingKey(publishTime ?? ''));
	const all = [...excluded.filter((name) => !misspelled.includes(name)), ...pasted].join(', ');
	const known = listed(account.names, MAX_NAMES);
	const isOfRow = (name: string) => OF_ROW.has(headingKey(name));
	const ofRow = unknown.filter(isOfRow);
	const others = unknown.filter((name) => !isOfRow(name));
	return {
		message: sentences(
			others.length > 0 &&
				(account.count > 0
					? `${noneShows(account, noun)} these columns: ${listed(others, MAX_NAMES)}`
					: `There are no ${noun}s yet, and these columns are not among the usual fields: ${listed(others, MAX_NAMES)}`),
			ofRow.length > 0 &&
				`Automatic mapping does not send these columns: ${listed(ofRow, MAX_NAMES)}`,
		).replace(/\.$/, ''),
		description: [
			...(sheet.headings.length === 1
				? [
						"If that is a whole row of a file, add the option 'Delimiter' in the step that extracts the rows.",
					]
				: []),
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
