import { Capacity, MAX_IN_FLIGHT, MAX_KINDS } from '../../nodes/LocalSeo/client/governor/capacity';
import { seededRandom } from '../support/virtualClock';

const KIND = 'GET /locations';

/** A service with so many workers: with more in flight, each waits for the others. */
class Service {
	private readonly random: () => number;

	constructor(
		readonly workers: number,
		readonly workMs = 100,
		/** By what part, at most, an answer takes longer or less long than another one. */
		private readonly spread = 0.1,
		seed = 7,
	) {
		this.random = seededRandom(seed);
	}

	takes(inFlight: number): number {
		const chance = 1 + this.spread * (2 * this.random() - 1);
		return this.workMs * Math.max(1, inFlight / this.workers) * chance;
	}
}

/** So many answers, with as many requests in flight as are allowed. */
function answer(capacity: Capacity, service: Service, count: number, kind = KIND): number[] {
	return Array.from({ length: count }, () => {
		const inFlight = capacity.limit;
		capacity.answered(inFlight, service.takes(inFlight), kind);
		return inFlight;
	});
}
const most = (limits: number[]) => Math.max(...limits);
const mean = (limits: number[]) => limits.reduce((a, b) => a + b) / limits.length;

test('it begins with four', () => {
	expect(new Capacity().limit).toBe(4);
});

test.each([1, 2, 4, 8, 16, 32, 64])(
	'%d workers are kept busy, and hardly more than that',
	(workers) => {
		const capacity = new Capacity();
		const service = new Service(workers);
		answer(capacity, service, 400 + 20 * workers);
		const after = answer(capacity, service, 600);
		expect(mean(after)).toBeGreaterThan(0.9 * Math.min(workers, MAX_IN_FLIGHT));
		expect(mean(after)).toBeLessThan(1.8 * workers + 2);
	},
);

test('of answers that differ by much, it makes no more of it than half as many again', () => {
	const after = [3, 7, 11].flatMap((seed) => {
		const capacity = new Capacity();
		const service = new Service(16, 100, 0.9, seed);
		answer(capacity, service, 700);
		return answer(capacity, service, 800);
	});
	expect(mean(after)).toBeGreaterThan(16);
	expect(mean(after)).toBeLessThan(24);
});

test('of answers that are all the same, too', () => {
	const capacity = new Capacity();
	answer(capacity, new Service(8, 100, 0), 400);
	const after = mean(answer(capacity, new Service(8, 100, 0), 600));
	expect(after).toBeGreaterThan(8);
	expect(after).toBeLessThan(14);
});

test('of thirty-two workers, four are left: a few dozen answers later, much less is sent', () => {
	const capacity = new Capacity();
	answer(capacity, new Service(32), 1_000);
	answer(capacity, new Service(4), 60);
	expect(mean(answer(capacity, new Service(4), 100))).toBeLessThan(20);
});

test('requests that are sent alone now and then do not lower it', () => {
	const capacity = new Capacity();
	const service = new Service(16);
	answer(capacity, service, 600);
	const after = Array.from({ length: 600 }, (_, index) => {
		const inFlight = index % 5 === 0 ? 1 : capacity.limit;
		capacity.answered(inFlight, service.takes(inFlight), KIND);
		return capacity.limit;
	});
	expect(mean(after)).toBeGreaterThan(20);
});

test('it never allows more than n8n and the machine bear', () => {
	expect(most(answer(new Capacity(), new Service(1_000), 5_000))).toBe(MAX_IN_FLIGHT);
});

test('it grows step by step, and only after what is allowed was used', () => {
	const limits = answer(new Capacity(), new Service(1_000), 1_000);
	const isStep = (limit: number, at: number) =>
		// After a dip it is again what it was.
		limit <= 1.6 * (Math.max(...limits.slice(0, Math.max(1, at))) + 1) + 1;
	expect(limits.every(isStep)).toBe(true);
	expect(limits.slice(0, 5)).toEqual([4, 4, 4, 4, 7]);
	const unused = new Capacity();
	for (let answers = 0; answers < 500; answers++) unused.answered(2, 100, KIND);
	expect(unused.limit).toBeLessThanOrEqual(7);
});

test('now and then, fewer are sent for a moment, to compare', () => {
	const capacity = new Capacity();
	const service = new Service(32);
	answer(capacity, service, 1_000);
	const after = answer(capacity, service, 1_000);
	const few = after.filter((limit) => limit < 0.5 * mean(after));
	expect(few.length).toBeGreaterThan(10);
	expect(few.length).toBeLessThan(200);
	expect(Math.min(...few)).toBeGreaterThanOrEqual(0.34 * 0.5 * mean(after));
});

test.each([
	[32, 4],
	[4, 32],
])('of %d workers, %d are left: soon, as many are kept busy', (before, left) => {
	const capacity = new Capacity();
	answer(capacity, new Service(before), 1_000);
	answer(capacity, new Service(left), 600);
	const after = mean(answer(capacity, new Service(left), 300));
	expect(after).toBeGreaterThan(0.8 * left);
	expect(after).toBeLessThan(2 * left + 2);
});

test('a service that needs longer for each is not taken for one with fewer workers', () => {
	const capacity = new Capacity();
	answer(capacity, new Service(16, 100), 1_000);
	answer(capacity, new Service(16, 400), 800);
	expect(mean(answer(capacity, new Service(16, 400), 400))).toBeGreaterThan(13);
});

