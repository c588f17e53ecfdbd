import { randomUUID } from 'node:crypto';
import type { IPollFunctions } from 'n8n-workflow';

import { hashOf } from '../client';
import type { KnownList, Remembered } from './diff';
import type { Settings } from './settings';

/** The scans of a keyword that are remembered: those of the last day. */
export interface ScanMemory {
	/** A scan that was over before is not new (s). */
	since: number;
	/** Times by key (s). */
	times: Record<string, number>;
	/** A hash of the location's `last_scan_at` when they were read; absent as long as they have to be read. */
	lastScanAt?: string;
	/** True if the last reading showed nothing, where there had been something. */
	isInDoubt?: true;
}

/** A keyword; its scans are absent until they were read for the first time. */
export interface KeywordMemory extends Remembered {
	scans?: ScanMemory;
}

/** The memory of a location's lists; one that has not been read is absent. */
export interface LocationMemory {
	posts?: KnownList;
	keywords?: KnownList<KeywordMemory>;
	/** A hash of the location's `keywords_count` when its keywords were read; absent: they have to be read. */
	keywordsCount?: string;
	/** When its keywords were read (s). */
	keywordsReadAt?: number;
}

/** All that a trigger remembers, as JSON. */
export interface TriggerMemory {
	/** A hash of the settings that it was made with: with others, everything is learned again. */
	settings: string;
	/** The number of polls so far. */
	polls: number;
	/** The key of the location with which the next poll begins, after one that ran out of time. */
	next?: string;
	/** All locations of the account. */
	locations?: KnownList;
	/** The lists of the watched ones, by key. */
	lists: Record<string, LocationMemory>;
}

export function emptyMemory(settings: Settings): TriggerMemory {
	const events = settings.events.map(({ name }) => name);
	return { settings: hashOf({ ...settings, events }), polls: 0, lists: {} };
}

/** The form in which n8n stores the memory. */
interface Stored {
	/** Changes whenever a poll starts the workflow. */
	stamp: string;
	/** JSON text: n8n would wrap each of thousands of objects to watch it for changes. */
	text: string;
}

/**
 * The memories of the triggers in this process, beside what n8n stores. n8n saves the memory on
 * activation and when a poll starts the workflow; some versions read it again for each poll
 * (docs/dev/n8n-facts.md, section 7). So what polls without an event have learned is kept here. Losing
 * it costs no event: the next poll goes on from what n8n has saved.
 */
export class ProcessMemory {
	/** By trigger (`triggerKey`). */
	private readonly latest = new Map<string, Stored>();
	/** Triggers with a poll in progress. */
	private readonly polling = new Set<string>();

	/** Runs a poll, unless one of the same trigger is in progress: that one reports everything. */
	async oneAtATime<T>(context: IPollFunctions, poll: () => Promise<T[]>): Promise<T[]> {
		const key = triggerKey(context);
		if (this.polling.has(key)) return [];
		this.polling.add(key);
		try {
			return await poll();
		} finally {
			this.polling.delete(key);
		}
	}

	/** The memory of earlier polls; undefined if there is none with these settings. */
	read(context: IPollFunctions, settings: Settings): TriggerMemory | undefined {
		const stored = this.storedOf(context);
		const memory = stored && (JSON.parse(stored.text) as TriggerMemory);
		return memory?.settings === emptyMemory(settings).settings ? memory : undefined;
	}

	/** @param isQuiet true if the poll starts no workflow, so that n8n may not save what it learned */
	write(context: IPollFunctions, memory: TriggerMemory, isQuiet: boolean): void {
		const earlier = this.storedOf(context);
		const stamp = isQuiet && earlier ? earlier.stamp : randomUUID();
		const next: Stored = { stamp, text: JSON.stringify(memory) };
		this.latest.set(triggerKey(context), next);
		context.getWorkflowStaticData('node').state = next;
	}

	/**
	 * The memory of this process goes on from the one that n8n has saved if both have one stamp. n8n has none
	 * where another execution has saved over it (section 13). With another stamp, n8n's is right:
	 * another process went on, or n8n has not started the workflow either.
	 */
	private storedOf(context: IPollFunctions): Stored | undefined {
		const { state } = context.getWorkflowStaticData('node') as { state?: Stored };
		const latest = this.latest.get(triggerKey(context));
		return !state || state.stamp === latest?.stamp ? (latest ?? state) : state;
	}
}

export const processMemory = new ProcessMemory();

/** Identifies a trigger within the process, as n8n's static data does: copied nodes share their IDs. */
function triggerKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().name}`;
}
