import { concurrently, type Connection, idOf, type JsonObject, ServiceError } from '../client';
import type { PollBudget } from '../host/pollBudget';
import type { TriggerEvent } from './event';
import { readLists } from './lists';
import type { LocationMemory, State } from './remembered';
import type { AccountMemory, Listed, Remembered, Settings } from './subject';
import { isSelected, type ListSubject, listSubjects } from './subjects';

/** Every this many polls, all watched locations are checked, whether or not they seem to have changed. */
const FULL_CHECK_EVERY = 12;
const CONCURRENT_LOCATIONS = 4;
/** Status codes for a location that the key can't read, or that no longer exists. */
const INACCESSIBLE = [403, 404, 410];

/** A location with lists to compare. */
interface DueLocation {
	location: JsonObject;
	memory: LocationMemory;
	subjects: ListSubject[];
}

export interface CheckOptions {
	connection: Connection;
	budget: PollBudget;
	settings: Settings;
	/** Called for a location that the key can't read. */
	onInaccessible(error: ServiceError): void;
}

/**
 * Reads and compares the lists of all locations where something may have changed, as far as the
 * budget goes; `resumeAt` says where the next poll continues.
 *
 * @returns also an error, if none of these locations could be read
 * @throws ServiceError, unless it concerns one location only
 */
export async function checkLocations(
	{ connection, budget, settings, onInaccessible }: CheckOptions,
	state: State,
	locations: JsonObject[],
): Promise<{ events: TriggerEvent[]; remembered: State; noneAccessible?: ServiceError }> {
	let { account } = state;
	const memories = new Map(state.locations);
	const due = dueLocations(state, settings, locations);
	const postponed: number[] = [];
	const inaccessible: ServiceError[] = [];

	const check = async (one: DueLocation, via: Connection): Promise<TriggerEvent[]> => {
		const { location, memory, subjects } = one;
		const lists = subjects.flatMap((subject) => subject.lists);
		const reader = { connection: via, paging: settings.paging };
		const listed = await readLists(reader, location, lists, memory.scansAfter);
		const { events, remembered } = compareLists(account, one, listed, settings);
		account = remembered.account;
		memories.set(idOf(location) ?? '', remembered.location);
		return events;
	};
	const jobs = due.map((one, index) => async (): Promise<TriggerEvent[]> => {
		// The first is checked in any case, so that every poll makes progress.
		const canWait = index > 0;
		if (canWait && !budget.mayBegin) {
			postponed.push(index);
			return [];
		}
		const via = canWait ? budget.upTo(connection) : budget.within(connection);
		const result = await check(one, via).catch((error: Error) => error);
		if (!(result instanceof Error)) return result;
		if (isInaccessible(result)) {
			inaccessible.push(result);
			onInaccessible(result);
		} else if (canWait && budget.isOver) {
			postponed.push(index);
		} else {
			throw result;
		}
		return [];
	});
	const events = (await concurrently(jobs, CONCURRENT_LOCATIONS)).flat();

	const next = postponed.length > 0 ? due[Math.min(...postponed)] : undefined;
	const resumeAt = next && idOf(next.location);
	return {
		events,
		remembered: { account: { ...account, resumeAt }, locations: memories },
		noneAccessible: inaccessible.length === due.length ? inaccessible[0] : undefined,
	};
}

/** The locations with lists that may have changed, from the one at which the last poll stopped. */
function dueLocations(
	{ account, locations: memories }: State,
	settings: Settings,
	locations: JsonObject[],
): DueLocation[] {
	const watched = listSubjects.filter((subject) => isSelected(subject, settings));
	const start = locations.findIndex((location) => idOf(location) === account.resumeAt);
	const inTurn = start > 0 ? [...locations.slice(start), ...locations.slice(0, start)] : locations;
	return inTurn.flatMap((location): DueLocation[] => {
		const memory = memories.get(idOf(location) ?? '');
		if (!memory) return [];
		const isFull = isFullCheckDue(memory, account);
		const subjects = watched.filter(
			(subject) => isFull || subject.mayHaveChanged(memory, location),
		);
		return subjects.length > 0 ? [{ location, memory, subjects }] : [];
	});
}

function isFullCheckDue({ checkedAt }: LocationMemory, { polls }: AccountMemory): boolean {
	const lastFullCheck = polls - (polls % FULL_CHECK_EVERY);
	return checkedAt < lastFullCheck;
}

/** Lets each subject compare what was listed at a location. */
function compareLists(
	account: AccountMemory,
	{ memory, subjects }: DueLocation,
	listed: Listed,
	settings: Settings,
): { events: TriggerEvent[]; remembered: Remembered<LocationMemory> } {
	const isFull = listSubjects.every(
		(subject) => subjects.includes(subject) || !isSelected(subject, settings),
	);
	const checkedAt = isFull ? account.polls : memory.checkedAt;
	const events: TriggerEvent[] = [];
	let remembered: Remembered<LocationMemory> = { account, location: { ...memory, checkedAt } };
	for (const subject of subjects) {
		const outcome = subject.compare(remembered, listed, settings);
		events.push(...outcome.events);
		remembered = {
			account: outcome.remembered.account,
			location: { ...remembered.location, ...outcome.remembered.location },
		};
	}
	return { events, remembered };
}

/** Whether the key can't read a location, or it no longer exists: that says nothing about the others. */
function isInaccessible(error: Error): error is ServiceError {
	return error instanceof ServiceError && INACCESSIBLE.includes(error.facts.status ?? 0);
}
