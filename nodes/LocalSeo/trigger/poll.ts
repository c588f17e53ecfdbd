import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { idOf, isIdentified } from '../client/envelope';
import { readRecords } from '../client/list';
import { pacerOf } from '../client/pacers';
import { idNames } from '../client/path';
import { sideBySide } from '../client/sideBySide';
import { timeOf } from '../client/time';
import type { Event } from './event';
import { compare, learn, meet } from './location';
import { look, type RequestFor, taskFor } from './look';
import { addNames } from './marks';
import { sampleOf } from './sample';
import { emptyState, placeOf, readState, type State, writeState } from './state';
import { isWatched, readWatch, type Watch } from './watch';

/** Milliseconds for a poll where an older host does not say. */
const DEFAULT_BUDGET = 300_000;
/** The part of the budget after which nothing new is begun, and that after which nothing is awaited. */
const BEGIN_UNTIL = 0.7;
const WAIT_UNTIL = 0.9;
const LOCATIONS_AT_ONCE = 4;
/** A location that is not listed for so many polls is forgotten; until then it was only away. */
const FORGOTTEN_AFTER = 12;
/** Activated again within this time (milliseconds), a trigger goes on where it stood. */
const PAUSE = 3_600_000;

/** Polls under way in this process: one that takes longer than the interval is not overtaken. */
const underway = new Set<string>();
/** Activations that have polled. */
const activations = new WeakSet<IPollFunctions>();

/**
 * Looks what is different since the poll before, and gives one item an event; null where there is
 * none. The first poll only learns. In the editor it gives a recent record as a sample.
 *
 * What is remembered is written when everything has gone well: a poll that fails gives nothing and
 * forgets nothing.
 *
 * @throws NodeApiError, NodeOperationError as `send` does, for the host to tell what went wrong
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const watch = readWatch(context);
	const key = placeOf(context);
	const isSample = context.getMode() === 'manual';
	if (!isSample && underway.has(key)) return null;
	if (!isSample) underway.add(key);
	try {
		const clock = clockOf(context);
		const events = isSample
			? await sampleOf(context, watch, requestsWithin(clock))
			: await changes(context, watch, clock);
		const items = events.map((event) => ({ json: { ...event } as unknown as IDataObject }));
		return items.length > 0 ? [items] : null;
	} finally {
		if (!isSample) underway.delete(key);
	}
}

async function changes(context: IPollFunctions, watch: Watch, clock: Clock): Promise<Event[]> {
	const requestFor = requestsWithin(clock);
	const listing = requestFor('/locations', '', 'location');
	const locations = (await readRecords(context, listing, watch.paging)).filter(isIdentified);
	const state = stateFor(context, watch, locations);
	const isFirst = state.polls === 0;
	if (isFirst) {
		state.since = Date.now() + ((await pacerOf(context)).clockOffset ?? 0);
		state.newest = newestTime(locations);
	}
	state.polls++;
	state.polledAt = Date.now();
	addNames(state.fields, locations, watch.fields);

	const events: Event[] = [];
	for (const location of locations.filter((one) => isKept(watch, one))) {
		const id = idOf(location) ?? '';
		const memory = state.locations.get(id);
		if (memory) {
			memory.missing = 0;
			if (isWatched(watch, location)) events.push(...compare(watch, state, memory, location));
		} else if (isFirst) {
			state.locations.set(id, learn(state, location));
		} else {
			state.locations.set(id, meet(state, location));
			if (!watch.events.has('locationAdded')) continue;
			const added = { record: location, before: null, changed: [], location };
			events.push({ event: 'locationAdded', ...added });
		}
	}
	forgetTheMissing(state, locations);
	const watched = locations.filter((location) => isWatched(watch, location));
	const around = await lookAround(context, watch, state, watched, clock);
	events.push(...around.events);
	// What there is to tell is told first: the poll after this one fails by the same refusal.
	if (around.refusal && events.length === 0) throw around.refusal;
	state.newest = Math.max(state.newest, newestTime(locations));
	const told = isFirst ? [] : events;
	writeState(context, watch, state, told.length === 0);
	return told;
}

/**
 * Looks at all locations where there may be more to see, as far as the time goes. With a refusal, if
 * none of them could be looked at.
 */
