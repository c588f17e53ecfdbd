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

test('a scan from before is never reported, also where its record was written later', async () => {
	const { trigger, scan, scans, polls, location, old } = scannedBefore();
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
	scans({ id: 'dead', status: 'running', created_at: at(now - 48 * HOUR) }, old);
	await polls(2);
	expect(trigger.asked).toEqual(['/locations']);
});
