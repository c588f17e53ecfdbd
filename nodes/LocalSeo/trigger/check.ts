import { concurrently, type JsonObject, ServiceError } from '../client';
import { listSubjects } from './events';
import { isRefusingAll, isTemporary, isUnreadable, type Reader, readLists } from './lists';
import type { Memories } from './location';
import type { PollBudget } from './pollBudget';
import { idIn, memoryKey } from './records';
import { CLOCK_ERROR, DAY, type ListSubject, type LocationMemory, type Watch } from './subject';

/** Number of polls after which all watched locations are checked, even if none seems to have changed. */
const FULL_CHECK_EVERY = 12;
const CONCURRENT_LOCATIONS = 4;

/** A watched location, with the lists that have to be compared. */
interface DueLocation {
	location: JsonObject;
	memory: LocationMemory;
	subjects: ListSubject[];
	isFullCheck: boolean;
}

/** Reads and compares the lists of all locations that may have changed, as far as the time allows. */
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
	/** Errors of locations and keywords that can't be read: changes there wait for the next poll. */
	const unread: Error[] = [];
	let checked = 0;
	let failure: Error | undefined;
	/** True once the service has refused one request for its whole patience: it would refuse the others, too. */
	let isRefused = false;

	const { polledAt } = watch.account;
	const check = async ({ location, memory, subjects, isFullCheck }: DueLocation) => {
		const lists = subjects.flatMap((subject) => subject.lists);
		const listed = await readLists(reader, location, lists, {
			until: memory.scansAfter,
			goingOn: { since: polledAt - DAY, now: polledAt + CLOCK_ERROR },
			onFailure: (error) => unread.push(error),
		});
		for (const { name, lacks } of subjects.flatMap(({ events }) => events)) {
			const note = watch.settings.events.has(name) && lacks?.(listed, watch.settings);
			if (note) reader.notes.add(note);
		}
		// The location stays due if scans are missing.
		const isComplete = isFullCheck && listed.isComplete;
		let current = { ...memory, checkedAt: isComplete ? watch.account.polls : memory.checkedAt };
		const found = subjects.flatMap((subject) => {
			const outcome = subject.compare(current, listed, watch);
			current = outcome.memory;
			return outcome.events;
		});
		updated.set(memoryKey(location), current);
		checked++;
		return found;
	};
	const jobs = dueLocations(memories, watch, locations).map((due, index) => async () => {
		// The first location is always checked, so that every poll makes progress.
		if (index > 0 && (!budget.mayBegin || isRefused)) {
			postponed.push(due.location);
			return [];
		}
		return await check(due).catch((thrown: Error) => {
			const error = aboutLocation(thrown, due.location);
			failure ??= error;
			// A person who activates the workflow does not wait for one location after the other.
			isRefused ||= isRefusingAll(error) || (budget.isAwaited && isTemporary(error));
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
		resumeAt: next && memoryKey(next),
		unread,
		/** The reason if no location could be checked although some were due. */
		failure: checked ? undefined : failure,
	};
}

/** Adds the location to an error that no service should be able to cause. */
function aboutLocation(error: Error, location: JsonObject): Error {
	if (error instanceof ServiceError) return error;
	const { message } = error;
	const cause = { cause: error };
	return new Error(`The location "${idIn(location)}" could not be checked: ${message}`, cause);
}

/** The locations whose lists may have changed, starting with the one at which the last poll stopped. */
function dueLocations(
	memories: Memories,
	{ settings, account }: Watch,
	locations: JsonObject[],
): DueLocation[] {
	const watched = listSubjects.filter(({ events }) =>
		events.some(({ name }) => settings.events.has(name)),
	);
	const lastFullCheck = account.polls - (account.polls % FULL_CHECK_EVERY);
	const start = locations.findIndex((location) => memoryKey(location) === account.resumeAt);
	const inTurn = start > 0 ? [...locations.slice(start), ...locations.slice(0, start)] : locations;
	return inTurn.flatMap((location): DueLocation[] => {
		const memory = memories.get(memoryKey(location));
		if (!memory) return [];
		const isFullCheck = memory.checkedAt < lastFullCheck;
		const subjects = watched.filter(
			(subject) => isFullCheck || subject.mayHaveChanged(memory, location),
		);
		return subjects.length > 0 ? [{ location, memory, subjects, isFullCheck }] : [];
	});
}
