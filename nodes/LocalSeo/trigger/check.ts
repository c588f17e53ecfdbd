import { concurrently, type Connection, type JsonObject, ServiceError } from '../client';
import type { PollBudget } from '../host/pollBudget';
import { listSubjects } from './events';
import { isUnreadable, readLists } from './lists';
import type { Memories } from './listing';
import { keyOf } from './records';
import {
	isSelected,
	type Listed,
	type ListSubject,
	type LocationMemory,
	type Outcome,
	type TriggerEvent,
	type Watch,
} from './subject';

/** Every this many polls, all watched locations are checked, whether or not they seem to have changed. */
const FULL_CHECK_EVERY = 12;
const CONCURRENT_LOCATIONS = 4;

/** A location with lists to compare. */
interface DueLocation {
	location: JsonObject;
	memory: LocationMemory;
	subjects: ListSubject[];
	isFullCheck: boolean;
}

export interface Checked {
	events: TriggerEvent[];
	memories: Memories;
	/** The location with which the next poll continues, if this one ran out of time. */
	resumeAt?: string;
	/** Locations, and keywords, that can't be read: what changed there waits for the next poll. */
	unread: ServiceError[];
	/** Why, if no location could be checked although there was something to check. */
	failure?: Error;
}

/**
 * Reads and compares the lists of all locations where something may have changed, as far as the
 * budget goes.
 */
export async function checkLocations(
	connection: Connection,
	budget: PollBudget,
	watch: Watch,
	memories: Memories,
	locations: JsonObject[],
): Promise<Checked> {
	const { settings } = watch;
	const updated = new Map(memories);
	const postponed: JsonObject[] = [];
	const cutOff: JsonObject[] = [];
	const unread: ServiceError[] = [];
	let checked = 0;
	let failure: Error | undefined;

	const check = async (due: DueLocation): Promise<TriggerEvent[]> => {
		const lists = due.subjects.flatMap((subject) => subject.lists);
		const reader = { connection, paging: settings.paging };
		const listed = await readLists(reader, due.location, lists, {
			until: due.memory.scansAfter,
			onFailure: (error) => unread.push(error),
		});
		const outcome = compareLists(due, listed, watch);
		updated.set(keyOf(due.location), outcome.memory);
		checked++;
		return outcome.events;
	};
	const jobs = dueLocations(memories, watch, locations).map((due, index) => async () => {
		// The first is begun in any case, so that every poll makes progress.
		if (index > 0 && !budget.mayBegin) {
			postponed.push(due.location);
			return [];
		}
		return await check(due).catch((error: Error) => {
			failure ??= error;
			if (!budget.isOver && !(error instanceof ServiceError)) throw error;
			if (!budget.isOver && isUnreadable(error)) unread.push(error);
			else cutOff.push(due.location);
			return [];
		});
	});
	const events = (await concurrently(jobs, CONCURRENT_LOCATIONS)).flat();

	// Locations that were cut off may never fit into a poll, so the others come first.
	const [next] = [...postponed, ...cutOff];
	const resumeAt = next && keyOf(next);
	return { events, memories: updated, resumeAt, unread, failure: checked ? undefined : failure };
}

/** The locations with lists that may have changed, from the one at which the last poll stopped. */
function dueLocations(
	memories: Memories,
	{ settings, account }: Watch,
	locations: JsonObject[],
): DueLocation[] {
	const watched = listSubjects.filter((subject) => isSelected(subject, settings));
	const lastFullCheck = account.polls - (account.polls % FULL_CHECK_EVERY);
	const start = locations.findIndex((location) => keyOf(location) === account.resumeAt);
	const inTurn = start > 0 ? [...locations.slice(start), ...locations.slice(0, start)] : locations;
	return inTurn.flatMap((location): DueLocation[] => {
		const memory = memories.get(keyOf(location));
		if (!memory) return [];
		const isFullCheck = memory.checkedAt < lastFullCheck;
		const subjects = watched.filter(
			(subject) => isFullCheck || subject.mayHaveChanged(memory, location),
		);
		return subjects.length > 0 ? [{ location, memory, subjects, isFullCheck }] : [];
	});
}

/** Lets each subject compare what was listed at a location; where scans are missing, it stays due. */
function compareLists(
	{ memory, subjects, isFullCheck }: DueLocation,
	listed: Listed,
	watch: Watch,
) {
	const isComplete = isFullCheck && !listed.scans.includes(undefined);
	const checkedAt = isComplete ? watch.account.polls : memory.checkedAt;
	let outcome: Outcome = { events: [], memory: { ...memory, checkedAt } };
	for (const subject of subjects) {
		const { events, memory: next } = subject.compare(outcome.memory, listed, watch);
		outcome = { events: [...outcome.events, ...events], memory: next };
	}
	return outcome;
}
