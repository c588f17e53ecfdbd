import { keywordSubject } from './keyword';
import { locationEvents } from './location';
import { postSubject } from './post';
import { scanSubject } from './scan';
import type { EventOption } from './subject';

/** What is watched by lists of a location, beside the list of locations itself. */
export const listSubjects = [keywordSubject, scanSubject, postSubject];

/** All that the trigger offers. */
export const subjects = [{ events: locationEvents, lists: [] }, ...listSubjects];
export const eventTypes = subjects.flatMap(({ events }) => events);

/** The events that an option concerns. */
export function eventsWith(option: EventOption): string[] {
	return eventTypes.filter(({ options }) => options?.includes(option)).map(({ name }) => name);
}
