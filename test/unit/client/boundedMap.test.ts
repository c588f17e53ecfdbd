import { BoundedMap, getOrMake, jsonBytes } from '../../../nodes/LocalSeo/client';
import { VirtualClock } from '../../support/virtualClock';
import { fc, SEED } from '../../support/random';

let clock: VirtualClock;
beforeEach(() => (clock = new VirtualClock()));

const pass = (milliseconds: number) => clock.moveTo(clock.now() + milliseconds);
/** Bounds for entries with a key of one letter and a value of one byte; an entry takes 100 more. */
const entries = (count: number) => ({ maxBytes: count * 102, forgetAfterMs: 1_000 });

test('one large value takes the place of many small ones', () => {
	const map = new BoundedMap<number>(entries(3), clock);
	['a', 'b', 'c'].forEach((key, index) => map.set(key, index, 1));
	map.set('d', 3, 200);
	expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([
		undefined,
		undefined,
		undefined,
		3,
	]);
	map.set('d', 3, 1);
	expect(map.bytes).toBe(102);
});

test('a value larger than the limit stays until the next one, where that is asked for', () => {
	const map = new BoundedMap<number>({ ...entries(3), keepsLatest: true }, clock);
	map.set('small', 0, 1);
	map.set('a', 1, 1_000);
	expect([map.get('small'), map.get('a')]).toEqual([undefined, 1]);
	map.set('b', 2, 1);
	expect([map.get('a'), map.get('b'), map.bytes]).toEqual([undefined, 2, 102]);
});

test('what has not been used for a while is forgotten', () => {
	const map = new BoundedMap<number>(entries(1_000), clock);
	map.set('old', 1, 1);
	map.set('used', 2, 1);
	pass(800);
	map.get('used');
	pass(800);
	map.set('new', 3, 1);
	expect(map.size).toBe(2);
	expect(['old', 'used', 'new'].map((key) => map.get(key))).toEqual([undefined, 2, 3]);
});

test('a value that becomes stale is forgotten some time after it was set, however often it is used', () => {
	const map = new BoundedMap<number>({ ...entries(3), since: 'set' }, clock);
	map.set('a', 1, 1);
	pass(800);
	expect(map.get('a')).toBe(1);
	pass(800);
	expect(map.get('a')).toBeUndefined();
	map.set('b', 2, 1);
	expect(map.size).toBe(1);
});

test('concurrent callers share one attempt; after a failure it is made again', async () => {
	const map = new BoundedMap<Promise<number>>(entries(3), clock);
	const make = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(1);
	const get = async () => await getOrMake(map, 'a', make, () => 1);
	const both = [get(), get()];
	await expect(both[0]).rejects.toThrow('no');
	await expect(both[1]).rejects.toThrow('no');
	expect(await get()).toBe(1);
	expect(await get()).toBe(1);
	expect(make).toHaveBeenCalledTimes(2);
});

test('one that was replaced while it was made leaves its successor alone', async () => {
	const map = new BoundedMap<Promise<number>>(entries(3), clock);
	const sizeOf = () => 50;
	const late = getOrMake(map, 'a', async () => await clock.sleep(10).then(() => 1), sizeOf);
	const failed = getOrMake(map, 'b', async () => await clock.sleep(10).then(fail), sizeOf);
	const [a, b] = [Promise.resolve(2), Promise.resolve(3)];
	map.set('a', a, 1);
	map.set('b', b, 1);
	await clock.run(Promise.allSettled([late, failed]));
	expect([map.get('a'), map.get('b'), map.bytes]).toEqual([a, b, 204]);
});

async function fail(): Promise<never> {
	throw new Error('no');
}

test('what has no JSON takes nothing', () => {
	expect([jsonBytes(undefined), jsonBytes('ab'), jsonBytes([1])]).toEqual([0, 4, 3]);
});

test('what has no JSON is too large to be kept, and no error', async () => {
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	expect(jsonBytes(circle)).toBeGreaterThan(1e8);
	const map = new BoundedMap<Promise<unknown>>(entries(3), clock);
	expect(await getOrMake(map, 'a', async () => circle, jsonBytes)).toBe(circle);
	expect(map.size).toBe(0);
});

test('whatever is set, used and deleted, the least recently used are dropped', () => {
	const step = fc.tuple(fc.constantFrom('set', 'get', 'delete'), fc.constantFrom(...'abcdefgh'));
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const map = new BoundedMap<string>(entries(4), clock);
			let kept: string[] = [];
			for (const [what, key] of steps) {
				const others = kept.filter((one) => one !== key);
				if (what === 'set') {
					map.set(key, key, 1);
					kept = [...others, key].slice(-4);
				} else if (what === 'get') {
					expect(map.get(key)).toBe(kept.includes(key) ? key : undefined);
					if (kept.includes(key)) kept = [...others, key];
				} else {
					map.delete(key);
					kept = others;
				}
				expect(map.size).toBe(kept.length);
			}
		}),
		{ seed: SEED },
	);
});
