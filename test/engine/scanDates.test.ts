import { useSandbox } from '../support/fixture';

// How services date their rank scans, besides one time in each.

const DAY = 24 * 3_600_000;
/** Never ahead of the real one, by which the trigger knows what was there before it. */
let clock: number;
beforeEach(() => {
	clock = Date.now() - 5 * DAY;
});

const service = useSandbox({ locations: 3, now: () => new Date(clock) });
const after = (time: unknown, days: number) =>
	new Date(Date.parse(String(time)) + days * DAY).toISOString();

test.each<[string, (time: unknown) => object]>([
	['by the day alone', (time) => ({ date: String(time).slice(0, 10) })],
	[
		'with that of the next scan, a day later',
		(time) => ({ scanned_at: time, next_scan_at: after(time, 1) }),
	],
	[
		'with that of the next scan, a week later',
		(time) => ({ scanned_at: time, next_scan_at: after(time, 7) }),
	],
	['with the end of its validity', (time) => ({ scanned_at: time, valid_until: after(time, 30) })],
])('each scan is reported once where scans are dated %s', async (_, dated) => {
	const { account, faults } = service.sandbox;
	faults.add({
		when: { path: '/keywords/*/scans' },
		transform: (envelope) => ({
			...envelope,
			data: [envelope.data]
				.flat()
				.map(({ scanned_at, ...scan }) => ({ ...scan, ...dated(scanned_at) })),
		}),
	});
	const [{ id }] = account.locations;
	const keywords = account.keywordsOf(id).slice(0, 2);
	const poller = service.poller({ events: ['rankScanCompleted'], locationIds: [id] });
	expect(await poller.poll()).toEqual([]);
	for (let day = 1; day <= 3; day++) {
		clock += DAY;
		const added = keywords.map((keyword) => account.addScan(keyword, day));
		const items = await poller.poll<{ record: { id: string } }>();
		expect(items.map(({ record }) => record.id).sort()).toEqual(
			added.map((scan) => scan.id).sort(),
		);
		expect(await poller.poll()).toEqual([]);
	}
});
