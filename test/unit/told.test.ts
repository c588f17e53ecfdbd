import { type Look, type Quota, Told } from '../../nodes/LocalSeo/client/governor/told';

const PERIOD = 1_000;
const MOST = 20;
const NETWORK = 20;
const START = 100_000_000;

/** A service that counts in periods of a second; `others` requests of each come from elsewhere. */
class Service {
	private counted = { period: -1, used: 0 };
	now = START;

	constructor(
		readonly told: Told,
		public others: number,
		private readonly say: (used: number) => Quota = (used) => ({ most: MOST, left: MOST - used }),
	) {}

	/** Sends so many requests, one each `spacing` milliseconds; what is made of the responses. */
	send(requests: number, spacing: number, counted = spacing): Look[] {
		const looks: Look[] = [];
		for (let request = 0; request < requests; request++) {
			this.told.starts(this.now);
			const period = Math.floor(this.now / PERIOD);
			if (period !== this.counted.period) this.counted = { period, used: 0 };
			this.counted.used++;
			const byOthers = Math.floor(this.others * ((this.now % PERIOD) / PERIOD + spacing / PERIOD));
			const quota = this.say(Math.min(MOST, this.counted.used + byOthers));
			const at = { startedAt: this.now, now: this.now + NETWORK };
			const look = this.told.wasAccepted(at, quota, PERIOD, counted);
			if (look) looks.push(look);
			this.now += spacing;
		}
		return looks;
	}
}

/** After a first second in which all was used, and a refusal that says so. */
function believing(others: number, spacing: number): Service {
	const service = new Service(new Told(), others);
	service.send(PERIOD / spacing, spacing);
	service.told.wasRefused({ most: MOST, left: 0 });
	return service;
}

test('nothing is believed before a refusal', () => {
	const service = new Service(new Told(), 10);
	expect(service.send(100, 100)).toEqual([]);
	expect(service.told.isBelieved).toBe(false);
});

test.each<[string, Quota | undefined, number]>([
	['says nothing', undefined, 10],
	['says that some are left', { most: MOST, left: 1 }, 10],
	['comes when little was said to be used', { most: MOST, left: 0 }, 0],
])('nothing is believed if a refusal %s', (_, quota, others) => {
	const service = new Service(new Told(), others);
	service.send(10, 100);
	service.told.wasRefused(quota);
	expect(service.told.isBelieved).toBe(false);
	expect(service.send(100, 100)).toEqual([]);
});

test('a refusal is for this limit if six tenths of it were used, in this look or the one before', () => {
	const service = new Service(new Told(), 2);
	service.send(10, 100);
	service.told.wasRefused({ most: MOST, left: 0 });
	expect(service.told.isBelieved).toBe(true);
	service.send(10, 100);
	service.told.wasRefused({ most: MOST, left: 0 });
	expect(service.told.isBelieved).toBe(true);
	service.told.wasRefused({ most: 21, left: 0 });
	expect(service.told.isBelieved).toBe(false);
});

test('who is alone keeps the pace, and hears when the limit is used up', () => {
	const full = believing(0, 50).send(200, 50);
	expect(full.length).toBeGreaterThanOrEqual(9);
	expect(new Set(full.map(({ factor }) => factor))).toEqual(new Set([1]));
	expect(full.every(({ isUsedUp }) => isUsedUp)).toBe(true);
	const half = believing(0, 50);
	half.send(20, 50);
	const looks = half.send(100, 100).slice(2);
	expect(looks.map(({ factor }) => factor)).toEqual(looks.map(() => 1));
	expect(looks.some(({ isUsedUp }) => isUsedUp)).toBe(false);
});

test('who uses more than others of a limit that is used up gives way', () => {
	const [look] = believing(10, 100).send(11, 100);
	expect(look.isUsedUp).toBe(true);
	// All is used, a little less is wanted, and half of it is more than a quarter.
	expect(look.factor).toBeCloseTo((1 / 1.047) * 0.5 ** 0.2, 3);
});

