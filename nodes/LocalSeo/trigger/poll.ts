import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type Clock, hashOf, type JsonObject, ServiceError, systemClock } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { describeOwner } from '../text/messages';
import { onOneLine, sentences } from '../text/words';
import { checkLocations } from './check';
import { eventTypes, sampleEvents } from './events';
import { compareListing, hasOddScore, ODD_SCORES, rankScoreEvents } from './location';
import { isTemporary, type Reader, readLocations } from './lists';
import { neverMatching } from './neverMatching';
import { PollBudget } from './pollBudget';
import { memoryKey } from './records';
import { isWatched, readSettings, type Settings, signatureOf } from './settings';
import { type Activation, type ProcessMemory, processMemory, type State } from './state';
import type { TriggerEvent } from './subject';

/** Everything that a poll needs beside n8n's context; a simulation has its own. */
interface PollHost {
	clock: Clock;
	connect: typeof connect;
	memory: ProcessMemory;
}

/** The most lines about unreadable lists that one poll writes to n8n's log. */
const MAX_LOGGED = 5;
const OTHER_ACCOUNT =
	'None of the locations that were known is listed, as with another account: the trigger starts from scratch';
const GOES_ON =
	'The workflow is active all the same, and nothing is lost: the next poll looks again';
/** The most other lines that are remembered so as to write each once, and the length of their hashes. */
const MAX_NOTED = 20;
const NOTE_KEY_LENGTH = 8;

const PRODUCTION: PollHost = { clock: systemClock, connect, memory: processMemory };

/**
 * Compares the account with the memory of the previous poll, and returns one item for each event, or
 * null if there is none. The first poll only learns. In the editor, it returns recent records as
 * samples. The memory is written last: a poll that fails reports nothing and forgets nothing.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function poll(
	context: IPollFunctions,
	host = PRODUCTION,
): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(
			context,
			eventTypes.map(({ name }) => name),
		);
		const isSample = context.getMode() === 'manual';
		const events = isSample
			? await withReader(context, host, true, async (reader) => {
					return await sampleEvents(reader, settings);
				})
			: await host.memory.unlessPolling(
					context,
					async () => await detectChanges(context, host, settings),
				);
		const items = (events ?? []).map((event) => ({ json: itemOf(event) }));
		return items.length > 0 ? [items] : null;
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

type ReadEvents = (reader: Reader, budget: PollBudget) => Promise<TriggerEvent[]>;

/** Reads within the time that n8n gives the poll, with less patience if a person waits for it. */
async function withReader(
	context: IPollFunctions,
	host: PollHost,
	isAwaited: boolean,
	read: ReadEvents,
): Promise<TriggerEvent[]> {
	const budget = new PollBudget(context, host.clock, isAwaited);
	return await budget.run(async (signal) => {
		const { patienceMs } = budget;
		const connection = await host.connect(context, { patienceMs, timeoutMs: patienceMs });
		const { paging } = connection;
		const reader = { connection: { ...connection, signal }, paging, notes: new Set<string>() };
		return await read(reader, budget);
	});
}

/** Arranges an event for n8n's table: the changes come first, and no record twice. */
function itemOf(triggered: TriggerEvent): IDataObject {
	const { event, location, change, before, record, sample, ...others } = triggered;
	const item = {
		event,
		location_name: location.name,
		change,
		before,
		record,
		...others,
		location: location === record ? undefined : location,
		sample,
	};
	const known = Object.entries(item).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as IDataObject;
}

/**
 * Finds the changes since the last poll. If the service refuses while the workflow is being activated,
 * and the trigger already has a memory, the activation succeeds: the next poll reports the changes.
 */
async function detectChanges(
	context: IPollFunctions,
	host: PollHost,
	settings: Settings,
): Promise<TriggerEvent[]> {
	const activation = host.memory.activationBy(context);
	const read: ReadEvents = async (reader, budget) =>
		await changesSinceLastPoll(context, host.memory, settings, reader, budget, activation);
	const isAwaited = activation !== undefined;
	return await withReader(context, host, isAwaited, read).catch((error: unknown) => {
		const isKnown = host.memory.read(context)?.account.watch === signatureOf(settings);
		if (!isAwaited || !isKnown || !isTemporary(error)) throw error;
		const { message } = toNodeError(context, error);
		log(context, sentences(message, GOES_ON));
		return [];
	});
}