test('few answers that take very long do not decide', () => {
	const capacity = new Capacity();
	const service = new Service(16);
	const after = Array.from({ length: 2_000 }, (_, index) => {
		const inFlight = capacity.limit;
		const takes = service.takes(inFlight) * (index % 20 === 0 ? 30 : 1);
		capacity.answered(inFlight, takes, KIND);
		return inFlight;
	}).slice(1_000);
	expect(mean(after)).toBeGreaterThan(12);
	expect(mean(after)).toBeLessThan(34);
});

describe('a service that fails', () => {
	/** Refuses what is beyond so many in flight. */
	function use(capacity: Capacity, bears: number, count: number): number[] {
		const service = new Service(64);
		return Array.from({ length: count }, () => {
			const inFlight = capacity.limit;
			if (inFlight > bears) capacity.failed(inFlight);
			else capacity.answered(inFlight, service.takes(inFlight), KIND);
			return inFlight;
		});
	}

	test.each([2, 8, 20])('if more than %d are in flight is sent no more than that', (bears) => {
		const capacity = new Capacity();
		use(capacity, bears, 500);
		const after = use(capacity, bears, 500);
		expect(after.filter((limit) => limit > bears).length).toBeLessThan(25);
		expect(mean(after)).toBeGreaterThan(0.5 * bears);
	});

	test('is asked for more when it bears more', () => {
		const capacity = new Capacity();
		use(capacity, 8, 500);
		use(capacity, 64, 1_500);
		expect(mean(use(capacity, 64, 300))).toBeGreaterThan(30);
	});

	test('as often with few in flight as with many is not sent fewer', () => {
		const capacity = new Capacity();
		const service = new Service(16);
		const after = Array.from({ length: 2_000 }, (_, index) => {
			const inFlight = capacity.limit;
			if (index % 10 === 0) capacity.failed(inFlight);
			else capacity.answered(inFlight, service.takes(inFlight), KIND);
			return inFlight;
		}).slice(1_000);
		expect(mean(after)).toBeGreaterThan(12);
	});

	test('unless it is asked one at a time is asked so', () => {
		const after = use(new Capacity(), 1, 300).slice(100);
		expect(mean(after)).toBeLessThan(1.1);
	});

	test('whatever it is asked is not asked for less: that would not help', () => {
		const capacity = new Capacity();
		for (let failures = 0; failures < 100; failures++) capacity.failed(capacity.limit);
		expect(capacity.limit).toBe(4);
	});
});

test('after it was down, it is asked for four at first, and then for what it can do', () => {
	const capacity = new Capacity();
	const service = new Service(32);
	answer(capacity, service, 1_000);
	capacity.restart();
	expect(capacity.limit).toBe(4);
	const again = answer(capacity, service, 60);
	expect(again[3]).toBe(4);
	expect(most(again)).toBeGreaterThan(20);
});

test('one that can do less than four is asked for no more after it was down', () => {
	const capacity = new Capacity();
	answer(capacity, new Service(1), 500);
	const { limit } = capacity;
	capacity.restart();
	expect(capacity.limit).toBe(limit);
});

describe('kinds of requests', () => {
	test('that take longer than others do not make the service seem slow', () => {
		const capacity = new Capacity();
		const [quick, slow] = [new Service(16, 20), new Service(16, 2_000)];
		answer(capacity, quick, 500);
		for (let turns = 0; turns < 300; turns++) {
			answer(capacity, quick, 1);
			answer(capacity, slow, 2, 'GET /insights');
		}
		const after = Array.from({ length: 200 }, () => {
			answer(capacity, quick, 1);
			return answer(capacity, slow, 1, 'GET /insights')[0];
		});
		expect(mean(after)).toBeGreaterThan(13);
		expect(mean(after)).toBeLessThan(32);
	});

	test('say something once it is known how long they take: more than five answers', () => {
		const [four, five] = [new Capacity(), new Capacity()];
		for (const capacity of [four, five]) answer(capacity, new Service(64), 100);
		const before = four.limit;
		// Much slower, and always so: nothing is known of the others.
		answer(four, new Service(64, 10_000), 4, 'GET /insights');
		expect(four.limit).toBe(before);
	});

	test('say as much of the service as the first one, once it is known how long they take', () => {
		const capacity = new Capacity();
		answer(capacity, new Service(16, 20), 20);
		const slow = new Service(16, 400);
		answer(capacity, slow, 800, 'GET /insights');
		const after = answer(capacity, slow, 300, 'GET /insights');
		expect(mean(after)).toBeGreaterThan(13);
		expect(mean(after)).toBeLessThan(32);
		answer(capacity, new Service(4, 400), 800, 'GET /insights');
		const left = answer(capacity, new Service(4, 400), 300, 'GET /insights');
		expect(mean(left)).toBeLessThan(12);
	});

	test('beyond fifty are served, and say nothing', () => {
		const capacity = new Capacity();
		answer(capacity, new Service(16), 500);
		for (let kind = 0; kind < MAX_KINDS; kind++) {
			answer(capacity, new Service(16), 1, `GET /${kind}`);
		}
		const before = capacity.limit;
		answer(capacity, new Service(0.1), 1_000, 'GET /one-more');
		expect(capacity.limit).toBe(before);
	});
});

test('answers that seem to take less than no time, since the clock was set back, do no harm', () => {
	const capacity = new Capacity();
	const service = new Service(16);
	answer(capacity, service, 500);
	for (let answers = 0; answers < 5; answers++) capacity.answered(capacity.limit, -3_600_000, KIND);
	const after = answer(capacity, service, 600).slice(300);
	expect(mean(after)).toBeGreaterThan(12);
	expect(mean(after)).toBeLessThan(34);
});
