import type { Account } from '../account';
import { idOf } from '../http/records';
import type { ServiceRequest } from '../request';
import type { Entry, RowKey } from './entry';
import { Ledger } from './ledger';
import type { Search, Snapshot } from './readings';
import { type Before, LAG } from './versions';

/** How long a run that is over is remembered (ms): n8n may try it again. */
const REMEMBERED_FOR = 3_600_000;

/** The result of a row, in a few bytes. */
export interface Done {
	/** The ID of its record; where the response had none, the hash of the keys that are compared. */
	id?: string;
	values?: string;
	/** The fields that the service keeps otherwise than they were sent. */
	changed?: string[];
	/** True if it has changed a record that existed. */
	isUpdate?: boolean;
	/** The flaw that was found in its record. */
	warning?: string;
}

/** The run of a node. */
type RunKey = Pick<RowKey, 'execution' | 'run'>;

/** One run of a node, over all its tries. */
interface Run {
	execution: string;
	/** How many tries of it are going on. */
	tries: number;
	usedAt: number;
	/** By row. */
	done: Map<number | string, Done>;
	inDoubt: Map<number | string, Entry>;
	/** The lists that it has read. */
	ledgers: Set<Ledger>;
}

/** The memory of all that this process has done, or may have done, in one account. Nothing is dropped for want of room. */
class Memory {
	private readonly runs = new Map<string, Run>();
	private readonly ledgers = new Map<string, Ledger>();
	/** When records were deleted, by noun and ID: lists may show them for a while. */
	private readonly deleted = new Map<string, number>();

	constructor(private readonly account: Account) {}

	/** The list that a create adds to. */
	ledgerOf({ path, ids, noun }: ServiceRequest): Ledger {
		const key = [path, ...Object.values(ids)].join('\n');
		const ledger = this.ledgers.get(key) ?? new Ledger(noun);
		this.ledgers.set(key, ledger);
		return ledger;
	}

	/** A record that was deleted counts no more: its values make a new one. */
	noteDeleted(noun: string, id: string): void {
		this.deleted.set(`${noun} ${id}`, this.account.clock.now());
		for (const ledger of this.ledgers.values()) if (ledger.noun === noun) ledger.remove(id);
	}

	/** An ID may be given again. */
	noteCreated(noun: string, id: string | undefined): void {
		this.deleted.delete(`${noun} ${id}`);
	}

	/** True if a list shows a record that was deleted lately. */
	isDeleted(noun: string, record: unknown): boolean {
		const at = this.deleted.get(`${noun} ${idOf(record)}`) ?? -Infinity;
		return this.account.clock.now() - at < LAG;
	}

	/** The create of an earlier try of a row that is in doubt. */
	inDoubt(row: RowKey | undefined): Entry | undefined {
		if (!row) return undefined;
		const own = this.runOf(row).inDoubt.get(row.row);
		if (own !== undefined || row.call === undefined) return own;
		const runs = [...this.runs.values()].filter((run) => run.execution === row.execution);
		const open = runs.flatMap(({ inDoubt }) => [...inDoubt.values()]);
		return open.find((entry) => entry.row?.call === row.call);
	}

	noteDoubt(entry: Entry, isInDoubt: boolean): void {
		const { row } = entry;
		if (!row) return;
		const { inDoubt } = this.runOf(row);
		if (isInDoubt) inDoubt.set(row.row, entry);
		else inDoubt.delete(row.row);
	}

	/** As long as the run goes on, nothing is forgotten that was created since it has read the list. */
	noteReader(key: RunKey | undefined, request: ServiceRequest, before: Before): void {
		const run = key && this.runOf(key);
		if (!run || run.tries === 0) return;
		const ledger = this.ledgerOf(request);
		if (run.ledgers.has(ledger)) return;
		run.ledgers.add(ledger);
		ledger.noteReader(key.run, before);
	}

	/** What the runs of an execution have created: IDs, or hashes of keys. */
	createdBy(execution: string | undefined): ReadonlySet<string> {
		const runs = [...this.runs.values()].filter((run) => run.execution === execution);
		const names = runs.flatMap(({ done }) =>
			[...done.values()].map(({ id, values }) => id ?? values),
		);
		return new Set(names.filter((name) => name !== undefined));
	}

