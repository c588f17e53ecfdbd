import { HOUR, Trigger } from '../support/polledTrigger';

/** A location whose keyword was scanned before the trigger was activated. */
function scannedBefore() {
	const trigger = new Trigger({ events: ['rankScanCompleted'] });
	const at = (time: number) => new Date(time).toISOString();
	const before = trigger.clock.now() - 20 * HOUR;
	/** A scan as most programs keep it: its record is written some seconds later. */
	const scan = (id: string, time: number) => ({
		...{ id, position: 3, scanned_at: at(time) },
		...{ created_at: at(time + 5_000), updated_at: at(time + 5_000) },
	});
	const location = (time: number) => [{ id: 'loc_1', name: 'Marlow', last_scan_at: at(time) }];
	const scans = (...records: object[]) => {
		trigger.lists['/keywords/kw_1/scans'] = records as never;
	};
	trigger.locations = location(before);
	trigger.lists['/locations/loc_1/keywords'] = [{ id: 'kw_1', keyword: 'dentist' }];
	scans(scan('old', before));
	const polls = async (count: number) => {
		const reported: string[][] = [];
		for (let times = 0; times < count; times++) reported.push(await trigger.reported());
		return reported.flat();
	};
	return { trigger, at, scan, scans, polls, location, old: scan('old', before) };
}

test.each<[string, (of: { scanned_at: string }, later: (seconds: number) => string) => object]>([
	['as most are', (scan) => scan],
	['without its end', (scan) => ({ ...scan, scanned_at: undefined })],
	[
		'that is dated at its end',
		(scan, later) => ({ ...scan, scanned_at: undefined, completed_at: later(180) }),
	],
])('a scan from before is never reported: %s', async (_, form) => {
	const { trigger, scan, scans, polls, location, old: given } = scannedBefore();
	const later = (seconds: number) =>
		new Date(Date.parse(given.scanned_at) + seconds * 1000).toISOString();
	const old = { ...form(given, later), id: given.id };
	scans(old);
	expect(await polls(14)).toEqual([]);
	const now = trigger.clock.now();
	trigger.locations = location(now);
	scans(scan('new', now), old);
	expect(await polls(14)).toEqual(['rankScanCompleted new']);
});

test('a scan that goes on is reported at the poll after its end, and nothing is logged', async () => {
	const { trigger, at, scans, polls, location, old } = scannedBefore();
	await polls(1);
	const now = trigger.clock.now();
	// The location is dated when the scan begins.
	trigger.locations = location(now);
	const running = { id: 'new', status: 'running', created_at: at(now), scanned_at: null };
	scans(running, old);
	expect(await polls(2)).toEqual([]);
	scans({ ...running, status: 'completed', position: 8, scanned_at: at(now + 90_000) }, old);
	expect(await polls(1)).toEqual(['rankScanCompleted new']);
	expect(trigger.warnings).toEqual([]);
});

test('a scan that never ends does not keep the lists of its location from being left alone', async () => {
	const { trigger, at, scans, polls, location, old } = scannedBefore();
	await polls(1);
	const now = trigger.clock.now();
	trigger.locations = location(now);
	for (const open of [
		{ status: 'running', created_at: at(now - 48 * HOUR) },
		{ status: 'scheduled', scanned_at: at(now + 48 * HOUR) },
		{ status: 'queued' },
	]) {
		scans({ id: 'open', ...open }, old);
		await polls(2);
		expect(trigger.asked).toEqual(['/locations']);
	}
});
