/** Fewer values show no pattern. */
const MIN_VALUES = 4;
/** More values than this make no short list. */
const MAX_CHOICES = 8;
/** How many of the values may be different: with more, they hardly repeat. */
const MAX_SHARE = 2 / 3;

/** What a person writes or the service refers to, however often it repeats. */
const FREE_TEXT =
	/(^|_)(id|uuid|key|name|title|headline|subject|label|text|content|body|message|description|summary|caption|comment|note|keyword|query|author|user|address|street|city|town|region|zip|postcode|phone|email|url|link|website|image|photo|video|slug)s?$/i;

/** "offer", "LEARN_MORE", "Book now", but no sentence, number, address or ID. */
const CHOICE = /^\p{L}[\p{L}\p{M}_/&'’-]*( [\p{L}\p{M}_/&'’-]+){0,2}$/u;
const MAX_LENGTH = 40;

/**
 * The different values of a field if they look like a choice among a few, such as a status or a type;
 * undefined for any other field. In the order of the alphabet, so that the same values give the same list.
 *
 * @param values of several records, without empty ones
 */
export function repeatedValues(field: string, values: unknown[]): string[] | undefined {
	const name = field.replace(/([a-z])([A-Z])/g, '$1_$2');
	if (FREE_TEXT.test(name) || values.length < MIN_VALUES || !values.every(isChoice)) {
		return undefined;
	}
	const choices = [...new Set(values)];
	// A field that always has the same value shows no choice.
	const isFew = choices.length > 1 && choices.length <= MAX_CHOICES;
	if (!isFew || choices.length > values.length * MAX_SHARE) return undefined;
	return choices.sort((a, b) => a.localeCompare(b));
}

function isChoice(value: unknown): value is string {
	return typeof value === 'string' && value.length <= MAX_LENGTH && CHOICE.test(value);
}
