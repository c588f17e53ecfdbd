import { concurrently, type Connection, type ServiceError } from '../client';
import type { PollBudget } from '../host/pollBudget';
import type { TriggerEvent } from './event';
import { Failures } from './failures';
import { type Identified, keyOf } from './identified';
import { readLists } from './lists';
import type { LocationMemory, State } from './remembered';
import {
	type AccountMemory,
	isPlausible,
	type Listed,
	type Remembered,
	type Settings,
} from './subject';
import { type AnyListSubject, isSelected, listSubjects } from './subjects';

/** Every this many polls, all watched locations are checked, whether or not they seem to have changed. */
const FULL_CHECK_EVERY = 12;
const CONCURRENT_LOCATIONS = 4;

/** A location with lists to compare. */
interface DueLocation {
	location: Identified;
	memory: LocationMemory;
	subjects: AnyListSubject[];
}

export interface CheckOptions {
	connection: Connection;
	budget: PollBudget;
	settings: Settings;
	/** Called for a location, or a keyword, that can't be read. */
	onFailure(error: ServiceError): void;
}

export interface Checked {
	events: TriggerEvent[];
	remembered: State;
	/** Why, if no location could be checked although there was something to check. */
	failure?: Error;
}

/**
 * Reads and compares the lists of all locations where something may have changed, as far as the
 * budget goes; `resumeAt` says where the next poll continues.
 *
 * @throws ServiceError, unless it concerns one location only
 */
export async function checkLocations(
	{ connection, budget, settings, onFailure }: CheckOptions,
	state: State,
	locations: Identified[],
): Promise<Checked> {
	let { account } = state;
	const memories = new Map(state.locations);
	const due = dueLocations(state, settings, locations);
	const postponed: DueLocation[] = [];
	const cutOff: DueLocation[] = [];
	const failures = new Failures(onFailure);
	let timeUp: Error | undefined;
	let checked = 0;

	const check = async (one: DueLocation, via: Connection): Promise<TriggerEvent[]> => {
		const { location, memory, subjects } = one;
		const lists = subjects.flatMap((subject) => subject.lists);
		const reader = { connection: via, paging: settings.paging, onFailure };
		const listed = await readLists(reader, location, lists, {
			until: memory.scansAfter,
			isPlausible: (time) => isPlausible(time, state.account),
		});
		const { events, remembered } = compareLists(account, one, listed, settings);
		account = remembered.account;
		memories.set(keyOf(location), remembered.location);
		checked++;
		return events;
	};
	const jobs = due.map((one, index) => async (): Promise<TriggerEvent[]> => {
		// The first is begun in any case, so that every poll makes progress.
		if (index > 0 && !budget.mayBegin) {
			postponed.push(one);
			return [];
		}
		const via = index > 0 ? budget.upTo(connection) : budget.within(connection);
		const read = async (): Promise<TriggerEvent[]> => {
			const result = await check(one, via).catch((error: Error) => error);
			if (!(result instanceof Error)) return result;
			if (!budget.isEndedBy(result)) throw result;
			timeUp = result;
			cutOff.push(one);
			return [];
		};
		return (await failures.skipFailed(read)) ?? [];
	});
	const events = (await concurrently(jobs, CONCURRENT_LOCATIONS)).flat();

	// Locations that were cut off may never fit into a poll, so the others come first.
	const [next] = [...postponed, ...cutOff];
	const resumeAt = next && keyOf(next.location);
	return {
		events,
		remembered: { account: { ...account, resumeAt }, locations: memories },
		failure: checked === 0 ? (timeUp ?? failures.errors[0]) : undefined,
	};
}

/** The locations with lists that may have changed, from the one at which the last poll stopped. */
function dueLocations(
	{ account, locations: memories }: State,
	settings: Settings,
	locations: Identified[],
): DueLocation[] {
	const watched = listSubjects.filter((subject) => isSelected(subject, settings));
	const start = locations.findIndex((location) => keyOf(location) === account.resumeAt);
	const inTurn = start > 0 ? [...locations.slice(start), ...locations.slice(0, start)] : locations;
	return inTurn.flatMap((location): DueLocation[] => {
		const memory = memories.get(keyOf(location));
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
