import type { ErrorFacts, ServiceError } from '../request';
import {
	type Entry,
	type Evidence,
	type Fault,
	type ListLedger,
	type Search,
	times,
} from './listLedger';

/** How often a create is sent again once it is known to be absent. */
const MAX_RESENT: Record<Fault, number> = { own: 5, busy: 5, silent: 1 };
/** The words with which services say that a record exists already. */
const TAKEN = /\b(already|duplicate|taken|exists|unique)\b/i;
/** The number of readings that have to show that there is none. */
const ABSENT_TWICE = 2;
/** Readings that follow at once: after one that others have added to meanwhile, or to confirm an absence. */
const MOST_AT_ONCE = 10;

/**
 * Finds out what became of a create after a fault: looks at the list until it shows that, or the time is over.
 */
export async function confirm(search: Search, list: ListLedger, entry: Entry): Promise<Evidence> {
	const { connection, deadline } = search;
	const { clock } = connection.account;
	// A service that fails again has an error for this row.
	const isAgain = entry.fault === 'own' && entry.resent > 0;
	const schedule = times.looks[entry.fault === 'silent' ? 'silent' : isAgain ? 'ownAgain' : 'own'];
	const due = schedule.map((after) => entry.doubtSince + after);
	let absent = 0;
	let atOnce = 0;
	for (let next = due.shift(); next !== undefined; next = due.shift()) {
		const at = Math.max(next, clock.now());
		if (at > deadline) return 'unclear';
		await clock.sleep(at - clock.now(), connection.signal);
		const reading = await list.read(search);
		if (reading === 'refused') return 'unclear';
		if (reading === undefined) continue;
		const evidence = list.judge(reading, entry);
		if (typeof evidence === 'object') return evidence;
		if (evidence === 'unclear') absent = 0;
		if (evidence === 'absent' && ++absent >= ABSENT_TWICE) return 'absent';
		const isOpen = evidence === 'absent' || (evidence === 'nothing' && !reading.isWhole);
		if (isOpen && atOnce++ < MOST_AT_ONCE) due.unshift(clock.now() + times.atOnce);
	}
	return 'unclear';
}

/** How the response to a create was lost. */
export function howLost({ isOwnError, status }: ErrorFacts): Fault {
	return isOwnError ? (status === 503 ? 'busy' : 'own') : 'silent';
}

/** Takes one of the few times that a create which is absent may be sent again; false if none is left. */
export function claimResend(entry: Entry): boolean {
	return entry.resent++ < MAX_RESENT[entry.fault];
}

/** Whether the service says that there is such a record: an earlier attempt may have made it. */
export function isTaken({ facts: { status, said } }: ServiceError): boolean {
	const text = [said?.text, ...(said?.fields ?? [])].join(' ');
	return status === 409 || ([400, 422].includes(status ?? 0) && TAKEN.test(text));
}
