import { NO_FIELDS } from './fingerprints';
import type { Identified } from './identified';
import { type KeywordMemory, keywordSubject } from './keyword';
import { type LocationRecordMemory, locationSubject } from './location';
import { type PostMemory, postSubject } from './post';
import { type ScanMemory, scanSubject } from './scan';
import type { AccountMemory, Settings } from './subject';

/** What a trigger remembers, from poll to poll. */
export interface State {
	account: AccountMemory;
	/** By ID. */
	locations: Map<string, LocationMemory>;
}

/** What is remembered of a location: each subject has its own part. */
export interface LocationMemory
	extends LocationRecordMemory,
		KeywordMemory,
		ScanMemory,
		PostMemory {
	/** The last poll that compared all watched lists. */
	checkedAt: number;
	/** How many polls in a row have not listed the location. */
	missing: number;
}

export function emptyState(): State {
	return {
		account: {
			polls: 0,
			polledAt: 0,
			since: 0,
			serviceTime: 0,
			newest: 0,
			fields: NO_FIELDS,
			postFields: NO_FIELDS,
		},
		locations: new Map(),
	};
}

/** What is remembered of a location at first: nothing that is there now will be reported. */
export function learn(
	location: Identified,
	account: AccountMemory,
	settings: Settings,
): LocationMemory {
	return {
		...locationSubject.learn(location, account, settings),
		...keywordSubject.learn(location, account, settings),
		...scanSubject.learn(location, account, settings),
		...postSubject.learn(location, account, settings),
		checkedAt: account.polls,
		missing: 0,
	};
}

/** The same for an added location: everything at it is new. */
export function learnAdded(
	location: Identified,
	account: AccountMemory,
	settings: Settings,
): LocationMemory {
	return {
		...learn(location, account, settings),
		...locationSubject.learnEmpty(),
		...keywordSubject.learnEmpty(),
		...scanSubject.learnEmpty(),
		...postSubject.learnEmpty(),
	};
}
