export interface Point {
	x: number;
	y: number;
}

/** The straight line y = start + slope · x. */
export interface Line {
	start: number;
	slope: number;
	/** How far the point that is farthest off is from the line, as a fraction of the line's value there. */
	off: number;
}

/**
 * The line through points that grow over orders of magnitude: each point counts by its relative
 * distance (least squares, weighted with 1/y²), or the largest alone would decide.
 *
 * @param points with positive values, two at least
 */
export function lineThrough(points: Point[]): Line {
	const sum = (of: (point: Point) => number) =>
		points.reduce((total, point) => total + of(point) / point.y ** 2, 0);
	const [one, x, y] = [sum(() => 1), sum((point) => point.x), sum((point) => point.y)];
	const [xx, xy] = [sum((point) => point.x ** 2), sum((point) => point.x * point.y)];
	const slope = (one * xy - x * y) / (one * xx - x ** 2);
	const start = (y - slope * x) / one;
	const off = Math.max(...points.map((point) => Math.abs(point.y / (start + slope * point.x) - 1)));
	return { start, slope, off };
}
