import type { Entry } from './entry';
import { type Evidence, type ListLedger, type Search, times } from './listLedger';

/** So many readings have to show that there is none. */
const ABSENT_TWICE = 2;
/** A list that others add to while it is read is looked at so much more often, every so many milliseconds. */
const MORE_LOOKS = 10;
const MORE_AFTER = 3_000;

/** Looks at the list until it shows what became of the create, or the time is over. */
export async function look(search: Search, list: ListLedger, entry: Entry): Promise<Evidence> {
	const { connection, deadline } = search;
	const { clock } = connection.account;
	// Who fails again has an error for this row.
	const isAgain = entry.fault === 'own' && entry.resent > 0;
	const schedule = times.looks[entry.fault === 'silent' ? 'silent' : isAgain ? 'ownAgain' : 'own'];
	const end = schedule[schedule.length - 1];
	const more = Array.from({ length: MORE_LOOKS }, (_, index) => end + (index + 1) * MORE_AFTER);
	let absent = 0;
	// Whether the last reading showed all that one can: more of them would say the same.
	let showedAll = false;
	for (const after of [...schedule, ...more]) {
		const at = Math.max(entry.doubtSince + after, clock.now());
		if (at > deadline || (after > end && showedAll)) return 'unclear';
		await clock.sleep(at - clock.now(), connection.signal);
		const reading = await list.read(search);
		if (reading === 'refused') return 'unclear';
		if (reading === undefined) continue;
		const evidence = list.judge(reading, entry);
		if (typeof evidence === 'object') return evidence;
		if (evidence === 'unclear') absent = 0;
		if (evidence === 'absent' && ++absent >= ABSENT_TWICE) return 'absent';
		showedAll = evidence === 'unclear' || (evidence === 'nothing' && reading.isComplete);
	}
	return 'unclear';
}