test('who uses little of it gets more', () => {
	const [look] = believing(18, 400).send(12, 400);
	expect(look.factor).toBeGreaterThan(1);
	// An eighth: half of a quarter.
	expect(look.factor).toBeCloseTo((1 / 1.047) * 2 ** 0.2, 1);
});

test('what others leave is taken up by half more at each look', () => {
	const service = believing(15, 200);
	service.send(15, 200);
	service.others = 5;
	const looks = service.send(20, 200);
	expect(looks[looks.length - 1]).toEqual({ factor: expect.closeTo(1.5, 5), isUsedUp: false });
});

test('each refusal makes it aim lower, down to five sevenths, and each look a little higher', () => {
	const first = believing(10, 100);
	const before = first.send(11, 100)[0].factor;
	first.told.wasRefused({ most: MOST, left: 0 });
	const after = first.send(10, 100)[0].factor;
	expect(after / before).toBeCloseTo(1.047 / 1.094, 2);
	for (let times = 0; times < 20; times++) first.told.wasRefused({ most: MOST, left: 0 });
	// A pace changes by a fifth at most, and the part of who uses too much by a little more.
	expect(first.send(10, 100)[0].factor).toBeCloseTo(0.8 * 0.5 ** 0.2, 3);
	const long = believing(10, 100);
	const looks = long.send(1_500, 100);
	expect(looks[looks.length - 1].factor).toBeCloseTo((1 / 0.85) * 0.5 ** 0.2, 2);
});

test('nothing is made of a time in which little was sent', () => {
	const service = believing(10, 100);
	service.send(20, 100);
	// The first one ends the look before.
	expect(service.send(40, 250, 100).slice(1)).toEqual([]);
	expect(service.send(20, 150, 100).length).toBeGreaterThan(0);
});

test('little use of others is chance until it is there again and again', () => {
	// Sixteen of twenty come from here. Three others are a seventh, of which each look adds a third.
	const looks = believing(4, 62.5).send(81, 62.5);
	const isOne = looks.map(({ factor }) => factor === 1);
	expect(isOne).toEqual([true, true, true, true, false, false]);
});

test('nine tenths are all that can be used', () => {
	const told = new Told();
	const service = new Service(told, 0, (used) => ({ most: 10, left: 10 - Math.min(9, used) }));
	service.send(10, 100);
	told.wasRefused({ most: 10, left: 0 });
	const looks = service.send(50, 100);
	expect(looks.length).toBeGreaterThan(3);
	expect(looks.every(({ isUsedUp }) => isUsedUp)).toBe(true);
});

test('it keeps the starts of a few seconds only, also while a clock that was set back catches up', () => {
	const told = new Told();
	for (let request = 0; request < 50_000; request++) told.starts(START + request * 10);
	for (let request = 0; request < 50_000; request++) told.starts(START - 3_600_000 + request * 10);
	expect(JSON.stringify(told).length).toBeLessThan(20_000);
});

test('what never changes is not counted', () => {
	const told = new Told();
	const service = new Service(told, 10, () => ({ most: MOST, left: 0 }));
	service.send(10, 100);
	told.wasRefused({ most: MOST, left: 0 });
	expect(told.isBelieved).toBe(true);
	expect(service.send(100, 100)).toEqual([]);
});

test('a look takes a period at least, and four requests', () => {
	expect(believing(10, 100).send(100, 100)).toHaveLength(10);
	expect(believing(18, 500).send(40, 500)).toHaveLength(10);
});

test('a response that took long says nothing of now', () => {
	const told = new Told();
	for (let request = 0; request < 10; request++) {
		const at = { startedAt: START, now: START + 2_500 + request };
		told.wasAccepted(at, { most: MOST, left: 0 }, PERIOD, 100);
	}
	told.wasRefused({ most: MOST, left: 0 });
	expect(told.isBelieved).toBe(false);
});

test("goes on if this machine's clock is set back by an hour", () => {
	const service = believing(10, 100);
	service.send(20, 100);
	service.now -= 3_600_000;
	const looks = service.send(60, 100);
	expect(looks.length).toBeGreaterThanOrEqual(4);
	expect(looks[looks.length - 1].factor).toBeCloseTo((1 / 1.03) * 0.5 ** 0.2, 1);
});
