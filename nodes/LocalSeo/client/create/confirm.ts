import type { Entry } from './entry';
import type { Evidence, Ledger } from './ledger';
import { inTime, READING_TAKES, type Search } from './readings';

/**
 * Times after a fault (ms); docs/reliability.md states what they add up to. The tests that wait in
 * real time shorten them.
 */
export const times = {
	/** The list is looked at after silence, and after the service's own 500. */
	looks: {
		silent: [1_000, 5_000, 15_000, 30_000, 60_000, 90_000, 95_000],
		own: [1_000, 5_000, 15_000],
	},
	/** A reading of the list as it is after this time can prove an absence; the second one starts so much later. */
	absentFrom: 90_000,
	absentAgain: 5_000,
};

/** Readings that must agree that the record is absent. */
const READINGS_OF_ABSENCE = 2;

/**
 * Finds out what became of a create after a fault: looks at the list until it shows that, or the time is over.
 *
 * @param fault after the service's own 500, one reading that shows no record is enough to say so
 * @param endsAt when it is given up at the latest, by the account's clock (ms)
 */
export async function confirm(
	given: Omit<Search, 'deadline'>,
	ledger: Ledger,
	entry: Entry,
	{ fault, endsAt = Infinity }: { fault: keyof typeof times.looks; endsAt?: number },
): Promise<Evidence> {
	const { account, signal } = given.connection;
	const { clock } = account;
	const { doubtSince = clock.now() } = entry;
	const looks = times.looks[fault].map((after) => doubtSince + after);
	const due = looks.filter((at) => at > clock.now());
	// Someone who comes back later looks twice at once.
	while (due.length < READINGS_OF_ABSENCE) due.unshift(clock.now());
	const deadline = Math.min(endsAt, due[due.length - 1] + READING_TAKES);
	const search = { ...given, deadline };
	let absent = 0;
	let last: Evidence = 'unclear';
	for (let look = due.shift(); look !== undefined; look = due.shift()) {
		const at = Math.max(look, clock.now());
		if (at >= deadline) break;
		await clock.sleep(at - clock.now(), signal);
		const reading = await ledger.readings.read(search);
		entry.lookedAt = clock.now();
		last = 'unclear';
		if (reading) {
			last = ledger.judge(reading, entry, clock.wall());
			// Creates that were on their way may have made what is new.
			if (typeof last !== 'object' && (await inTime(search, async () => await reading.landed))) {
				last = ledger.judge(reading, entry, clock.wall());
			}
		}
		if (typeof last === 'object') return last;
		if (reading === undefined || last === 'unclear') absent = 0;
		else if (fault === 'silent') {
			const age = reading.startedAt - reading.asOf;
			const isLate = reading.asOf >= doubtSince + times.absentFrom;
			if (isLate && ++absent === READINGS_OF_ABSENCE) return 'absent';
			// The next one that counts: a cache shows an earlier list.
			const next = isLate ? reading.startedAt : doubtSince + times.absentFrom + age;
			if (due.length === 0 || isLate) due.splice(0, Infinity, next + times.absentAgain);
		}
	}
	// After silence, it takes two readings to prove an absence.
	return fault === 'own' ? last : 'unclear';
}
