import { randomUUID } from 'node:crypto';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { State } from './memory';

/** The form in which n8n stores the state. */
interface StoredState {
	/** Changes whenever a poll starts the workflow, or a process goes on with what another one stored. */
	stamp: string;
	/** JSON text: n8n would wrap each of thousands of objects to watch it for changes. */
	text: string;
}

/** The state that a process keeps. */
interface OwnState extends StoredState {
	/** The stamp of the state that it went on from by quiet polls, which n8n may not have saved. */
	from?: string;
}

/**
 * The state that this process keeps of its triggers, beside what n8n stores. Losing it costs no event:
 * the next poll starts from the state that n8n has saved, like the first poll after a restart
 * (docs/trigger.md, "What you can rely on").
 */
export class ProcessMemory {
	/** Keys identify the trigger (`triggerKey`). */
	readonly lastStates = new Map<string, OwnState>();
	/** Triggers with a poll in progress, so it is as small as their number. */
	private readonly polling = new Set<string>();

	/** Runs a poll, unless one of the same trigger is in progress: that one reports everything. */
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

	/** The state after earlier polls; undefined if there is none. */
	read(context: IPollFunctions): State | undefined {
		const stored = this.newerThanSaved(context) ?? savedState(context);
		return stored && (JSON.parse(stored.text) as State);
	}

	/**
	 * Stores the state. n8n saves it on activation and when the poll starts a workflow
	 * (docs/dev/n8n-facts.md, section 7). Some versions read it again for each poll, so this process
	 * keeps the state after quiet polls.
	 *
	 * @param isQuiet true if the poll starts no workflow
	 */
	write(context: IPollFunctions, state: State, isQuiet: boolean): void {
		const own = this.newerThanSaved(context);
		// If n8n does not save the state of a poll with events, it has not started the workflow either.
		const from = isQuiet ? (own ? own.from : savedState(context)?.stamp) : undefined;
		const stamp = isQuiet && own ? own.stamp : randomUUID();
		const next: StoredState = { stamp, text: JSON.stringify(state) };
		this.lastStates.set(triggerKey(context), { ...next, from });
		context.getWorkflowStaticData('node').state = next;
	}

	/**
	 * The state of this process, if it is newer than n8n's. It is if n8n has the state from before the
	 * quiet polls, or none because another execution has overwritten it (docs/dev/n8n-facts.md, section
	 * 13). A process that takes over from another one again can't know what that one has reported.
	 */
	private newerThanSaved(context: IPollFunctions): OwnState | undefined {
		const key = triggerKey(context);
		const saved = savedState(context);
		if (!saved && context.getActivationMode?.() === 'leadershipChange') this.lastStates.delete(key);
		const last = this.lastStates.get(key);
		const isNewer = !saved || [last?.stamp, last?.from].includes(saved.stamp);
		return isNewer ? last : undefined;
	}
}

export const processMemory = new ProcessMemory();

/** Identifies a trigger within the process, as n8n's static data does: copied nodes share their IDs. */
function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().name}`;
}

function savedState(context: IPollFunctions): StoredState | undefined {
	const { state } = context.getWorkflowStaticData('node') as { state?: IDataObject };
	return state as StoredState | undefined;
}
