import { type ErrorFacts, ServiceError } from '../client';
import { type Meaning, meaningOf, meaningOfOther } from './messages';
import { duration, sentences } from './words';

/**
 * The words for anything that was thrown.
 *
 * @param hasOptions true for an operation: pickers and the trigger have no such options
 */
export function wordsFor(thrown: unknown, hasOptions: boolean) {
	const { message, why, advice } = fullMeaningOf(thrown, hasOptions);
	return { message, description: sentences(why, advice) || undefined };
}

function fullMeaningOf(thrown: unknown, hasOptions: boolean): Meaning {
	if (!(thrown instanceof ServiceError)) return meaningOfOther(thrown);
	const { facts, cause } = thrown;
	const { kind, request, attempts = 1, waitedMs, mayHaveActed } = facts;
	const { message, why, advice } = meaningOf(facts);
	const { text, fields = [], more = 0 } = kind === 'rejected' ? facts.said : {};
	// Many services repeat the message of the first field. A 407 comes from a proxy, not from the service.
	const isQuoted = text && !fields.some((field) => field.endsWith(text)) && thrown.status !== 407;
	const isUnseen = kind === 'rejected' && facts.isUnseen;
	const mayHaveChanged = mayHaveActed && request.method !== 'GET' && kind !== 'unconfirmed';
	const earlier = cause instanceof ServiceError ? fullMeaningOf(cause, hasOptions) : undefined;
	const named = fields.join('; ') + (more > 0 ? ` and ${more} more` : '');
	return {
		message: message + (named && ` (${named})`),
		why: sentences(
			isQuoted && `The service said: "${text}"`,
			earlier && sentences(earlier.message, earlier.why),
			why,
			attempts > 1 && `This request was sent ${attempts} times in ${duration(waitedMs)}`,
			// The service may have made a record before it failed, and its list may lag.
			isUnseen && 'The list does not show it so far; a repeat looks first',
			mayHaveChanged && !isUnseen && 'An attempt may have taken effect',
		),
		// What keeps all requests from the service has to be put right first.
		advice: (hasOptions && optionFor(facts)) || (kind === 'not-sent' && earlier?.advice) || advice,
	};
}

/** The option of an operation that helps most. */
function optionFor(facts: ErrorFacts): string | undefined {
	const { kind } = facts;
	if (kind === 'timeout') {
		return "If it needs longer, increase 'Timeout' under Request Options, in the settings of this node";
	}
	if (kind === 'rate-limited' || (kind === 'rejected' && facts.isBusy)) {
		return "To wait longer, increase the option 'Max Wait'";
	}
	const isChanging =
		kind === 'incomplete-list' && !facts.pages && facts.pageParameter === undefined;
	return isChanging && !facts.isNeededWhole
		? "If running this again does not help, take what came: add the option 'Accept Incomplete Lists'"
		: undefined;
}