async function changesSinceLastPoll(
	context: IPollFunctions,
	memory: ProcessMemory,
	settings: Settings,
	reader: Reader,
	budget: PollBudget,
	activation?: Activation,
): Promise<TriggerEvent[]> {
	const listed = await readLocations(reader);
	const wrong = neverMatching(settings, listed);
	if (wrong && activation === 'person') throw wrong;
	if (wrong) reader.notes.add(wrong.message);
	const state = memory.read(context);
	const known = state && isUsable(state, listed, settings) ? state : undefined;
	if (state && !known && state.account.watch === signatureOf(settings)) log(context, OTHER_ACCOUNT);
	const { clock, serviceClockOffset = 0 } = reader.connection.account;
	const polledAt = clock.now() + serviceClockOffset;
	const { polls = 0, since = polledAt, resumeAt, noted } = known?.account ?? {};
	const account = { watch: signatureOf(settings), polls: polls + 1, since, polledAt, resumeAt };
	const isFirst = account.polls === 1;

	const watch = { settings, account };
	const listing = compareListing(known?.locations ?? new Map(), listed, watch);
	const watched = listed.filter((location) => isWatched(location, settings));
	const isScoreWatched = rankScoreEvents.some(({ name }) => settings.events.has(name));
	if (isScoreWatched && watched.some(hasOddScore)) reader.notes.add(ODD_SCORES);
	const checked = await checkLocations(reader, budget, watch, listing.memories, watched);
	const { unread } = checked;
	for (const error of unread.slice(0, MAX_LOGGED)) log(context, messageOn(context, error));
	const more = unread.length - MAX_LOGGED;
	if (more > 0) log(context, `${more} more locations or keywords could not be read`);
	const events = isFirst ? [] : [...listing.events, ...checked.events];
	// Events are reported first: if the cause persists, the next poll fails.
	const isFailed = checked.failure !== undefined && events.length === 0;
	if (isFailed && isFirst) throw checked.failure;

	const next = {
		account: {
			...account,
			resumeAt: checked.resumeAt,
			noted: logOnce(context, reader.notes, noted),
		},
		locations: checked.memories,
	};
	memory.write(context, next, events.length === 0);
	// Thrown after the memory is written, so that the next poll begins with other locations.
	if (isFailed) throw checked.failure;
	return events;
}

/** Writes the notes that no earlier poll has written, and returns the hashes of all of them. */
function logOnce(
	context: IPollFunctions,
	notes: Set<string>,
	noted: string[] = [],
): string[] | undefined {
	const all = new Set(noted);
	for (const note of notes) {
		const key = hashOf(note).slice(0, NOTE_KEY_LENGTH);
		if (!all.has(key)) log(context, note);
		all.add(key);
	}
	return all.size > 0 ? [...all].slice(-MAX_NOTED) : undefined;
}

/** The words for an error, with the location or keyword that it is about. */
function messageOn(context: IPollFunctions, error: Error): string {
	const { message } = toNodeError(context, error);
	const owner = error instanceof ServiceError && describeOwner(error.facts.request);
	return owner && !message.includes(owner) ? `${message} (${owner})` : message;
}

function log(context: IPollFunctions, text: string): void {
	context.logger.warn(`Local SEO Trigger: ${onOneLine(text)}`);
}

/**
 * True if a state belongs to the current settings and to this account, one of whose locations it knows.
 * Selected locations may be missing although the account is the same.
 */
function isUsable(
	{ account, locations }: State,
	listed: JsonObject[],
	settings: Settings,
): boolean {
	if (account.watch !== signatureOf(settings)) return false;
	const isKnown = listed.some((location) => locations.has(memoryKey(location)));
	const saysNothing = listed.length === 0 || locations.size === 0 || settings.locationIds.size > 0;
	return isKnown || saysNothing;
}
