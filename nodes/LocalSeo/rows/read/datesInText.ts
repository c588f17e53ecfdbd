import { isMonthName, monthNamed, weekdaysNamed } from '../../client';

// Cells that say when as people talk: a day with its weekday, a part of the day, and prepositions.

/** The longest text that may be a time (characters). */
const LONGEST_TIME = 60;
/** A date with its year, among other words; no part of a code or of a file's name. */
const DATE_WITHIN = new RegExp(
	String.raw`(?<![\p{L}\d_-])(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{4}|` +
		String.raw`\d{1,2}(?:st|nd|rd|th|\.)?(?: de| of)?[ /-]\p{L}{3,}\.?(?: de)?[ /-]\d{4}|` +
		String.raw`\p{L}{3,}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4})(?![\p{L}\d_-]|\.\p{L})`,
	'u',
);
/** Days without it: with the name of the month, with a dot as in German, or before a time. */
const DAYS_WITHIN = [
	/(?<![\p{L}\d#])\d{1,2}(?:st|nd|rd|th|\.)?(?: de| of)?[ -]\p{L}{3,}(?!-\d)/u,
	/(?<![\p{L}#])\p{L}{3,}\.? \d{1,2}(?:st|nd|rd|th)?(?![\d:])/u,
	/(?<![\d.])(?:(?:1[3-9]|2\d|3[01])\.(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])\.(?:1[3-9]|2\d|3[01]))\.(?!\d)/,
	/(?<![\d/])\d{1,2}(?:\/\d{1,2}|\.\d{1,2}\.),?\s+\P{N}{0,4}\d{1,2}(?:[:h]\d{2}|\s?(?:uhr|h|am|pm))/iu,
];
/** The same, also in numbers alone, which under most headings are fractions, or versions. */
export const ANY_DAY = [...DAYS_WITHIN, /(?<![\d./-])\d{1,2}[./]\d{1,2}\.?(?![\d/-])/];
/** Times, also within one of them. */
const TIMES =
	/\d{1,2}(?::\d{2}){1,2}|\d{1,2}h\d{2}|\d{1,2}(?:\.\d{2})?\s?(?:[ap]\.?m|uhr|uur|u|h)(?!\p{L})|(?:@|(?<!\p{L})(?:at|um|à|às|as|las|ore|alle|om))\s?\d{1,2}(?:[:h.]\d{2})?/giu;
/** Months of some language that are words of shops in others: "5 out of 5", "Set 3", "avg 4". */
const NO_MONTH = /^(?:out|set|gen|led|pro|ago|des|avg|dub|mart|elo)$/i;
/** Words around a date in a cell that says when, and nothing else; beside names of weekdays and months. */
const AROUND = new RegExp(
	'^(?:' +
		'am|pm|at|on|the|of|around|week|noon|morning|afternoon|evening|time|eastern|pacific|central|' +
		'um|ab|den|dem|der|uhr|kw|woche|vom|früh|morgens?|vormittags?|mittags?|nachmittags?|abends?|' +
		'le|la|du|de|à|a|h|vers|semaine|matin|midi|soir|' +
		'el|las|del|semana|mañana|tarde|noche|il|al|alle|ore|di|settimana|mattina|pomeriggio|sera|' +
		'em|o|às|as|manhã|noite|op|om|u|uur|van|ochtends?|middags?|avonds?|' +
		'utc|gmt|cet|cest|mez|mesz|est|edt|pst|pdt' +
		')$',
	'i',
);

/** The date with its year that a text is, beside words that belong to it. */
export function dateAlone(cell: string): string | undefined {
	const [date] = (cell.length <= LONGEST_TIME && DATE_WITHIN.exec(cell)) || [];
	if (date === undefined || !isAlone(date, cell)) return undefined;
	// "Sprint 12 2027" has none.
	const [month] = /\p{L}{3,}/u.exec(date) ?? [];
	return month === undefined || isMonthName(month) ? date : undefined;
}

/** Whether a cell is a day without its year, and nothing else: "le 24 décembre à 9h". */
export function isDayAlone(cell: unknown, patterns = DAYS_WITHIN): boolean {
	if (typeof cell !== 'string' || cell.length > LONGEST_TIME || /\d{4}/.test(cell)) return false;
	return patterns.some((pattern) => {
		const [day] = pattern.exec(cell) ?? [];
		if (day === undefined || !isDayOfYear(day)) return false;
		// A number that is no time is that of a house; a second day ends a span.
		return isAlone(day, cell) && !/\d/.test(cell.replace(day, ' ').replace(TIMES, ' '));
	});
}

/** Whether a day has a month that exists, in letters or in numbers. */
function isDayOfYear(day: string): boolean {
	const [first, second = NaN] = (day.match(/\d+/g) ?? []).map(Number);
	const [name] = /\p{L}{3,}/u.exec(day.replace(/\d+(?:st|nd|rd|th)/, '')) ?? [];
	const isMonth = name !== undefined && !NO_MONTH.test(name) && monthNamed(name) !== undefined;
	if (isMonth && !/\d[./]\d/.test(day)) return first >= 1 && first <= 31;
	return (
		Math.min(first, second) >= 1 && Math.min(first, second) <= 12 && Math.max(first, second) <= 31
	);
}

const isOfCalendar = (word: string) => weekdaysNamed(word).length > 0 || isMonthName(word);

function isAlone(date: string, cell: string): boolean {
	const words = cell.replace(date, ' ').match(/\p{L}+/gu) ?? [];
	return words.every((word) => AROUND.test(word) || (word.length > 1 && isOfCalendar(word)));
}
