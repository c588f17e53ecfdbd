import type { JsonObject } from '../../nodes/LocalSeo/client';
import { clock, page, type Pages, read, refusal } from '../support/pages';

/** What happens to a list after so many of its pages have been answered, over all readings. */
interface Change {
	after: number;
	/** The record that goes, by its place; or one that comes. */
	removed?: number;
}

interface Manner {
	order: 'newest-first' | 'oldest-first';
	pageSize: number;
	/** What its pages say besides their records. */
	says: Array<'current_page' | 'per_page' | 'total'>;
	/** Whether records say when they were created. */
	isDated: boolean;
	/** Milliseconds to which they say it. */
	granularity: number;
	/** Milliseconds by which their clock is late. */
	late: number;
}

interface Row extends JsonObject {
	id: string;
	created_at?: string;
}

const SAYS_ALL: Manner = {
	order: 'newest-first',
	pageSize: 2,
	says: ['current_page', 'per_page', 'total'],
	isDated: true,
	granularity: 1,
	late: 0,
};
const HOUR = 3_600_000;
const DAY = 86_400_000;

/** A list whose records come and go while it is read. */
class ChangingList {
	private readonly rows: Row[] = [];
	private made = 0;
	private answered = 0;
	readings = 0;
	/** The IDs of what was there when the last reading began, and has not gone since. */
	private throughout = new Set<string>();

	/** @param changes all of them, or what happens after each page */
	constructor(
		private readonly manner: Manner,
		size: number,
		private readonly changes: Change[] | (() => Omit<Change, 'after'>[]),
	) {
		const from = clock.now() - HOUR;
		for (let index = 0; index < size; index++) this.add(from + index * 1_000);
	}

	get pages(): Pages {
		return (number) => {
			const { pageSize, says, order } = this.manner;
			if (number === undefined) {
				this.readings++;
				this.throughout = new Set(this.rows.map(({ id }) => id));
			}
			const listed = order === 'newest-first' ? [...this.rows].reverse() : this.rows;
			const start = ((number ?? 1) - 1) * pageSize;
			const meta: JsonObject = {
				current_page: number ?? 1,
				per_page: pageSize,
				total: listed.length,
			};
			const said = Object.fromEntries(says.map((name) => [name, meta[name]]));
			const response = page(listed.slice(start, start + pageSize), said);
			this.answered++;
			for (const { removed } of this.changesNow()) {
				if (removed === undefined) this.add(clock.now());
				else this.remove(removed);
			}
			return response;
		};
	}

	private changesNow() {
		if (!Array.isArray(this.changes)) return this.changes();
		return this.changes.filter(({ after }) => after === this.answered);
	}

	/** Of what was there all the time, what a result does not have. */
	missingIn(result: Row[]): string[] {
		const shown = new Set(result.map(({ id }) => id));
		return [...this.throughout].filter((id) => !shown.has(id));
	}

	private add(at: number) {
		const { isDated, granularity, late } = this.manner;
		const created = new Date(at - (at % granularity) - late).toISOString();
		this.rows.push({ id: `loc_${++this.made}`, ...(isDated && { created_at: created }) });
	}

	private remove(place: number) {
		const [row] = this.rows.splice(place, 1);
		if (row) this.throughout.delete(row.id);
	}
}

async function readList(
	manner: Partial<Manner>,
	size: number,
	changes: ConstructorParameters<typeof ChangingList>[2],
) {
	// In the middle of a second, as most of the time.
	clock.moveTo(Math.ceil(clock.now() / 1_000) * 1_000 + 400);
	const list = new ChangingList({ ...SAYS_ALL, ...manner }, size, changes);
	const { result, facts, asked } = await read(list.pages);
	const rows = Array.isArray(result) ? (result as Row[]) : undefined;
	return { rows, facts, asked, readings: list.readings, missing: rows && list.missingIn(rows) };
}

/** Every way in which a list changes once or twice while that many pages are read. */
function* schedules(pages: number, ways: number[]): Generator<Change[]> {
	const single: Change[] = [];
	for (let after = 1; after <= pages; after++) {
		for (const removed of [undefined, ...ways]) single.push({ after, removed });
	}
	for (const [index, first] of single.entries()) {
		yield [first];
		for (const second of single.slice(index)) yield [first, second];
	}
}

const ORDERS = ['newest-first', 'oldest-first'] as const;

describe('a dated list with a total, changed twice while it is read', () => {
	test.each(
		ORDERS.flatMap((order) => [
			...[1, 1_000, 60_000, DAY].map((granularity) => ({ order, granularity, late: 0 })),
			...[5_000, 5 * HOUR].map((late) => ({ order, granularity: 1, late })),
		]),
	)(
		'has all that was there all the time: $order, to $granularity ms, $late ms late',
		async (manner) => {
			const lost: string[] = [];
			let readAtOnce = 0;
			for (const size of [3, 5]) {
				const pages = Math.ceil(size / SAYS_ALL.pageSize);
				for (const changes of schedules(pages, [0, 2, 4])) {
					// No total shows both between the same pages.
					if (manner.late > 0 && changes[0].after === changes[1]?.after) continue;
					const { missing, readings } = await readList(manner, size, changes);
					if (missing && missing.length > 0) lost.push(JSON.stringify({ size, changes, missing }));
					if (readings === 1) readAtOnce++;
				}
			}
			expect(lost).toEqual([]);
			// Days don't tell what was there when a reading of the same day began, nor do dates that are late.
			const isTelling = manner.granularity < DAY && manner.late === 0;
			if (isTelling) expect(readAtOnce).toBeGreaterThan(30);
		},
	);
});

