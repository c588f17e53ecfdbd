import type { Growth, MeasureName } from './growthPage';
import { lineOf } from './growthPage';

const [WIDTH, HEIGHT] = [880, 360];
/** The area of one panel between its axes. */
const PANEL = { width: 330, height: 240, top: 50, left: 60, gap: 110 };

const CURVES: Array<{ name: MeasureName; label: string; unit: number; class: string }> = [
	{ name: 'seconds', label: 'seconds', unit: 1, class: 'time' },
	{ name: 'held', label: 'memory held (MB)', unit: 2 ** 20, class: 'memory' },
];

/** Colours for both schemes of the reader's browser. */
const STYLE = `
	text { font: 12px system-ui, sans-serif; fill: #333 }
	.title { font-size: 14px; font-weight: 600 }
	.axis { stroke: #999; fill: none }
	.grid { stroke: #e4e4e4 }
	.time { stroke: #0969da; fill: #0969da }
	.memory { stroke: #bc4c00; fill: #bc4c00 }
	@media (prefers-color-scheme: dark) {
		text { fill: #ddd }
		.axis { stroke: #777 }
		.grid { stroke: #333 }
		.time { stroke: #58a6ff; fill: #58a6ff }
		.memory { stroke: #f0883e; fill: #f0883e }
	}
	.line { fill: none; stroke-width: 1.5 }
	.label { stroke: none }`;

/** Powers of ten that enclose the values. */
function decades(values: number[]): [from: number, to: number] {
	return [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
}

/** Where a value is between two powers of ten, from 0 to 1. */
function placeOf(value: number, [from, to]: [number, number]): number {
	return (Math.log10(value) - from) / (to - from);
}

function powers([from, to]: [number, number]): number[] {
	return Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
}

/** One kind of job: points, and the straight lines through them, on logarithmic axes. */
function panelOf(growth: Growth, index: number): string {
	const { points, series } = growth;
	const { width, height } = PANEL;
	const counts = points.map(({ count }) => count);
	const across = decades(counts);
	const up = decades(
		CURVES.flatMap(({ name, unit }) => points.map(({ cost }) => cost[name] / unit)),
	);
	const x = (count: number) => (width * placeOf(count, across)).toFixed(1);
	const y = (value: number) => (height * (1 - placeOf(value, up))).toFixed(1);

	const grid = [
		...powers(across).map(
			(count) => `<path class="grid" d="M${x(count)} 0V${height}"/>
<text x="${x(count)}" y="${height + 18}" text-anchor="middle">${count.toLocaleString('en')}</text>`,
		),
		...powers(up).map(
			(value) => `<path class="grid" d="M0 ${y(value)}H${width}"/>
<text x="-8" y="${y(value)}" dy="4" text-anchor="end">${value}</text>`,
		),
	];
	const curves = CURVES.map(({ name, unit, label, class: style }, row) => {
		const { start, slope } = lineOf(growth, name);
		const [first, last] = [Math.log(counts[0]), Math.log(counts[counts.length - 1])];
		// A straight line that does not start at zero is a curve on these axes.
		const drawn = Array.from({ length: 41 }, (_, step) => {
			const count = Math.exp(first + ((last - first) * step) / 40);
			return `${x(count)} ${y((start + slope * count) / unit)}`;
		});
		const dots = points.map(
			({ count, cost }) =>
				`<circle class="${style}" r="3.5" cx="${x(count)}" cy="${y(cost[name] / unit)}"/>`,
		);
		return `<path class="${style} line" d="M${drawn.join('L')}"/>
${dots.join('\n')}
<text class="${style} label" x="10" y="${18 + 16 * row}">${label}</text>`;
	});
	const left = PANEL.left + index * (width + PANEL.gap);
	return `<g transform="translate(${left} ${PANEL.top})">
<text class="title" y="-20">${series.title}</text>
${grid.join('\n')}
<path class="axis" d="M0 0V${height}H${width}"/>
${curves.join('\n')}
<text x="${width / 2}" y="${height + 38}" text-anchor="middle">${series.one}s</text>
</g>`;
}

/** Time and memory of all sizes as an SVG image. */
export function plotOf(growths: Growth[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Time and memory against the number of records: points measured, and the straight lines through them">
<style>${STYLE}
</style>
${growths.map(panelOf).join('\n')}
</svg>
`;
}
