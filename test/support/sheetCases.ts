import type { Location } from '../../dev/sandbox/records';

/** What happens to a row without and with Dry Run, as the examples write it beside the row. */
const FATES = {
	new: ['posted', 'checked: would be posted'],
	there: ['already there', 'checked: already there'],
	wrong: ['not posted', 'invalid'],
} as const;

interface SheetCase {
	name: string;
	rows: Array<keyof typeof FATES>;
}

/** Sheets that every example that posts is tried on, with Dry Run on and off. */
export const SHEET_CASES: SheetCase[] = [
	{ name: 'no rows', rows: [] },
	{ name: 'nothing that can be posted', rows: ['wrong', 'wrong'] },
	{ name: 'an invalid row, and one that is there already', rows: ['new', 'wrong', 'there', 'new'] },
];

/** The rows of a case below `location_id`, `title` and `content`, and what they should come to. */
export function sheetOf(
	{ name, rows }: SheetCase,
	isDryRun: boolean,
	{ id }: Pick<Location, 'id'>,
	known: { title?: unknown; content?: unknown },
) {
	const cells = rows.map((fate, index) => [
		fate === 'wrong' ? 'loc_nowhere' : id,
		...(fate === 'there'
			? [`${known.title}`, `${known.content}`]
			: [`${name}, ${isDryRun ? 'checked' : 'posted'}, row ${index + 1}`, 'From 8 to 12.']),
	]);
	return {
		cells,
		statuses: rows.map((fate) => FATES[fate][Number(isDryRun)]),
		posts: isDryRun ? 0 : rows.filter((fate) => fate === 'new').length,
	};
}
