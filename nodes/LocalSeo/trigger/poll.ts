import mapValues from 'lodash/mapValues';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { concurrently, type JsonObject, systemClock } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { location as resource } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, onOneLine, sentences } from '../text/words';
import { diff, keyIn, keyOfId } from './diff';
import { itemOf, type TriggerEvent } from './events';
import { compareLists } from './lists';
import { emptyMemory, type TriggerMemory, processMemory } from './memory';
import { readRecords } from './reader';
import { type PollHost, Round } from './round';
import { sampleEvents } from './samples';
import { assertFields, watchOf } from './settings';
import { warningsOf } from './warnings';

const PRODUCTION: PollHost = { clock: systemClock, connect, memory: processMemory };
const CONCURRENT_LOCATIONS = 4;
/** Each poll reads the keywords of one in so many locations, whether they seem to have changed or not. */
const TURNS = 12;

const OTHER_ACCOUNT =
	'None of the known locations is listed, as with an API key of another account: the trigger starts from scratch';

/**
 * Compares the account with the memory of the previous poll, and returns one item for each event, or
 * null if there is none. The first poll only learns. In the editor, it returns records as samples.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function poll(
	context: IPollFunctions,
	host = PRODUCTION,
): Promise<INodeExecutionData[][] | null> {
	try {
		const isTest = context.getMode() === 'manual';
		const events = isTest
			? await sampleEvents(await Round.begin(context, host))
			: await host.memory.oneAtATime(context, async () => await newEvents(context, host));
		return events.length > 0 ? [events.map((event) => ({ json: itemOf(event) }))] : null;
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

/**
 * A poll. The memory is written last: one that can't read the locations reports nothing and forgets
 * nothing. One that can't read any list fails, too, but the next one goes on with other locations.
 */
async function newEvents(context: IPollFunctions, host: PollHost): Promise<TriggerEvent[]> {
	const round = await Round.begin(context, host);
	const { settings } = round.reader;
	const locations = await round.within(async (reader) => await readRecords(reader, resource));
	const stored = host.memory.read(context, settings);
	const isOther = isOfOtherAccount(stored, locations);
	const memory = stored && !isOther ? stored : emptyMemory(settings);

	const watched = compareLocations(round, locations, memory);
	memory.next = await compareEach(round, watched, memory);
	memory.polls++;

	if (!stored) assertSettings(round, watched);
	const { events } = round;
	const failure = events.length === 0 ? round.failure : undefined;
	const warning = sentences(isOther && OTHER_ACCOUNT, ...warningsOf(context, round, locations));
	if (warning !== '') context.logger.warn(`Local SEO Trigger: ${onOneLine(warning)}`);
	host.memory.write(context, memory, events.length === 0);
	if (failure) throw failure;
	return events;
}

/** Fails the first poll, which a person watches, if a setting matches nothing. */
function assertSettings(round: Round, watched: JsonObject[]): void {
	const { settings } = round.reader;
	const [id] = settings.locationIds;
	if (id !== undefined && watched.length === 0) {
		throw new InputError(
			`No location has the ID ${asValue(id)}`,
			"Correct 'Location Names or IDs': choose from the list, or enter IDs.",
		);
	}
	if (round.failureOfKind) throw round.failureOfKind;
	if (round.isWhole) assertFields(settings, round.fieldNames);
}

function isOfOtherAccount(memory: TriggerMemory | undefined, locations: JsonObject[]): boolean {
	const earlier = new Set(Object.keys(memory?.locations?.records ?? {}));
	return (
		earlier.size > 0 && locations.length > 0 && !locations.some((one) => earlier.has(keyIn(one)))
	);
}

/** @returns the watched ones */
function compareLocations(
	round: Round,
	locations: JsonObject[],
	memory: TriggerMemory,
): JsonObject[] {
	const { settings } = round.reader;
	const picked = new Set(settings.locationIds.map(keyOfId));
	const isWatched = (one: JsonObject) => picked.size === 0 || picked.has(keyIn(one));
	// An account does not lose all its locations at once: an empty list says nothing.
	if (locations.length === 0 && memory.locations) return [];
	const { found, list } = diff(memory.locations, locations, watchOf(settings, 'locations'));
	// An added location is reported whichever locations are picked.
	const ofWatched = mapValues(found, (all) => all.filter(({ record }) => isWatched(record)));
	round.report({ ...ofWatched, added: found.added }, 'locations');
	round.noteFields('locations', locations);
	memory.locations = list;
	const lists = Object.entries(memory.lists).filter(([key]) => Object.hasOwn(list.records, key));
	memory.lists = Object.fromEntries(lists);
	return locations.filter(isWatched);
}

/**
 * Compares the lists of each location, as far as the time allows, beginning where the last poll stopped.
 *
 * @returns the key of the first location with a list that was not read. The one with which this poll began has
 * had its turn: if its lists never come, it holds back nobody
 */
async function compareEach(
	round: Round,
	locations: JsonObject[],
	{ lists, next, polls }: TriggerMemory,
): Promise<string | undefined> {
	const jobs = locations.map((location, place) => async () => {
		const isTurn = (place + polls) % TURNS === 0;
		await compareLists(round, location, (lists[keyIn(location)] ??= {}), isTurn);
	});
	const keys = locations.map(keyIn);
	const start = Math.max(0, keys.indexOf(next ?? ''));
	const fromStart = <T>(all: T[]) => [...all.slice(start), ...all.slice(0, start)];
	await concurrently(fromStart(jobs), CONCURRENT_LOCATIONS);
	return fromStart(keys)
		.slice(1)
		.find((key) => round.left.has(key));
}
