import { Memory } from '../../nodes/LocalSeo/client/memory';

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
