import type { Entry, Evidence, ListLedger, Search } from './listLedger';

/**
 * Times after a fault (ms); docs/dev/guarantees.md states what they add up to. The tests that wait in
 * real time shorten them.
 */
export const times = {
	/** When the list is looked at after silence, and after the service's own 500. */
	looks: {
		silent: [1_000, 5_000, 15_000, 30_000, 60_000, 90_000, 95_000],
		own: [1_000, 5_000, 15_000],
	},
	/** From when on a reading can show that there is none, and the time between the two that do. */
	absentFrom: 90_000,
	absentAgain: 5_000,
	/** How long the last reading may take. */
	lastReading: 60_000,
};

/** Readings that must agree that the record is absent. */
const READINGS_OF_ABSENCE = 2;

/**
 * Finds out what became of a create after a fault: looks at the list until it shows that, or the time is over.
 *
 * @param endsAt when it is given up at the latest, by the account's clock (ms)
 */
export async function confirm(
	search: Omit<Search, 'deadline'>,
	list: ListLedger,
	entry: Entry,
	endsAt = Infinity,
): Promise<Evidence> {
	const { clock } = search.connection.account;
	const { doubtSince = clock.now(), isOwnError } = entry;
	const looks = times.looks[isOwnError ? 'own' : 'silent'].map((after) => doubtSince + after);
	const last = Math.max(clock.now(), ...looks) + times.lastReading;
	const deadline = Math.min(endsAt, last);
	let absent = 0;
	let notBefore = -Infinity;
	for (const due of looks) {
		const at = Math.max(due, notBefore, clock.now());
		if (at >= deadline) return 'unclear';
		await clock.sleep(at - clock.now(), search.connection.signal);
		const reading = await list.read({ ...search, deadline });
		if (reading === 'refused') return 'unclear';
		if (reading === undefined) continue;
		const evidence = list.judge(reading, entry, clock.now());
		if (typeof evidence === 'object') return evidence;
		if (evidence === 'unclear' || reading.startedAt < doubtSince + times.absentFrom) continue;
		if (++absent === READINGS_OF_ABSENCE) return 'absent';
		notBefore = reading.startedAt + times.absentAgain;
	}
	return 'unclear';
}
