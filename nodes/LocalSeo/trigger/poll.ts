import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type Clock, ServiceError, systemClock } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { describeOwner } from '../text/messages';
import { onOneLine } from '../text/words';
import { adapted, emptyState } from './adapt';
import { Check } from './check';
import { shortHash } from './known';
import { dueLocations } from './due';
import type { TriggerEvent } from './events';
import { compareLocations, readLocations } from './locations';
import { assertMatching, isGone } from './neverMatching';
import { PollBudget } from './pollBudget';
import type { Reader } from './reader';
import { sampleEvents } from './samples';
import { readSettings } from './settings';
import { type ProcessMemory, processMemory } from './state';

/** Everything that a poll needs beside n8n's context; a simulation has its own. */
interface PollHost {
	clock: Clock;
	connect: typeof connect;
	memory: ProcessMemory;
}

const PRODUCTION: PollHost = { clock: systemClock, connect, memory: processMemory };
const CUT = 'A poll did not come to all locations: the next one continues with the others';
/** The most lines about unreadable lists that one poll writes to n8n's log. */
const MAX_LOGGED = 5;
/** The most lines that are remembered so as to write each once, and the length of their hashes. */
const MAX_NOTED = 200;
const NOTE_LENGTH = 5;

/**
 * Compares the account with the memory of the previous poll, and returns one item for each event, or
 * null if there is none. The first poll only learns. In the editor, it returns records as samples. The
 * memory is written last: a poll that fails reports nothing and forgets nothing.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function poll(
	context: IPollFunctions,
	host = PRODUCTION,
): Promise<INodeExecutionData[][] | null> {
	try {
		const events =
			context.getMode() === 'manual'
				? await withReader(context, host, sampleEvents)
				: await host.memory.unlessPolling(context, async () => {
						return await withReader(context, host, async (reader, budget) => {
							return await changesSinceLastPoll(context, host.memory, reader, budget);
						});
					});
		const items = (events ?? []).map((event) => ({ json: itemOf(event) }));
		return items.length > 0 ? [items] : null;
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

/** Reads within the time of a poll. */
async function withReader<T>(
	context: IPollFunctions,
	host: PollHost,
	read: (reader: Reader, budget: PollBudget) => Promise<T>,
): Promise<T> {
	const settings = readSettings(context);
	const budget = new PollBudget(context, host.clock);
	return await budget.run(async (signal) => {
		const { patienceMs } = budget;
		const connection = await host.connect(context, { patienceMs, timeoutMs: patienceMs });
		const { account, paging } = connection;
		const now = () => account.clock.wall() + (account.serviceClockOffset ?? 0);
		const notes = new Set<string>();
		const reader = { connection: { ...connection, signal }, paging, settings, now, notes };
		return await read(reader, budget);
	});
}

/** Arranges an event for n8n's table: what it is and the changes come first, and no record twice. */
function itemOf(triggered: TriggerEvent & { sample?: string }): IDataObject {
	const { sample, event, location, change, before, record, ...others } = triggered;
	const item = {
		sample,
		event,
		location_name: location.name,
		change,
		before,
		record,
		...others,
		location: location === record ? undefined : location,
	};
	const known = Object.entries(item).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known) as IDataObject;
}

async function changesSinceLastPoll(
	context: IPollFunctions,
	memory: ProcessMemory,
	reader: Reader,
	budget: PollBudget,
): Promise<TriggerEvent[]> {
	const { settings, notes } = reader;
	const known = memory.read(context);
	const state = known ? adapted(known, settings) : emptyState(settings);
	const read = await readLocations(reader);
	const chosen = shortHash([settings.events, settings.locationIds, settings.fieldsToWatch]);
	// A location that was there on activation and is gone by now must not silence the rest.
	if (state.checked !== chosen && isAttended(context)) await assertMatching(reader, read);
	state.checked = chosen;
	const failures = [...read.failures.values()];
	const failure = failures.find((error) => !isGone(error));
	if (failure && read.watched.length === 0) throw failure;

	state.polls++;
	const compared = compareLocations(reader, read, state);
	const check = new Check(reader, budget, state.fields);
	state.next = await check.run(dueLocations(compared.locations, settings, state));
	if (state.next !== undefined) notes.add(CUT);
	for (const [list, error] of check.failures) if (!known && !check.read.has(list)) throw error;

	const events = [...compared.events, ...check.events];
	state.noted = logOnce(context, state.noted, notes, [...failures, ...check.unread]);
	memory.write(context, state, events.length === 0);
	// Thrown after the memory is written, so that the next poll begins with other locations.
	if (check.refusal && check.read.size === 0 && events.length === 0) throw check.refusal;
	return events;
}

/** True unless n8n itself has activated the workflow, when it started or took over from another process. */
function isAttended(context: IPollFunctions): boolean {
	return !['init', 'leadershipChange'].includes(context.getActivationMode?.());
}

/**
 * Writes what no earlier poll has written to n8n's log.
 *
 * @returns hashes of all that was written
 */
function logOnce(
	context: IPollFunctions,
	noted: string[],
	notes: Set<string>,
	unread: Error[],
): string[] {
	const all = new Set(noted);
	const isNew = (line: string) => all.size < all.add(shortHash(line, NOTE_LENGTH)).size;
	const lines = unread.map((error) => messageOn(context, error)).filter(isNew);
	const more = lines.length - MAX_LOGGED;
	const written = [...[...notes].filter(isNew), ...lines.slice(0, MAX_LOGGED)];
	if (more > 0) written.push(`${more} more locations or keywords could not be read`);
	for (const line of written) context.logger.warn(`Local SEO Trigger: ${onOneLine(line)}`);
	return [...all].slice(-MAX_NOTED);
}

/** The words for an error, with the location or keyword that it is about. */
function messageOn(context: IPollFunctions, error: Error): string {
	const { message } = toNodeError(context, error);
	const owner = error instanceof ServiceError && describeOwner(error.facts.request);
	return owner && !message.includes(owner) ? `${message} (${owner})` : message;
}
