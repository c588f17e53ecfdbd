import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { BoundedMap, type Clock, systemClock } from '../client';
import type { Memories } from './location';
import { isScheduled } from './pollBudget';
import type { AccountMemory, LocationMemory } from './subject';

/** What a trigger remembers, from poll to poll. */
export interface State {
	account: AccountMemory;
	locations: Memories;
}

/** Who activates a workflow: a person, or n8n where it starts or takes over. */
export type Activation = 'n8n' | 'person';

/** What n8n stores. */
interface StoredState {
	/** Different whenever a poll starts the workflow, and in each process. */
	stamp: string;
	/** JSON: n8n would wrap each of thousands of objects to watch it for changes. */
	text: string;
}

/** The state after the last poll, which n8n may not have saved. */
interface LastState extends StoredState {
	/** Of quiet polls: the stamp of the state that n8n had when they began. */
	after?: string;
}

/** Room for about nine of the largest accounts (5,000 locations with 20 keywords each). */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Milliseconds (100 days): a schedule that polls once a quarter finds its state again, and what
 * deleted triggers have left goes in the end.
 */
const FORGOTTEN_AFTER = 100 * 24 * 3_600_000;

/**
 * What this process knows of its triggers beside what n8n stores for them. A state that is
 * forgotten costs no event: the next poll starts from the state that n8n has saved, like the first
 * poll after a restart (docs/trigger.md, "What cannot be guaranteed").
 */
export class ProcessMemory {
	/** By trigger. */
	readonly lastStates: BoundedMap<LastState>;
	/** Triggers with a poll under way; there are as many as there are such polls. */
	private readonly polling = new Set<string>();
	/** Contexts that have polled; n8n makes one for each activation. */
	private readonly active = new WeakSet<IPollFunctions>();

	constructor(clock: Clock) {
		const bounds = { maxBytes: MAX_BYTES, forgetAfterMs: FORGOTTEN_AFTER };
		this.lastStates = new BoundedMap(bounds, clock);
	}

	/** Runs a poll, unless one of the same trigger is under way: that one reports everything. */
	async unlessPolling<T>(context: IPollFunctions, poll: () => Promise<T>): Promise<T | null> {
		const key = triggerKey(context);
		if (this.polling.has(key)) return null;
		this.polling.add(key);
		try {
			return await poll();
		} finally {
			this.polling.delete(key);
		}
	}

	/** Who activates the workflow with this poll; undefined: it is active. To be asked once for each poll. */
	activationBy(context: IPollFunctions): Activation | undefined {
		if (this.active.has(context) || isScheduled(context)) return undefined;
		this.active.add(context);
		const mode = context.getActivationMode?.();
		return mode === 'init' || mode === 'leadershipChange' ? 'n8n' : 'person';
	}

	/** The state of earlier polls; undefined if there is none. */
	read(context: IPollFunctions): State | undefined {
		const stored = this.newerThanSaved(context) ?? savedState(context);
		if (!stored) return undefined;
		const { account, locations } = JSON.parse(stored.text) as {
			account: AccountMemory;
			locations: Array<[string, LocationMemory]>;
		};
		return { account, locations: new Map(locations) };
	}

	/**
	 * n8n saves the state on activation and when the poll starts a workflow (docs/dev/n8n-facts.md, section
	 * 7). Some versions read it anew for each poll, so this process keeps the state after quiet polls.
	 *
	 * @param isQuiet whether the poll starts no workflow
	 */
	write(context: IPollFunctions, { account, locations }: State, isQuiet: boolean): void {
		// If n8n does not save a poll that starts the workflow, it has not started it either.
		const after = isQuiet ? savedState(context)?.stamp : undefined;
		const quiet = isQuiet ? this.newerThanSaved(context) : undefined;
		const text = JSON.stringify({ account, locations: [...locations] });
		const next = { after, stamp: randomUUID(), ...quiet, text };
		this.lastStates.set(triggerKey(context), next, text.length);
		context.getWorkflowStaticData('node').state = { stamp: next.stamp, text };
	}

	/**
	 * What this process knows, if it goes beyond what n8n has: n8n has the state before the quiet polls,
	 * or none, because another execution has saved over it (docs/dev/n8n-facts.md, section 13). A process
	 * that takes over again from another one can't know what that one has reported.
	 */
	private newerThanSaved(context: IPollFunctions): LastState | undefined {
		const last = this.lastStates.get(triggerKey(context));
		const saved = savedState(context);
		const isNewer = saved
			? saved.stamp === last?.after || saved.stamp === last?.stamp
			: context.getActivationMode?.() !== 'leadershipChange';
		return isNewer ? last : undefined;
	}
}

export const processMemory = new ProcessMemory(systemClock);

/** Identifies a trigger within the process, as n8n's static data does: copied nodes share their IDs. */
function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().name}`;
}

function savedState(context: IPollFunctions): StoredState | undefined {
	const { state } = context.getWorkflowStaticData('node') as { state?: IDataObject };
	return state as StoredState | undefined;
}
