import type { Flight } from '../account';
import type { ServiceError } from '../errors';
import type { JsonObject } from '../ports';
import { type Matching, mayBeAhead } from '../same/key';
import { type Keys, keysOf, shortKeyOf } from '../same/keyIndex';
import { comparedKeys, type Relation, relationOf } from '../same/relation';
import type { Before } from './versions';

/** A row in one run of a program; it stays the same when the row is tried again. */
export interface RowKey {
	/** The execution of the workflow, and within it the run of the node. */
	execution: string;
	run: string;
	row: number | string;
	/** The content of a call of a tool: n8n gives each try of one a run of its own. */
	call?: string;
}

/** The values of a record that a create makes. */
export interface Compared {
	/** The keys of its match fields and of all that is sent: others may compare by other fields. */
	keys: Keys;
	/** Absent outside of executions. */
	row?: RowKey;
}

/** A create, until it is known what became of it; times by the account's clock (ms). */
export class Entry implements Compared, Flight {
	/** True if its record goes live later, or may. */
	readonly isAhead: boolean;
	/** Resolves when its row is done with it; absent: nobody is at work on it. */
	ended?: Promise<void>;
	/** Resolves when the request under way has its answer. */
	answered?: Promise<void>;
	/** Since when its outcome is unknown, and why; absent if it is known. */
	doubtSince?: number;
	error?: ServiceError;
	/** When the list was looked at last. */
	lookedAt = -Infinity;
	/** True if the service itself has answered 500. */
	isOwnError = false;
	/** True if it was sent a second time. */
	wasResent = false;
	readonly keys: Keys;

	/**
	 * @param before absent: the list was not read, and nothing can be told from it
	 * @param wall the time on the wall (ms)
	 * @param compared the keys of the match fields, if they are known
	 */
	constructor(
		fields: JsonObject,
		readonly matching: Matching,
		readonly before: Before | undefined,
		readonly row: RowKey | undefined,
		wall: number,
		compared: Keys = comparedKeys(fields, matching),
	) {
		const { time, isTerm } = matching;
		const others = Object.keys(fields).filter((field) => !(field in compared));
		this.keys = others.length > 0 ? { ...keysOf(fields, others, isTerm), ...compared } : compared;
		this.isAhead = time !== undefined && mayBeAhead(fields[time], wall);
	}

	/** Others wait while somebody is at work on it. */
	async during<T>(work: () => Promise<T>): Promise<T> {
		let end = () => {};
		this.ended = new Promise((resolve) => (end = resolve));
		try {
			return await work();
		} finally {
			this.ended = undefined;
			end();
		}
	}

	begins(): void {
		this.answered = new Promise((resolve) => (this.answer = resolve));
	}

	ends(): void {
		this.answer();
		this.answered = undefined;
	}

	private answer = () => {};

	/** True if a record has its values. */
	isOf(record: JsonObject): boolean {
		const { fields, isTerm } = this.matching;
		return fields.every((field) => shortKeyOf(record[field], isTerm) === this.keys[field]);
	}

	/**
	 * The relation to a record of another row: the plan of a run has compared its rows with each other. Equal
	 * calls of a tool are one row of one run.
	 *
	 * @param asks false to compare nothing but what the user has named
	 */
	relationTo(other: Compared, asks: boolean): Relation | undefined {
		const isOfRun = other.row !== undefined && other.row.run === this.row?.run;
		if (isOfRun && other.row?.row !== this.row?.row) return undefined;
		const relation = relationOf(this.keys, other.keys, this.matching);
		// Records of one execution may well have one title.
		const isOwn = this.row !== undefined && this.row.execution === other.row?.execution;
		const isAsked = asks && !(relation === 'alike' && isOwn);
		return relation === 'equal' || isAsked ? relation : undefined;
	}
}
