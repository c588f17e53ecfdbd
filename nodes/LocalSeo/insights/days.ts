import { toPath } from 'lodash';

import { isEmpty } from '../client';
import { InputError } from '../text/inputError';
import { asValue } from '../text/words';
import { readDate, readFormatted, saysDay } from './dates';

/** The members that hold a date without the option Days, the finest first. */
const DATE_NAMES = ['date', 'day', 'week', 'month'];
/** Those of them that may hold a day in digits or parts. */
const DAY_NAMES = ['date', 'day'];
const FORMATS = ['auto', 'seconds', 'milliseconds'];

/** Where the dates of a response are, and how they are written. */
export class Days {
	/**
	 * @param list the names around the list of days, joined by dots; empty: anywhere
	 * @param date the path of the date within an entry; empty: `date`, `day`, `week` or `month`
	 */
	constructor(
		private readonly list = '',
		private readonly date = '',
		private readonly format = 'auto',
	) {}

	/** True if the user has named something. */
	get isSet(): boolean {
		return this.list !== '' || this.date !== '' || this.format !== 'auto';
	}

	/** True if the names of members may be dates: the user has named no other. */
	get mayBeNames(): boolean {
		return this.date === '';
	}

	/** The paths at which an entry may have its date. */
	get paths(): string[][] {
		return this.date === '' ? DATE_NAMES.map((name) => [name]) : [[this.date], toPath(this.date)];
	}

	/** True for what stands at the list of the user, or in it. */
	includes(names: string[]): boolean {
		return this.list === '' || `${names.join('.')}.`.startsWith(`${this.list}.`);
	}

	/** A date as ISO text; undefined for what is none. */
	read(value: unknown, name: string): string | undefined {
		if (this.format !== 'auto') return readFormatted(value, this.format);
		return readDate(value, this.date !== '' || DAY_NAMES.includes(name));
	}
}

/**
 * The option Days as n8n provides it; expressions may give anything.
 *
 * @throws InputError for a format that does not make a day
 */
export function readDays(option: unknown): Days {
	const { read } = Object(option) as { read?: Record<string, unknown> };
	const [list, date, format] = ['list', 'date', 'format'].map((name) =>
		isEmpty(read?.[name]) ? '' : String(read?.[name]).trim(),
	);
	if (format !== '' && !FORMATS.includes(format) && !saysDay(format)) {
		throw new InputError(
			`The format ${asValue(format)} in 'Days' has no year, month and day`,
			'Enter auto, seconds, milliseconds, or a format of Luxon, such as M/d/yyyy or dd.MM.yyyy.',
		);
	}
	return new Days(list, date, format || 'auto');
}
