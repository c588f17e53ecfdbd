import type { Entry } from './entry';
import { type Evidence, type ListLedger, type Search, times } from './listLedger';

/** The number of readings that have to show that there is none. */
const ABSENT_TWICE = 2;
/** Readings that follow at once: after one that others have added to meanwhile, or to confirm an absence. */
const MOST_AT_ONCE = 10;

/** Looks at the list until it shows what became of the create, or the time is over. */
export async function look(search: Search, list: ListLedger, entry: Entry): Promise<Evidence> {
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
