import { keywordSubject } from './keyword';
import { locationSubject } from './location';
import { postSubject } from './post';
import { scanSubject } from './scan';
import type { EventOption, EventType, Settings } from './subject';

/** What is watched by lists of a location, beside its own record. */
export const listSubjects = [keywordSubject, scanSubject, postSubject];
export type AnyListSubject = (typeof listSubjects)[number];

export const subjects = [locationSubject, ...listSubjects];
const eventTypes: EventType[] = subjects.flatMap(({ events }) => events);

/** The names of a subject's events. */
export function namesOf({ events }: { events: EventType[] }): string[] {
	return events.map(({ name }) => name);
}

/** The events that an option concerns. */
export function eventsWith(option: EventOption): string[] {
	return eventTypes.filter(({ options }) => options?.includes(option)).map(({ name }) => name);
}

/** Whether an event of the subject is selected. */
export function isSelected(subject: { events: EventType[] }, { events }: Settings): boolean {
	return namesOf(subject).some((name) => events.has(name));
}

/** Whether all locations have to be remembered, whichever are selected. */
export function watchesEveryLocation({ events }: Settings): boolean {
	return eventTypes.some(({ name, isForEveryLocation }) => isForEveryLocation && events.has(name));
}
