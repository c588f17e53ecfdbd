import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { type Clock, type JsonObject, systemClock } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { PollBudget } from '../host/pollBudget';
import { checkLocations } from './check';
import { sampleEvents } from './events';
import { compareListing } from './location';
import { type Reader, readLocations } from './lists';
import { keyOf } from './records';
import { isWatched, readSettings, type Settings, signatureOf } from './settings';
import { type ProcessMemory, processMemory, type State } from './state';
import type { TriggerEvent } from './subject';

/** What a poll needs beside n8n's context; a simulation has its own. */
interface PollHost {
	clock: Clock;
	connect: typeof connect;
	memory: ProcessMemory;
}

/** Lines in n8n's log a poll. */
const MAX_LOGGED = 5;

const PRODUCTION: PollHost = { clock: systemClock, connect, memory: processMemory };

/**
 * Compares the account with what the previous poll remembered, and returns one item for each event,
 * or null if there is none. The first poll only remembers. In the editor, a recent record is returned
 * as a sample. What is remembered is written last: a poll that fails reports nothing and forgets
 * nothing.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function poll(
	context: IPollFunctions,
	host = PRODUCTION,
): Promise<INodeExecutionData[][] | null> {
	try {
		const settings = readSettings(context);
		const budget = new PollBudget(context, host.clock);
		const isSample = context.getMode() === 'manual';
		const run = async (signal: AbortSignal) => {
			const { waitMs } = budget;
			const connection = await host.connect(context, { patienceMs: waitMs, timeoutMs: waitMs });
			const reader = { connection: { ...connection, signal }, paging: settings.paging };
			return isSample
				? await sampleEvents(reader, settings)
				: await changesSinceLastPoll(context, host.memory, settings, reader, budget);
		};
		const events = isSample
			? await budget.run(run)
			: await host.memory.unlessPolling(context, async () => await budget.run(run));
		const items = (events ?? []).map((event) => ({ json: itemOf(event) }));
		return items.length > 0 ? [items] : null;
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

/** An event as n8n's table shows it best: what has changed comes first, and no record twice. */
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

async function changesSinceLastPoll(
	context: IPollFunctions,
	memory: ProcessMemory,
	settings: Settings,
	reader: Reader,
	budget: PollBudget,
): Promise<TriggerEvent[]> {
	const listed = await readLocations(reader);
	const state = memory.read(context);
	const known = state && isOfUse(state, listed, settings) ? state : undefined;
	const { clock, serviceClockOffset = 0 } = reader.connection.account;
	const polledAt = clock.now() + serviceClockOffset;
	const { polls = 0, since = polledAt, resumeAt } = known?.account ?? {};
	const account = { watch: signatureOf(settings), polls: polls + 1, since, polledAt, resumeAt };
	const isFirst = account.polls === 1;

	const watch = { settings, account };
	const listing = compareListing(known?.locations ?? new Map(), listed, watch);
	const watched = listed.filter((location) => isWatched(location, settings));
	const checked = await checkLocations(reader, budget, watch, listing.memories, watched);
	for (const error of checked.unread.slice(0, MAX_LOGGED)) {
		context.logger.warn(`Local SEO Trigger: ${toNodeError(context, error).message}`);
	}
	const events = isFirst ? [] : [...listing.events, ...checked.events];
	// Events go first: if the cause persists, the next poll fails.
	const isFailed = checked.failure !== undefined && events.length === 0;
	if (isFailed && isFirst) throw checked.failure;

	const next = {
		account: { ...account, resumeAt: checked.resumeAt },
		locations: checked.memories,
	};
	memory.write(context, next, events.length === 0);
	// Only now, so that the next poll begins with other locations.
	if (isFailed) throw checked.failure;
	return events;
}

/**
 * Whether a state belongs to what is watched now, and to this account: it knows one of the listed
 * locations. Selected ones may be missing although the account is the same.
 */
function isOfUse({ account, locations }: State, listed: JsonObject[], settings: Settings): boolean {
	if (account.watch !== signatureOf(settings)) return false;
	const isKnown = listed.some((location) => locations.has(keyOf(location)));
	const saysNothing = listed.length === 0 || locations.size === 0 || settings.locationIds.size > 0;
	return isKnown || saysNothing;
}
