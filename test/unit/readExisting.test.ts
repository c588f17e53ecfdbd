import {
	Account,
	type Connection,
	create,
	DEFAULT_PAGING,
	type JsonObject,
	readExisting,
} from '../../nodes/LocalSeo/client';
import { seededRandom, VirtualClock } from '../support/virtualClock';

const STALE = 32_000;
const clock = new VirtualClock();
const headers = () => ({ date: new Date(clock.now()).toUTCString() });

const newPost = (title: string) => ({
	method: 'POST' as const,
	path: '/locations/{locationId}/posts',
	ids: { locationId: 'loc_1' },
	query: {},
	body: { title },
	noun: 'content post',
});

/** A service whose list is a while old, by a test's own measure, or lacks what a test hides. */
class Service {
	readonly records: Array<JsonObject & { id: string; madeAt: number }> = [];
	private made = 0;
	readings = 0;
	staleness = 0;
	isHidden: (record: JsonObject) => boolean = () => false;

	readonly connection: Connection = {
		account: new Account(clock, seededRandom()),
		patienceMs: 300_000,
		timeoutMs: 60_000,
		transport: async ({ method, body = '{}' }) => {
			await clock.sleep(20);
			if (method === 'POST') {
				const { title } = JSON.parse(body) as JsonObject;
				const madeAt = clock.now();
				const created_at = new Date(madeAt).toISOString();
				this.records.push({ id: `post_${this.made++}`, title, created_at, madeAt });
				return { status: 201, headers: headers(), body: { data: this.records.at(-1) } };
			}
			this.readings++;
			const shown = this.records
				.filter(({ madeAt }) => madeAt <= clock.now() - this.staleness)
				.filter((record) => !this.isHidden(record));
			const meta = { current_page: 1, per_page: 100, total: shown.length };
			return { status: 200, headers: headers(), body: { data: shown, meta } };
		},
	};

	async create(title: string) {
		await clock.run(create(this.connection, newPost(title), DEFAULT_PAGING));
	}

	/** The titles that exist, and the milliseconds that it took to find out. */
	async existing(more: Partial<Connection> = {}) {
		const startedAt = clock.now();
		const records = await clock.run(
			readExisting({ ...this.connection, ...more }, newPost('New'), DEFAULT_PAGING),
		);
		const titles = records.map((record) => (record as JsonObject).title);
		return { titles, took: clock.now() - startedAt };
	}
}

let service: Service;
beforeEach(() => (service = new Service()));

test('a list that shows what was created is read once', async () => {
	await service.create('A');
	expect((await service.existing()).titles).toEqual(['A']);
	expect(service.readings).toBe(1);
});

test.each([3_000, 30_000])(
	'a list that is %d ms old is read until it shows what was created a moment ago',
	async (staleness) => {
		service.staleness = staleness;
		await service.create('A');
		const { titles, took } = await service.existing();
		expect(titles).toEqual(['A']);
		expect(took).toBeLessThan(Math.min(STALE + 1_000, 2 * staleness));
		expect(service.readings).toBeLessThan(8);
	},
);

test('what was deleted meanwhile is waited for once, and no longer than a list may be old', async () => {
	await service.create('A');
	service.records.pop();
	const { titles, took } = await service.existing();
	expect(titles).toEqual([]);
	expect(took).toBeLessThan(STALE + 1_000);
	expect((await service.existing()).took).toBeLessThan(100);
});

test('a deleted record among others does not hide that a list is old', async () => {
	await service.create('A');
	await service.create('B');
	service.records.shift();
	await clock.run(clock.sleep(STALE));
	service.staleness = 10_000;
	await service.create('C');
	expect((await service.existing()).titles).toEqual(['B', 'C']);
});

test('a list that never shows what is created (drafts, say) is not waited for again', async () => {
	service.isHidden = () => true;
	await service.create('A');
	expect((await service.existing()).took).toBeGreaterThan(20_000);
	await service.create('B');
	expect((await service.existing()).took).toBeLessThan(100);
});

test('the patience bounds it: then nothing is said to be absent', async () => {
	service.staleness = 30_000;
	await service.create('A');
	const startedAt = clock.now();
	await expect(service.existing({ patienceMs: 5_000 })).rejects.toMatchObject({
		kind: 'stale-list',
	});
	expect(clock.now() - startedAt).toBeLessThanOrEqual(5_000);
});

test('someone who is stopped waits no longer', async () => {
	service.staleness = 30_000;
	await service.create('A');
	const stop = new AbortController();
	void clock.sleep(2_000).then(() => stop.abort());
	const startedAt = clock.now();
	await expect(service.existing({ signal: stop.signal })).rejects.toThrow();
	expect(clock.now() - startedAt).toBeLessThan(3_000);
});
