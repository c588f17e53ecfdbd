import { flawsIn, type Growth, pageOf, SERIES } from '../../bench/growthPage';
import { lineThrough } from '../../bench/line';

/** A growth in which everything costs what `costOf` says. */
function growing(costOf: (count: number) => number): Growth {
	const [series] = SERIES;
	const points = series.counts.map((count) => {
		const cost = costOf(count);
		return { count, cost: { seconds: cost, cpuSeconds: cost, held: cost, peak: 0 } };
	});
	return { series, points };
}

test('the line through points of a line is that line, over any orders of magnitude', () => {
	const line = lineThrough([1, 10, 100, 1_000].map((x) => ({ x, y: 3 + 2 * x })));
	expect(line.start).toBeCloseTo(3);
	expect(line.slope).toBeCloseTo(2);
	expect(line.off).toBeCloseTo(0);
});

test('a point off the line is reported by how far it is off', () => {
	const points = [1, 2, 3, 4, 5].map((x) => ({ x, y: x === 3 ? 4.5 : x }));
	expect(lineThrough(points).off).toBeGreaterThan(0.3);
});

test('what grows with the number of records passes, also with a fixed cost', () => {
	expect(flawsIn(growing((count) => 0.001 * count))).toEqual([]);
	expect(flawsIn(growing((count) => 5 + 0.001 * count))).toEqual([]);
});

test.each([
	['with the square', (count: number) => count ** 2],
	['by one half more than it should', (count: number) => count ** 1.2],
	['to what is no number', () => NaN],
	['from what was not measured', (count: number) => count - 20_000],
])('what grows %s does not', (_, costOf) => {
	expect(flawsIn(growing(costOf))).toEqual([
		expect.stringContaining('the time per record grows'),
		expect.stringContaining('the CPU time per record grows'),
		expect.stringContaining('the memory held per record grows'),
	]);
});

test('CPU time is held closest: it shows what a noisy machine would hide', () => {
	expect(flawsIn(growing((count) => count ** 1.06))).toEqual([
		expect.stringContaining('the CPU time per record grows'),
	]);
});

test('memory within the noise is stated as a bound, whatever was measured', () => {
	const page = pageOf([growing((count) => 200 * count - 300_000)], 1);
	expect(page).toMatch(/^\| 1,000 .*\| < 1\.0 \| < 1\.02 \|/m);
	expect(page).toMatch(/^\| 30,000 .*\| 5\.4 \| 0\.19 \|/m);
});
