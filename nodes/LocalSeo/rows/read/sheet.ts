import isPlainObject from 'lodash/isPlainObject';

import { type JsonObject, UNSEEN } from '../../client';
import { listed } from '../../text/words';
import type { Item } from '../item';
import { isBlank } from './cells';

/** How many headings a message lists. */
const MAX_NAMES = 10;
const IGNORED = new RegExp(`[\\s_${UNSEEN}-]+`, 'g');
const BLANK_AROUND = new RegExp(`^[\\s${UNSEEN}]+|[\\s${UNSEEN}]+$`, 'g');
const BYTE_ORDER_MARK = '\uFEFF';
/** As n8n's nodes for files and for Google Sheets name a column without a heading. */
const NAMELESS = /^(?:__EMPTY(?:_\d+)?|col_\d+)?$/;
/** Columns that n8n's own nodes add to the rows of a sheet, a form or a base. */
const OF_N8N = ['row_number', 'submittedAt', 'formMode', 'createdTime'];

/** Two headings are one without case, white space, `_` and `-`: `Publish At`, `publishAt`, `publish_at`. */
export function headingKey(heading: string): string {
	return heading.normalize('NFKC').replace(IGNORED, '').toLowerCase();
}

/** A heading without what nobody sees around it, such as a byte order mark. */
export function cleanHeading(heading: string): string {
	return heading.replace(BLANK_AROUND, '');
}

/** All rows of a run: what no row shows by itself. */
export class Sheet {
	/** The headings of all rows: files are read without their empty cells. */
	readonly headings: string[];
	/** The headings below which some row has a value. */
	private readonly filledOnes = new Set<string>();
	private readonly byKey = new Map<string, string[]>();

	constructor(
		private readonly rows: Array<Pick<Item, 'json'>>,
		/** False for what one of their columns holds. */
		private readonly isWhole = true,
	) {
		const all = new Set<string>();
		for (const { json } of rows) {
			for (const [heading, cell] of Object.entries(json)) {
				all.add(heading);
				if (!this.filledOnes.has(heading) && !isBlank(cell)) this.filledOnes.add(heading);
			}
		}
		this.headings = [...all];
		for (const heading of this.headings) {
			const key = headingKey(heading);
			this.byKey.set(key, [...(this.byKey.get(key) ?? []), heading]);
		}
	}

	has(heading: string): boolean {
		return this.headings.includes(heading);
	}

	/** The headings that people take for this one. */
	like(heading: string): string[] {
		return this.byKey.get(headingKey(heading)) ?? [];
	}

	/** The filled columns that a person has made: they have a heading, and n8n did not add them. */
	get ownColumns(): string[] {
		return this.headings.filter((heading) => {
			const name = cleanHeading(heading);
			return this.filledOnes.has(heading) && !NAMELESS.test(name) && !OF_N8N.includes(name);
		});
	}

	/** A column, or a member of one, that no row has, and the beginning of an advice; undefined if one has it. */
	missing([column, ...below]: string[]): { name: string; advice: string } | undefined {
		if (!this.has(column)) return { name: column, advice: this.insteadOf(column) };
		const inside = this.rows.map(({ json }) => json[column]).filter((one) => isPlainObject(one));
		if (below.length === 0 || inside.length === 0) return undefined;
		const inner = new Sheet(
			inside.map((json) => ({ json: json as JsonObject })),
			false,
		).missing(below);
		return inner && { ...inner, name: `${column}.${inner.name}` };
	}

	/** Says what may be meant by a column that no row has; the beginning of an advice. */
	insteadOf(column: string): string {
		const names = this.headings.map(cleanHeading).filter((name) => !NAMELESS.test(name));
		const [like] = this.like(column);
		if (like?.startsWith(BYTE_ORDER_MARK)) {
			return `The file begins with a byte order mark, which is now part of the heading "${cleanHeading(like)}". In the step that extracts the rows, add the option 'Exclude Byte Order Mark (BOM)'.`;
		}
		if (like !== undefined) {
			const isSpaced = cleanHeading(like) === cleanHeading(column);
			return `There is "${like}"${isSpaced ? ', with white space around its name' : ''}.`;
		}
		if (names.length === 0) return '';
		const isOne = this.isWhole && this.headings.length === 1;
		return (
			`There are: ${listed(names, MAX_NAMES)}.` +
			(isOne
				? " If that is a whole row of a file, add the option 'Delimiter' in the step that extracts the rows."
				: '')
		);
	}
}

const sheets = new WeakMap<object, Sheet>();

/** The sheet that some rows make. */
export function sheetOf(rows: Item[]): Sheet {
	const sheet = sheets.get(rows) ?? new Sheet(rows);
	sheets.set(rows, sheet);
	return sheet;
}
