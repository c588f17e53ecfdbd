import { concurrently, type JsonObject, ServiceError } from '../client';
import { listSubjects } from './events';
import { isRefusedForNow, isUnreadable, type Reader, readLists } from './lists';
import type { Memories } from './location';
import type { PollBudget } from './pollBudget';
import { idIn, keyOf } from './records';
import { lackPosition } from './scan';
import type { ListSubject, LocationMemory, Watch } from './subject';

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

/**
 * Reads and compares the lists of all locations where something may have changed, as far as the
 * budget goes.
 */
export async function checkLocations(
	reader: Reader,
	budget: PollBudget,
	watch: Watch,
	memories: Memories,
	locations: JsonObject[],
) {
	const updated = new Map(memories);
	const postponed: JsonObject[] = [];
	const cutOff: JsonObject[] = [];
	/** Why locations, and keywords, can't be read: what changed there waits for the next poll. */
	const unread: Error[] = [];
	let checked = 0;
	let failure: Error | undefined;
	/** Whether the service has refused for as long as one waits for it: it would refuse the others as well. */
	let isRefused = false;

	const check = async ({ location, memory, subjects, isFullCheck }: DueLocation) => {
		const lists = subjects.flatMap((subject) => subject.lists);
		const listed = await readLists(reader, location, lists, {
			until: memory.scansAfter,
			onFailure: (error) => unread.push(error),
		});
		if (watch.settings.onlyPositionChanges && lackPosition(listed.scans)) {
			reader.notes.add(
				"Rank scans without a position are all reported, also with 'Only Position Changes'",
			);
		}
		// Where scans are missing, the location stays due.
		const isComplete = isFullCheck && listed.isComplete;
		let current = { ...memory, checkedAt: isComplete ? watch.account.polls : memory.checkedAt };
		const found = subjects.flatMap((subject) => {
			const outcome = subject.compare(current, listed, watch);
			current = outcome.memory;
			return outcome.events;
		});
		updated.set(keyOf(location), current);
		checked++;
		return found;
	};
	const jobs = dueLocations(memories, watch, locations).map((due, index) => async () => {
		// The first is begun in any case, so that every poll makes progress.
		if (index > 0 && (!budget.mayBegin || isRefused)) {
			postponed.push(due.location);
			return [];
		}
		return await check(due).catch((thrown: Error) => {
			const error = aboutLocation(thrown, due.location);
			failure ??= error;
			isRefused ||= isRefusedForNow(error);
			if (!budget.isOver && isUnreadable(error)) unread.push(error);
			else cutOff.push(due.location);
			return [];
		});
	});
	const events = (await concurrently(jobs, CONCURRENT_LOCATIONS)).flat();

	if (cutOff.length + postponed.length > 0) {
		reader.notes.add(
			'A poll did not come to all locations: the next one continues with the others',
		);
	}
	// Locations that were cut off may never fit into a poll, so the others come first.
	const [next] = [...postponed, ...cutOff];
	return {
		events,
		memories: updated,
		/** The location with which the next poll continues, if this one ran out of time. */
		resumeAt: next && keyOf(next),
		unread,
		/** Why, if no location could be checked although there was something to check. */
		failure: checked ? undefined : failure,
	};
}

/** What no service should be able to cause, with the location at which it happened. */
function aboutLocation(error: Error, location: JsonObject): Error {
	if (error instanceof ServiceError) return error;
	const { message } = error;
	const cause = { cause: error };
	return new Error(`The location "${idIn(location)}" could not be checked: ${message}`, cause);
}

/** The locations with lists that may have changed, from the one at which the last poll stopped. */
function dueLocations(
	memories: Memories,
	{ settings, account }: Watch,
	locations: JsonObject[],
): DueLocation[] {
	const watched = listSubjects.filter(({ events }) =>
		events.some(({ name }) => settings.events.has(name)),
	);
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
