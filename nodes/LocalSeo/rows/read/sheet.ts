import { ordersIn, UNSEEN } from '../../client';
import { InputError } from '../../text/inputError';
import { listed } from '../../text/words';
import type { Item } from '../item';
import { isBlank, onlyTimeOf } from './cells';

const BLANK = new RegExp(`[\\s${UNSEEN}]+`, 'g');
const BLANK_AROUND = new RegExp(`^[\\s${UNSEEN}]+|[\\s${UNSEEN}]+$`, 'g');
/** As Excel names a column without a heading, and the second of two with the same one. */
const NAMELESS = /^(__EMPTY(_\d+)?)?$/;
/** The separators of columns beside the comma, and their names in messages. */
const SEPARATORS = { ';': 'semicolons', '\t': 'tabs', '|': 'vertical bars' };
/** How many headings a message lists. */
const MAX_NAMES = 10;

/** A heading without what people write differently: `Publish At`, `publishAt` and `publish_at` are one. */
export function headingKey(heading: string): string {
	return heading.normalize('NFKC').replace(BLANK, '').replace(/[_-]/g, '').toLowerCase();
}

/** The one of some names that people take for a heading: itself, or one that they write otherwise. */
export function likeHeading(heading: string, names: string[]): string | undefined {
	if (names.includes(heading)) return heading;
	const key = headingKey(heading);
	return names.find((name) => headingKey(name) === key);
}

/** A heading without what nobody sees around it. */
function cleanHeading(heading: string): string {
	return heading.replace(BLANK_AROUND, '');
}

/** Whether a column has no heading, as the index that a program exports. */
function isNameless(heading: string): boolean {
	return NAMELESS.test(cleanHeading(heading));
}

/** Headings by the names of the fields that they are sent as. */
export type Headings = Map<string, string>;

/** All rows of a run: what no row shows by itself. */
export class Sheet {
	/** The headings of all rows: files are read without their empty cells. */
	readonly headings: string[];
	/** The name of its separator where n8n has read them as one; undefined elsewhere. */
	readonly separator?: string;
	private readonly byKey = new Map<string, string[]>();
	/** By node, too: the same rows may go to several. */
	private readonly fieldNamesOf = new Map<string, Headings>();
	private readonly orders = new Map<string, ReturnType<typeof ordersIn>>();

	constructor(private readonly rows: Item[]) {
		this.headings = [...new Set(rows.flatMap(({ json }) => Object.keys(json)))];
		for (const heading of this.headings) {
			const key = headingKey(heading);
			this.byKey.set(key, [...(this.byKey.get(key) ?? []), heading]);
		}
		if (this.headings.length === 1) this.separator = separatorIn(this.headings[0]);
	}

	get size(): number {
		return this.rows.length;
	}

	has(heading: string): boolean {
		return this.headings.includes(heading);
	}

	/** The headings that people take for this one. */
	like(heading: string): string[] {
		return this.byKey.get(headingKey(heading)) ?? [];
	}

	/**
	 * The columns that automatic mapping may send. A heading that people write otherwise, `Publish At`, is
	 * the field that the node knows, where no other column is called so; but `Status` is not: many keep
	 * notes of their own there.
	 */
	fieldNames(node: string, fields: string[]): Headings {
		const known = this.fieldNamesOf.get(node);
		if (known) return known;
		const headings = this.headings.filter((heading) => !isNameless(heading));
		const clean = new Set(headings.map(cleanHeading));
		const byKey = new Map([...fields].reverse().map((id) => [headingKey(id), id]));
		const made: Headings = new Map();
		for (const heading of headings) {
			const own = cleanHeading(heading);
			const key = headingKey(heading);
			if (key === 'status' && own !== 'status') continue;
			const field = byKey.get(key);
			const name = field !== undefined && !clean.has(field) ? field : own;
			// Two columns that differ in what nobody sees each keep their heading.
			made.set(made.has(name) ? heading : name, heading);
		}
		this.fieldNamesOf.set(node, made);
		return made;
	}

	/** Whether a column has more than one value. */
	hasSeveral(heading: string): boolean {
		const values = this.valuesIn(heading).filter((value) => !isBlank(value));
		return values.some((value) => value !== values[0]);
	}

	/** The values of a column, without those that are missing. */
	valuesIn(heading: string): unknown[] {
		return this.rows.map(({ json }) => json[heading]).filter((value) => value !== undefined);
	}

	/** Finds whether day or month comes first in the dates of some columns (`ordersIn`). */
	ordersIn(headings: string[]): ReturnType<typeof ordersIn> {
		const key = JSON.stringify(headings);
		const cells = () => headings.flatMap((one) => this.valuesIn(one)).map(onlyTimeOf);
		const known = this.orders.get(key) ?? ordersIn(cells());
		this.orders.set(key, known);
		return known;
	}
}

function separatorIn(heading: string): string | undefined {
	const found = Object.entries(SEPARATORS).find(([sign]) => heading.includes(sign));
	return found?.[1];
}

const sheets = new WeakMap<object, Sheet>();

/** The sheet that some rows make, as far as the run has it. */
export function sheetOf(rows: Item[]): Sheet {
	const sheet = sheets.get(rows) ?? new Sheet(rows);
	sheets.set(rows, sheet);
	return sheet;
}

/** The words for a file whose columns n8n has read as one. */
export const unseparated = (separator: string) =>
	`The columns of the file are separated by ${separator}`;
export const ADD_DELIMITER =
	'In the step that extracts the rows, add the option Delimiter and enter that character.';

/** @throws InputError if n8n has read all columns of a file as one */
export function refuseUnseparated({ separator }: Sheet): void {
	if (separator === undefined) return;
	const why = 'Nothing was sent: n8n has read them as one column.';
	throw new InputError(unseparated(separator), `${why} ${ADD_DELIMITER}`);
}

/** Where a column that an expression reads may be meant to be, for a message. */
export function whereElse(sheet: Sheet, column: string): string {
	const [like] = sheet.like(column);
	if (like === undefined) {
		const names = sheet.headings.filter((heading) => !isNameless(heading));
		return names.length === 0 ? '' : `There are: ${listed(names, MAX_NAMES)}. `;
	}
	const isUnseen = cleanHeading(like) === cleanHeading(column);
	return `There is "${cleanHeading(like)}"${isUnseen ? ', with an invisible character before or after its name' : ''}. `;
}
