import type { IPollFunctions } from 'n8n-workflow';

import { type Clock, type JsonObject, ServiceError, withinTime } from '../client';
import type { connect } from '../host/connect';
import { InputError } from '../text/inputError';
import { type Difference, keyIn } from './diff';
import { eventOf, type TriggerEvent, type Watched } from './events';
import type { ProcessMemory } from './memory';
import type { Reader } from './reader';
import { eventsOf, type FieldNames, readSettings } from './settings';

/** Everything that a poll needs beside n8n's context; a simulation has its own. */
export interface PollHost {
	clock: Clock;
	connect: typeof connect;
	memory: ProcessMemory;
}

/** The longest that a poll takes (ms), also if n8n gives it more, and the part of it for reading. */
const LONGEST = 45_000;
const FOR_READING = 0.9;

const tooSlow = () =>
	new InputError(
		'The service took too long to respond',
		"The time for a poll ran out, and the next one tries again. If this keeps happening, set 'Page Size' in the credential to get more records per request, or select fewer locations.",
	);

/** A list that could not be read. */
export interface Unread {
	of: Watched;
	location: JsonObject;
	error: Error;
}

/** True if the service works, but does not give this list. */
function isAnswered(error: unknown): boolean {
	if (!(error instanceof ServiceError)) return error instanceof InputError;
	const { facts } = error;
	if (facts.kind === 'rejected') return facts.status < 500 && !facts.isBusy;
	return ['incomplete-list', 'unexpected-response'].includes(facts.kind);
}

/** A poll in progress: it reads one list after the other, as far as the time allows. */
export class Round {
	readonly events: TriggerEvent[] = [];
	/** Lists that could not be read, and why; and the locations with a list that got no answer, by key. */
	readonly unread: Unread[] = [];
	readonly left = new Set<string>();
	readonly fieldNames: FieldNames = {};
	/** True once a list has to be left to the next poll. */
	isCut = false;
	/** The kinds of lists of which one could be read. */
	private readonly read = new Set<Watched>();

	private constructor(
		readonly reader: Reader,
		private readonly clock: Clock,
		private readonly until: number,
	) {}

	static async begin(context: IPollFunctions, { clock, connect }: PollHost): Promise<Round> {
		const settings = readSettings(context);
		// Older versions of n8n state no time.
		const { getPollBudgetMs } = context as Partial<Pick<IPollFunctions, 'getPollBudgetMs'>>;
		const patienceMs = FOR_READING * Math.min(LONGEST, getPollBudgetMs?.call(context) ?? LONGEST);
		const until = clock.now() + patienceMs;
		const connection = await connect(context, { patienceMs, timeoutMs: patienceMs });
		return new Round({ connection, paging: connection.paging, settings }, clock, until);
	}

	/** The time by the clock on the wall (s). */
	get seconds(): number {
		return Math.floor(this.clock.wall() / 1000);
	}

	/** True if there is time to begin a list; else it is left to the next poll. */
	private hasTime(): boolean {
		this.isCut ||= this.clock.now() >= this.until;
		return !this.isCut;
	}

	/** True if each list could be read that had to be. */
	get isWhole(): boolean {
		return this.left.size === 0 && this.unread.length === 0;
	}

	/**
	 * Reads something within the time of the poll: n8n itself would wait forever.
	 *
	 * @throws InputError if the time is over, and what `read` throws
	 */
	async within<T>(read: (reader: Reader) => Promise<T>): Promise<T> {
		const { clock, reader, until } = this;
		const left = Math.max(0, until - clock.now());
		const value = await withinTime(clock, left, async (signal) => {
			return { read: await read({ ...reader, connection: { ...reader.connection, signal } }) };
		});
		if (value) return value.read;
		this.isCut = true;
		throw tooSlow();
	}

	/** Reads a list of a location; undefined if it can't be read, or has to be left to the next poll. */
	async attempt<T>(
		of: Watched,
		location: JsonObject,
		read: (reader: Reader) => Promise<T>,
	): Promise<T | undefined> {
		if (!this.hasTime()) {
			this.left.add(keyIn(location));
			return undefined;
		}
		try {
			const value = await this.within(read);
			this.read.add(of);
			return value;
		} catch (error) {
			if (this.isCut || !isAnswered(error)) this.left.add(keyIn(location));
			this.unread.push({ of, location, error: error as Error });
			return undefined;
		}
	}

	/** The reason, if none of the lists could be read, and some got no answer. */
	get failure(): Error | undefined {
		if (this.read.size > 0 || this.left.size === 0) return undefined;
		return this.unread[0]?.error ?? tooSlow();
	}

	/** The reason, if no list of a kind could be read, such as the scans of any keyword: a setting may be wrong. */
	get failureOfKind(): Error | undefined {
		const failed = this.isCut ? undefined : this.unread.find(({ of }) => !this.read.has(of));
		return failed?.error ?? this.failure;
	}

	/** Reports what the chosen events say of a difference. */
	report(
		found: Partial<Difference['found']>,
		of: Watched,
		location?: JsonObject,
		more: Partial<TriggerEvent> = {},
	): void {
		for (const type of eventsOf(this.reader.settings, of)) {
			for (const one of found[type.when] ?? []) {
				this.events.push(eventOf(type, location ?? one.record, { ...one, ...more }));
			}
		}
	}

	/** Notes the names of the fields that the records of a list have. */
	noteFields(of: Watched, records: JsonObject[]): void {
		const names = (this.fieldNames[of] ??= new Set());
		for (const record of records) for (const name of Object.keys(record)) names.add(name);
	}
}