async function lookAround(
	context: IPollFunctions,
	watch: Watch,
	state: State,
	locations: IDataObject[],
	clock: Clock,
): Promise<{ events: Event[]; refusal?: Error }> {
	const start = locations.findIndex((location) => idOf(location) === state.resumeAt);
	const due = [...locations.slice(Math.max(0, start)), ...locations.slice(0, Math.max(0, start))]
		.map((location) => ({ location, memory: state.locations.get(idOf(location) ?? '') }))
		.flatMap(({ location, memory }) => {
			const task = memory && taskFor(watch, state, memory, location);
			return task ? [{ location, memory, task }] : [];
		});
	const unfinished: number[] = [];
	const refused: Error[] = [];
	const jobs = due.map(({ location, memory, task }, index) => async (): Promise<Event[]> => {
		// The first is looked at in any case, so that every poll gets on.
		const mayWait = index > 0;
		if (!mayWait || Date.now() < clock.beginUntil) {
			const requestFor = requestsWithin(clock, mayWait ? context : undefined);
			const result = await look(context, watch, state, memory, location, task, requestFor).catch(
				(error: Error) => error,
			);
			if (!(result instanceof Error)) return result;
			if (isOfOneLocation(result)) {
				refused.push(result);
				context.logger.warn(`Local SEO Trigger: ${result.message}`);
				return [];
			}
			if (!mayWait || Date.now() < clock.waitUntil) throw result;
		}
		unfinished.push(index);
		return [];
	});
	const events = await sideBySide(jobs, LOCATIONS_AT_ONCE);
	const next = due[Math.min(...unfinished)];
	state.resumeAt = next && idOf(next.location);
	return { events: events.flat(), refusal: refused.length === due.length ? refused[0] : undefined };
}

/** A location may be closed to the key, or gone by now: the events of the others are told all the same. */
function isOfOneLocation(error: Error): boolean {
	return error instanceof NodeApiError && ['403', '404', '410'].includes(error.httpCode ?? '');
}

/** What was remembered, unless it is of another time or another account. */
function stateFor(context: IPollFunctions, watch: Watch, locations: IDataObject[]): State {
	const state = readState(context, watch);
	const isNew = context.getActivationMode?.() === 'activate' && !activations.has(context);
	activations.add(context);
	if (!state || (isNew && Date.now() - state.polledAt > PAUSE)) return emptyState();
	const isKnown = locations.some((location) => state.locations.has(idOf(location) ?? ''));
	const isOther = locations.length > 0 && state.locations.size > 0 && !isKnown;
	// Picked locations may be away without anything being said of the account.
	return isOther && watch.locationIds.size === 0 ? emptyState() : state;
}

function forgetTheMissing(state: State, locations: IDataObject[]) {
	// An account does not lose all its locations: that says nothing.
	if (locations.length === 0) return;
	const listed = new Set(locations.map(idOf));
	for (const [id, memory] of state.locations) {
		if (listed.has(id)) continue;
		memory.missing++;
		if (memory.missing >= FORGOTTEN_AFTER) state.locations.delete(id);
	}
}

/** That a location was added can only be told when all are remembered. */
function isKept(watch: Watch, location: IDataObject): boolean {
	return watch.events.has('locationAdded') || isWatched(watch, location);
}

/** The latest time in a listing: the service's clock is there at least. */
function newestTime(locations: IDataObject[]): number {
	const times = locations.flatMap(({ last_scan_at, created_at }) => [
		timeOf(last_scan_at) ?? 0,
		timeOf(created_at) ?? 0,
	]);
	return times.reduce((latest, time) => Math.max(latest, time), 0);
}

interface Clock {
	beginUntil: number;
	waitUntil: number;
}

function clockOf(context: IPollFunctions): Clock {
	// Older hosts do not say.
	const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
	const budget = getPollBudgetMs?.call(context) ?? DEFAULT_BUDGET;
	const now = Date.now();
	return { beginUntil: now + BEGIN_UNTIL * budget, waitUntil: now + WAIT_UNTIL * budget };
}

/** @param context of a location that may wait for the next poll: past the time nothing more is asked */
function requestsWithin({ waitUntil }: Clock, context?: IPollFunctions): RequestFor {
	return (template, id, noun) => {
		if (context && Date.now() > waitUntil) {
			throw new NodeOperationError(context.getNode(), 'The time for this poll is over');
		}
		const left = Math.max(1_000, waitUntil - Date.now());
		return {
			method: 'GET',
			template,
			ids: Object.fromEntries(idNames(template).map((name) => [name, id])),
			query: {},
			noun,
			settings: { maxWait: left, timeout: left },
		};
	};
}
