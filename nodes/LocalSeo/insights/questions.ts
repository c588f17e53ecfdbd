import { InputError } from '../text/inputError';
import { asValue, listed } from '../text/words';

/** How many names a message lists. */
const MAX_LISTED = 8;

const OTHER_OUTPUT =
	"For what has no date, set 'Output' to 'One Row per Location'; for everything, to Raw.";

/** Insights without a list of days; where the option Days is set, it finds none. */
export function noDays(isOptionSet: boolean, places: string[]): InputError {
	const found = isOptionSet
		? "is where the option 'Days' says"
		: 'was recognized in these insights';
	return new InputError(
		`No list of days ${found}, but: ${listed(places, MAX_LISTED)}`,
		`If the days are one list, say in the option 'Days' where it is, which field is the date, and how it is written. If lists of dates and of numbers stand side by side, set 'Output' to Raw, and put n8n's Split Out after this node. ${OTHER_OUTPUT}`,
	);
}

export function noDate(list: string, entry: unknown): InputError {
	return new InputError(
		`The list ${asValue(list)} has an entry without a date: ${asValue(entry)}`,
		`To take the others, add the option 'Days', and enter ${list} as 'List'. ${OTHER_OUTPUT}`,
	);
}

export function severalDates(list: string, paths: string[]): InputError {
	return new InputError(
		`The entries of the list ${asValue(list)} have several dates: ${listed(paths, MAX_LISTED)}`,
		"Add the option 'Days', and enter the one that is meant as 'Date'.",
	);
}

export function daysOrSeries(list: string, path: string): InputError {
	return new InputError(
		`The list ${asValue(list)} may be one of days, by the date in ${path}, or one of series, which hold days`,
		`Add the option 'Days'. If the entries are days, enter ${path} as 'Date'; if they are series, enter as 'List' where the days are, with ${list} in front.`,
	);
}

export function severalLists(lists: string[]): InputError {
	return new InputError(
		`Several lists have dates, and one of them has a date several times: ${listed(lists, MAX_LISTED)}`,
		"Add the option 'Days', and enter the list that is meant as 'List'. If they are series of one list, set 'Output' to Raw, and put n8n's Split Out after this node.",
	);
}

/** Series of which it is not certain what they are called. */
export function namelessSeries(list: string, why: string): InputError {
	return new InputError(
		`It is not certain what the series in the list ${asValue(list)} are called: ${why}`,
		"Add the option 'Days', and enter the field that names each of them as 'Series Name'. If there is none, set 'Output' to Raw, and put n8n's Split Out after this node.",
	);
}

export function sameColumn(name: string, paths: string[]): InputError {
	return new InputError(
		`Two columns would be called ${asValue(name)}: ${paths.map((path) => asValue(path)).join(' and ')}`,
		"If they stand in two lists, add the option 'Days', and enter the list that is meant as 'List'. If not, set 'Output' to Raw, and name the columns with n8n's Edit Fields.",
	);
}

export function noWholeDays(): InputError {
	return new InputError(
		"These insights are of weeks or months, and 'Period' keeps days",
		"Remove the option 'Period'. If the service takes a period, add its parameters under 'Query Parameters'.",
	);
}
