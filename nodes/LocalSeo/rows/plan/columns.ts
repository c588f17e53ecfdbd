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
	/** Columns that are no field, and not excluded. */
	unsent: string[];
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
	// A heading may have commas, which separate names.
	const keys = new Set(excluded.map(headingKey));
	const parts = sheet.headings
		.filter((heading) => heading.includes(','))
		.map((heading) => ({ heading, keys: heading.split(',').map(headingKey).filter(Boolean) }))
		.filter((one) => one.keys.every((key) => keys.has(key)));
	for (const { heading } of parts) left.add(heading);
	const matched = new Map(matchFields.map((name) => [headingKey(name), name]));
	// A column that Location or Additional Fields read is used, if it is no field. A row whose location is not
	// found is refused anyway, so a heading that is like its column is meant.
	const ofLocation = columnsRead(expressionOf(row, 'locationId')).map(headingKey);
	const ofAdded = added.flatMap(({ expression }) => columnsRead(expression));
	const isUsed = (heading: string) =>
		ofAdded.includes(heading) || ofLocation.includes(headingKey(heading));
	const addedFields = new Map(added.map(({ field }) => [headingKey(field), field]));
	const sent: SentColumn[] = [];
	const compared: SentColumn[] = [];
	const unknown: string[] = [];
	for (const heading of isAutomatic ? sheet.ownColumns : []) {
		if (left.has(heading)) continue;
		const key = headingKey(heading);
		const field = account.fieldFor(key);
		const ofService = OF_SERVICE.get(key);
		const match = matched.get(key);
		// An additional field that is blank in a row leaves the row its own column.
		const sentAs = field ?? addedFields.get(key);
		if (ofService === undefined && sentAs !== undefined) sent.push({ heading, field: sentAs });
		else if (match !== undefined) compared.push({ heading, field: ofService ?? match });
		else if (ofService === undefined && !isUsed(heading)) {
			unknown.push(cleanHeading(heading));
		}
	}
	const isPart = (name: string) => parts.some((one) => one.keys.includes(headingKey(name)));
	const misspelled = excluded.filter((name) => sheet.like(name).length === 0 && !isPart(name));
	const isAsked = unknown.length > 0 && !ignoresExtraColumns;
	return {
		...{ sent, compared, unsent: unknown },
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
		// The option reads names without the white space around them.
		const canBeNamed = new Set(headings.map((heading) => heading.trim())).size > 1;
		return {
			message: `Two columns are meant for ${field}: ${headings.join(', ')}`,
			description: canBeNamed
				? "Rename the one that is meant otherwise, or name it, just as it is written, in the option 'Exclude Columns'."
				: 'Rename the one that is meant otherwise.',
		};
	});
}

function unknownColumns(
	{ resource, excluded, sheet, publishTime }: Row,
	account: AccountFields,
	unknown: string[],
	misspelled: string[],
): Explained {
	const { noun } = resource;
	// The time to publish must not be left out by a pasted text.
	const times = [publishTime, resource.publishTime].map((name) => headingKey(name ?? ''));
	const pasted = unknown.filter((name) => !times.includes(headingKey(name)));
	const all = [...excluded.filter((name) => !misspelled.includes(name)), ...pasted].join(', ');
	const canBePasted = pasted.length > 0 && all.length <= MAX_PASTED;
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
			...(pasted.length > 0
				? [
						`To leave out the others, add the option 'Ignore Extra Columns'${canBePasted ? `, or name them in 'Exclude Columns': ${all}` : ''}.`,
					]
				: []),
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