	private runOf({ run: name, execution }: RunKey): Run {
		const known = this.runs.get(name);
		if (known) {
			known.usedAt = this.account.clock.now();
			return known;
		}
		const run: Run = {
			...{ execution, tries: 0, usedAt: this.account.clock.now() },
			...{ done: new Map(), inDoubt: new Map(), ledgers: new Set() },
		};
		this.runs.set(name, run);
		return run;
	}

	/** Does the work of one try of a run: as long as it goes on, nothing of it is forgotten. */
	async during<T>(key: RunKey, work: () => Promise<T>): Promise<T> {
		this.forget();
		const run = this.runOf(key);
		run.tries++;
		this.account.runs++;
		try {
			return await work();
		} finally {
			this.account.runs--;
			this.account.usedAt = run.usedAt = this.account.clock.now();
			if (--run.tries === 0) {
				for (const ledger of run.ledgers) ledger.noteEnd(key.run);
				run.ledgers.clear();
			}
		}
	}

	/** The result of an earlier try of a row; undefined: it has done nothing. */
	doneBy(row: RowKey | undefined): Done | undefined {
		return row && this.runOf(row).done.get(row.row);
	}

	/** Remembers what a row came to that n8n may run again. */
	noteDone(row: RowKey | undefined, done: Done): void {
		if (!row) return;
		const { done: all, inDoubt } = this.runOf(row);
		inDoubt.delete(row.row);
		all.set(row.row, done);
	}

	private forget(): void {
		const now = this.account.clock.now();
		for (const [name, { tries, usedAt }] of this.runs) {
			if (tries === 0 && now - usedAt > REMEMBERED_FOR) this.runs.delete(name);
		}
		for (const [name, at] of this.deleted) if (now - at >= LAG) this.deleted.delete(name);
		for (const [key, ledger] of this.ledgers) {
			if (ledger.isEmpty(now)) this.ledgers.delete(key);
		}
	}
}

/** Released with their accounts. */
const memories = new WeakMap<Account, Memory>();

export function memoryOf(account: Account): Memory {
	const memory = memories.get(account) ?? new Memory(account);
	memories.set(account, memory);
	return memory;
}

/** Does the work of one try of a run; absent: outside of executions, nothing is tried again. */
export async function duringRun<T>(
	account: Account,
	run: RunKey | undefined,
	work: () => Promise<T>,
): Promise<T> {
	return run === undefined ? await work() : await memoryOf(account).during(run, work);
}

/** Notes that a run has read a list with which its rows are compared. */
export function noteReader(
	account: Account,
	run: RunKey | undefined,
	request: ServiceRequest,
	before: Before,
): void {
	memoryOf(account).noteReader(run, request, before);
}

/**
 * Reads the list that a create adds to, together with all who look for a record there; undefined if that
 * fails or takes too long.
 */
export async function lookAt(search: Search): Promise<Snapshot | undefined> {
	const { account } = search.connection;
	return await memoryOf(account).ledgerOf(search.request).readings.read(search);
}

/** The records of a list without those that were deleted lately. */
export function withoutDeleted(account: Account, noun: string, records: unknown[]): unknown[] {
	return records.filter((record) => !memoryOf(account).isDeleted(noun, record));
}

/** True if an earlier try of a row was sent: it is done, or in doubt. */
export function isRepeated(account: Account, row: RowKey | undefined): boolean {
	const memory = memoryOf(account);
	return memory.doneBy(row) !== undefined || memory.inDoubt(row) !== undefined;
}

/** The result of an earlier try of a row; undefined: it has done nothing. */
export function doneBy(account: Account, row: RowKey | undefined): Done | undefined {
	return memoryOf(account).doneBy(row);
}

/** Why it is not known what became of an earlier try of a row; undefined: it is known. */
export function doubtOf(account: Account, row: RowKey | undefined): Error | undefined {
	return memoryOf(account).inDoubt(row)?.error;
}

/** Notes what is wrong with the record that a row has created: another try says it, too. */
export function noteWarning(account: Account, row: RowKey | undefined, warning: string): void {
	const done = memoryOf(account).doneBy(row);
	if (done) done.warning = warning;
}

/** What the runs of an execution have created: IDs or, where there are none, hashes of keys. */
export function createdBy(account: Account, execution: string | undefined): ReadonlySet<string> {
	return memoryOf(account).createdBy(execution);
}
