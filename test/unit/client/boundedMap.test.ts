import { BoundedMap, getOrMake, jsonBytes } from '../../../nodes/LocalSeo/client';
import { VirtualClock } from '../../support/virtualClock';
import { fc } from '../../support/random';

const clock = new VirtualClock();
/** A map for entries with a key of one letter and a value of one byte; an entry takes 100 more. */
const mapFor = <T>(count: number, more: object = {}) =>
	new BoundedMap<T>({ maxBytes: count * 102, forgetAfterMs: 1_000, ...more }, clock);
const valuesOf = <T>(map: BoundedMap<T>, ...keys: string[]) => keys.map((key) => map.get(key));
const fail = async (): Promise<never> => await Promise.reject(new Error('no'));

test('whatever is set, used and deleted, the least recently used are dropped', () => {
	const step = fc.tuple(fc.constantFrom('set', 'get', 'delete'), fc.constantFrom(...'abcdefgh'));
	const property = fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
		const map = mapFor<string>(4);
		let kept: string[] = [];
		for (const [what, key] of steps) {
			const others = kept.filter((one) => one !== key);
			if (what === 'set') map.set(key, key, 1);
			if (what === 'delete') map.delete(key);
			if (what === 'get') expect(map.get(key)).toBe(kept.includes(key) ? key : undefined);
			const isKept = what === 'set' || (what === 'get' && kept.includes(key));
			kept = [...others, ...(isKept ? [key] : [])].slice(-4);
			expect([...map.values()].sort()).toEqual([...kept].sort());
		}
	});
	fc.assert(property);
});

test.each([
	['takes the place of many small ones', {}, 200, [3]],
	['does not stay if it is too large', {}, 1_000, []],
	['stays where that is asked for', { keepsLatest: true }, 1_000, [3]],
])('a large value %s', (_, more, bytes, left) => {
	const map = mapFor<number>(3, more);
	['a', 'b', 'c'].forEach((key, index) => map.set(key, index, 1));
	map.set('d', 3, bytes);
	expect([...map.values()]).toEqual(left);
	map.set('e', 4, 1);
	expect([map.get('e'), map.size, map.bytes]).toEqual([4, 1, 102]);
});

test.each([
	['since its last use', {}, [undefined, 2, 3]],
	['since it was set, where that is asked for', { since: 'set' }, [undefined, undefined, 3]],
])('what has not been used for a while %s is forgotten', (_, more, left) => {
	const map = mapFor<number>(1_000, more);
	map.set('old', 1, 1);
	map.set('used', 2, 1);
	clock.advance(800);
	expect(map.get('used')).toBe(2);
	clock.advance(800);
	map.set('new', 3, 1);
	expect(map.size).toBe(left.filter(Boolean).length);
	expect(valuesOf(map, 'old', 'used', 'new')).toEqual(left);
});

test('concurrent callers share one attempt; after a failure it is made again', async () => {
	const map = mapFor<Promise<number>>(3);
	const make = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(1);
	const get = async () => await getOrMake(map, 'a', make, () => 1);
	const both = await Promise.allSettled([get(), get()]);
	expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect([await get(), await get()]).toEqual([1, 1]);
	expect(make).toHaveBeenCalledTimes(2);
});

test('one that was replaced while it was made leaves its successor alone', async () => {
	const map = mapFor<Promise<number>>(3);
	const sizeOf = () => 50;
	const late = getOrMake(map, 'a', async () => await clock.sleep(10).then(() => 1), sizeOf);
	const failed = getOrMake(map, 'b', async () => await clock.sleep(10).then(fail), sizeOf);
	const [a, b] = [Promise.resolve(2), Promise.resolve(3)];
	map.set('a', a, 1);
	map.set('b', b, 1);
	await clock.run(Promise.allSettled([late, failed]));
	expect([...valuesOf(map, 'a', 'b'), map.bytes]).toEqual([a, b, 204]);
});

test('what has no JSON takes nothing, or is too large to be kept, and is no error', async () => {
	expect([undefined, 'ab', [1]].map(jsonBytes)).toEqual([0, 4, 3]);
	const circle: Record<string, unknown> = {};
	circle.self = circle;
	const map = mapFor<Promise<unknown>>(3);
	expect(await getOrMake(map, 'a', async () => circle, jsonBytes)).toBe(circle);
	expect(map.size).toBe(0);
});
