import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import {
	type Account,
	type Clock,
	type Connection,
	type ServiceError,
	systemClock,
} from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { PollBudget } from '../host/pollBudget';
import { checkLocations } from './check';
import type { TriggerEvent } from './event';
import { type Identified, keyOf } from './identified';
import { compareListing, isWatched, latestTimeIn } from './listing';
import { readLocations } from './lists';
import { type ProcessMemory, processMemory } from './memory';
import { emptyState, type State } from './remembered';
import { sampleEvents } from './sample';
import { readSettings } from './settings';
import { readState, triggerKey, writeState } from './state';
import type { AccountMemory, Settings } from './subject';

/** Activated again within this time (milliseconds), a trigger continues where it stopped. */
const MAX_PAUSE = 3_600_000;

/** What a poll needs beside n8n's context; a simulation has its own. */
export interface PollHost {
	clock: Clock;
	connect: typeof connect;
	memory: ProcessMemory;
}

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
		const events = await eventsOf(context, host);
		const items = (events ?? []).map((event) => ({ json: { ...event } as unknown as IDataObject }));
		return items.length > 0 ? [items] : null;
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

async function eventsOf(context: IPollFunctions, host: PollHost): Promise<TriggerEvent[] | null> {
	const settings = readSettings(context);
	const budget = new PollBudget(context, host.clock);
	const withinBudget = async () =>
		await budget.run(async () => {
			const connection = await host.connect(context, { patienceMs: budget.leftMs });
			return context.getMode() === 'manual'
				? await sampleEvents(budget.within(connection), settings)
				: await changesSinceLastPoll(context, host.memory, settings, connection, budget);
		});
	return context.getMode() === 'manual'
		? await withinBudget()
		: await host.memory.unlessPolling(triggerKey(context), withinBudget);
}

async function changesSinceLastPoll(
	context: IPollFunctions,
	memory: ProcessMemory,
	settings: Settings,
	connection: Connection,
	budget: PollBudget,
): Promise<TriggerEvent[]> {
	const reader = { connection: budget.within(connection), paging: settings.paging };
	const listed = await readLocations(reader);
	const earlier = stateFor(context, memory, settings, listed, connection.account);
	const isFirst = earlier.account.polls === 0;
	const begun = { ...earlier, account: beginPoll(earlier.account, listed, connection.account) };

	const listing = compareListing(begun, listed, settings);
	const onFailure = (error: ServiceError) =>
		context.logger.warn(`Local SEO Trigger: ${toNodeError(context, error).message}`);
	const checked = await checkLocations(
		{ connection, budget, settings, onFailure },
		listing.remembered,
		listed.filter((location) => isWatched(settings, location)),
	);
	const events = isFirst ? [] : [...listing.events, ...checked.events];
	// Events go first: if the cause persists, the next poll fails.
	const isFailed = checked.failure !== undefined && events.length === 0;
	if (isFailed && isFirst) throw checked.failure;

	budget.throwIfAbandoned();
	const { account, locations } = checked.remembered;
	const newest = Math.max(account.newest, latestTimeIn(listed, account));
	const isQuiet = events.length === 0;
	writeState(context, memory, settings, { account: { ...account, newest }, locations }, isQuiet);
	// Only now, so that the next poll begins with other locations.
	if (isFailed) throw checked.failure;
	return events;
}

function beginPoll(
	account: AccountMemory,
	listed: Identified[],
	{ clock, serviceClockOffset = 0 }: Account,
): AccountMemory {
	const now = clock.now();
	const serviceTime = now + serviceClockOffset;
	const begun = { ...account, polls: account.polls + 1, polledAt: now, serviceTime };
	if (account.polls > 0) return begun;
	return { ...begun, since: serviceTime, newest: latestTimeIn(listed, begun) };
}

/** What is remembered, unless it is too old or belongs to another account. */
function stateFor(
	context: IPollFunctions,
	memory: ProcessMemory,
	settings: Settings,
	listed: Identified[],
	{ clock }: Account,
): State {
	const isFirstPoll = memory.isFirstPollOf(context);
	const isActivated = isFirstPoll && context.getActivationMode?.() === 'activate';
	const state = readState(context, memory, settings);
	if (!state) return emptyState();
	if (isActivated && clock.now() - state.account.polledAt > MAX_PAUSE) return emptyState();
	const isKnown = listed.some((location) => state.locations.has(keyOf(location)));
	const isOther = listed.length > 0 && state.locations.size > 0 && !isKnown;
	// Selected locations may be missing although the account is the same.
	return isOther && settings.locationIds.size === 0 ? emptyState() : state;
}