describe('a list that changes once while it is read, without dates,', () => {
	test.each(ORDERS)('has all that was there all the time: %s', async (order) => {
		const lost: string[] = [];
		for (const size of [3, 5]) {
			const pages = Math.ceil(size / SAYS_ALL.pageSize);
			for (const change of schedules(pages, [0, 2, 4])) {
				if (change.length > 1) continue;
				const { missing } = await readList({ order, isDated: false }, size, change);
				if (missing === undefined || missing.length > 0)
					lost.push(JSON.stringify({ size, change }));
			}
		}
		expect(lost).toEqual([]);
	});
});

describe('a list whose dates are wrong', () => {
	test('is not taken to be whole where more were added than moved others on', async () => {
		const created_at = new Date(clock.now() - 5 * HOUR).toISOString();
		const all = ['f', 'e', 'd', 'c', 'b', 'a'].map((id) => ({ id, created_at }));
		let readings = 0;
		const pages: Pages = (number = 1) => {
			if (number === 1) readings++;
			const isFirst = readings === 1 && number === 1;
			if (readings === 1 && number === 3) return refusal(404);
			const listed = isFirst ? all.slice(3) : all;
			const meta = { current_page: number, per_page: 2, total: listed.length };
			return page(listed.slice(number * 2 - 2, number * 2), meta);
		};
		const { result } = await read(pages);
		expect(result).toEqual(all);
	});

	test('is not taken to be whole where its clock is set back meanwhile', async () => {
		const at = (time: number) => new Date(time).toISOString();
		const start = clock.now();
		const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => ({ id, created_at: at(start - HOUR) }));
		const [x, y] = ['x', 'y'].map((id) => ({ id, created_at: at(start + 1_000) }));
		const late = { ...y, created_at: at(start - HOUR) };
		let readings = 0;
		const pages: Pages = (number = 1) => {
			if (number === 1) readings++;
			const isChanged = readings > 1 || number > 1;
			const all = isChanged ? [a, c, d, x, late] : [a, b, c, d];
			const meta = { current_page: number, per_page: 2, total: all.length };
			const response = page(all.slice(number * 2 - 2, number * 2), meta);
			const date = new Date(isChanged ? start - HOUR : start).toUTCString();
			return { ...response, headers: { date } };
		};
		const { result } = await read(pages);
		expect(result).toEqual([a, c, d, x, late]);
	});

	test('is read though its last record was removed between two readings', async () => {
		const tomorrow = new Date(clock.now() + 24 * HOUR).toISOString();
		const all = ['a', 'b', 'c'].map((id) => ({ id, created_at: tomorrow }));
		let readings = 0;
		const pages: Pages = (number = 1) => {
			if (number === 1) readings++;
			const listed = readings === 1 ? all : all.slice(0, 2);
			const meta = { current_page: number, per_page: 1, total: listed.length };
			return page(listed.slice(number - 1, number), meta);
		};
		const { result } = await read(pages);
		expect(result).toEqual(all.slice(0, 2));
	});
});

describe('how often a list is read', () => {
	test.each(ORDERS)('once where it only grows, and says when: %s', async (order) => {
		for (const after of [1, 2, 3]) {
			const { rows, readings, missing } = await readList({ order }, 5, [{ after }]);
			expect({ readings, missing }).toEqual({ readings: 1, missing: [] });
			expect(rows!.length).toBeGreaterThanOrEqual(5);
		}
	});

	test.each(ORDERS)('again where one was removed behind one that was added: %s', async (order) => {
		const removed = order === 'newest-first' ? 4 : 0;
		const { readings, missing } = await readList({ order }, 5, [
			{ after: 1, removed },
			{ after: 2 },
		]);
		expect({ readings, missing }).toEqual({ readings: 2, missing: [] });
	});

	test.each(ORDERS)('twice at most while others add all the time: %s', async (order) => {
		const ways = [
			{ pageSize: 2, granularity: 1 },
			{ pageSize: 2, granularity: 1_000 },
			{ pageSize: 5, granularity: 1_000 },
		];
		for (const way of ways) {
			const { readings, missing } = await readList({ ...way, order }, 12, () => [{}]);
			expect(missing).toEqual([]);
			expect(readings).toBeLessThanOrEqual(2);
		}
	});

	test('once, and not for ever, where its end moves on as fast as it is read', async () => {
		const pace = [{}, {}];
		const { asked, readings, missing } = await readList({ order: 'oldest-first' }, 12, () => pace);
		expect({ readings, missing }).toEqual({ readings: 1, missing: [] });
		// A page takes 20 ms: after 50 of them, it is more than a second that all is younger than the reading.
		expect(asked.length).toBeLessThan(80);
	});

	test('three times at most, some pages each, where the same page grows whatever is asked for', async () => {
		let made = 5;
		const pages: Pages = () => {
			made++;
			return page(Array.from({ length: made }, (_, index) => ({ id: `${made - index}` })));
		};
		const { asked } = await read(pages);
		expect(asked.length).toBeLessThanOrEqual(15);
	});
});
