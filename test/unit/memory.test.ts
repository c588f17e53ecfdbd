import { Memory, remembered } from '../../nodes/LocalSeo/client/memory';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what is too many is forgotten, the least recently used first', () => {
	const memory = new Memory<number>({ most: 3, forgetAfter: 1_000 });
	['a', 'b', 'c'].forEach((key, index) => memory.set(key, index));
	memory.get('a');
	memory.set('d', 3);
	expect(['a', 'b', 'c', 'd'].map((key) => memory.get(key))).toEqual([0, undefined, 2, 3]);
	expect(memory.size).toBe(3);
});

test('what is not used for long is forgotten as soon as something else is remembered', () => {
	const memory = new Memory<number>({ most: 1_000, forgetAfter: 1_000 });
	memory.set('old', 1);
	memory.set('used', 2);
	jest.advanceTimersByTime(800);
	memory.get('used');
	jest.advanceTimersByTime(800);
	memory.set('new', 3);
	expect(['old', 'used', 'new'].map((key) => memory.get(key))).toEqual([undefined, 2, 3]);
});

test('a year of keys leaves no more than the last ones', () => {
	const memory = new Memory<number>({ most: 1_000, forgetAfter: 3_600_000 });
	for (let day = 0; day < 365; day++) {
		jest.advanceTimersByTime(86_400_000);
		for (let key = 0; key < 50; key++) memory.set(`${day} ${key}`, key);
	}
	expect(memory.size).toBe(50);
});

test('what gets stale is forgotten some time after it was set, however often it is used', () => {
	const memory = new Memory<number>({ most: 3, forgetAfter: 1_000, since: 'set' });
	memory.set('a', 1);
	jest.advanceTimersByTime(800);
	expect(memory.get('a')).toBe(1);
	jest.advanceTimersByTime(800);
	expect(memory.get('a')).toBeUndefined();
	memory.set('b', 2);
	expect(memory.size).toBe(1);
});

test('what is asked for at the same time is made once; what failed is made again', async () => {
	const memory = new Memory<Promise<number>>({ most: 3, forgetAfter: 1_000 });
	const make = jest.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(1);
	const both = [remembered(memory, 'a', make), remembered(memory, 'a', make)];
	await expect(both[0]).rejects.toThrow('no');
	await expect(both[1]).rejects.toThrow('no');
	expect(await remembered(memory, 'a', make)).toBe(1);
	expect(await remembered(memory, 'a', make)).toBe(1);
	expect(make).toHaveBeenCalledTimes(2);
});
