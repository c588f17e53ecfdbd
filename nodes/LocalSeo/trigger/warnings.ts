import groupBy from 'lodash/groupBy';
import type { IPollFunctions } from 'n8n-workflow';

import { idOf, type JsonObject, ServiceError } from '../client';
import { toNodeError } from '../host/errors';
import { InputError } from '../text/inputError';
import { describeOwner } from '../text/messages';
import { asValue, listed, sentences } from '../text/words';
import { keyIn, keyOfId } from './diff';
import type { Round, Unread } from './round';
import { absentFields } from './settings';

/** The most names in a warning. */
const MAX_NAMED = 5;

const OUT_OF_TIME = 'Out of time: the next poll continues with the remaining lists';

/** Sentences on everything that a poll could not read or find. */
export function warningsOf(
	context: IPollFunctions,
	round: Round,
	locations: JsonObject[],
): Array<string | false> {
	const { settings } = round.reader;
	const keys = new Set(locations.map(keyIn));
	// An empty list says nothing.
	const gone = settings.locationIds.filter((id) => keys.size > 0 && !keys.has(keyOfId(id)));
	const absent = round.isWhole ? absentFields(settings, round.fieldNames) : [];
	const named = (names: string[]) => listed(names.map(asValue), MAX_NAMED);
	return [
		...unreadLists(context, round),
		round.isCut && OUT_OF_TIME,
		gone.length > 0 && `No location has the ID ${named(gone)}: correct 'Location Names or IDs'`,
		absent.length > 0 && `No record has a field ${named(absent)}: correct 'Fields to Watch'`,
	];
}

/** Lists that could not be read for the same reason are named together. */
function unreadLists(context: IPollFunctions, { unread }: Round): string[] {
	const reasons = unread.map((one) => reasonFor(context, one));
	return Object.values(groupBy(reasons, 'message')).map((all) => {
		const [{ message, advice }] = all;
		const owners = [...new Set(all.map(({ owner }) => owner))];
		const count = all.length === 1 ? '1 list' : `${all.length} lists`;
		return sentences(
			`${count} could not be read: ${message} (${listed(owners, MAX_NAMED)})`,
			advice,
		);
	});
}

/** Why a list could not be read, without the location or keyword that it belongs to. */
function reasonFor(context: IPollFunctions, { error, location }: Unread) {
	const { message } = toNodeError(context, error);
	const request = error instanceof ServiceError ? error.facts.request : undefined;
	const owner = (request && describeOwner(request)) ?? `location "${idOf(location)}"`;
	const advice = error instanceof InputError && error.description;
	return { message: message.replace(` of ${owner}`, ''), owner, advice };
}
