import { fc } from './random';

/**
 * JSON as a broken or hostile service may send it. Everything here comes out of `JSON.parse`, so that
 * a member called `__proto__` is one like any other.
 */

/** Names that an object has anyway, that programs ask values for, and that readers look for. */
const NAMES = [
	...['toString', 'valueOf', 'toJSON', 'constructor', '__proto__', 'length', 'then', '', '0'],
	...['id', '$oid', 'name', 'title', 'keyword', 'status', 'data', 'meta', 'total', 'links', 'next'],
	...['error', 'errors', 'message', 'field', 'detail', 'success', 'ok', 'created_at', '={{ 1 }}'],
];
const TEXTS = [
	'',
	' ',
	'0',
	'null',
	'2026-01-01',
	'2026-02-30',
	'={{ $json.id }}',
	'<b>',
	'\ud800',
];
/** Longer or deeper than a list of arguments, a text that is read, and a stack may be. */
const LARGE = [
	JSON.stringify(Array.from({ length: 130_000 }, () => '2026-01-01')),
	JSON.stringify('x'.repeat(100_000)),
	'[{"a":'.repeat(90) + '1' + '}]'.repeat(90),
];

const parsed = (text: string) => JSON.parse(text) as unknown;
const names = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 4 }));
const values = [
	fc.constantFrom(...TEXTS),
	fc.string({ maxLength: 12, unit: 'binary' }),
	fc.oneof(fc.integer(), fc.constantFrom(1e21, 1e308, 9_007_199_254_740_994, 0.1)),
	fc.constantFrom(null, true, false),
];

/** Any JSON value, with the odd ones among it. */
export const oddJson: fc.Arbitrary<unknown> = fc.oneof(
	{ weight: 300, arbitrary: fc.anything({ key: names, values, maxDepth: 4 }) },
	{ weight: 1, arbitrary: fc.constantFrom(...LARGE).map(parsed) },
);

type Place = [container: object, name: string];

function placesIn(value: unknown): Place[] {
	if (typeof value !== 'object' || value === null) return [];
	const own = Object.keys(value).map((name): Place => [value, name]);
	return [...own, ...Object.values(value).flatMap(placesIn)];
}

/** As JSON has it: an assignment to `__proto__` would change the prototype. */
function put(container: object, name: string, value: unknown): void {
	const how = { value, writable: true, enumerable: true, configurable: true };
	Object.defineProperty(container, name, how);
}

/**
 * An ordinary body in which one to three values are odd ones, or have an odd member beside them; now
 * and then it is odd altogether.
 */
export function oddBodies(ordinary: unknown): fc.Arbitrary<unknown> {
	const change = fc.record({ place: fc.nat(), name: fc.option(names), value: oddJson });
	const changed = fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) => {
		const body = parsed(JSON.stringify(ordinary));
		for (const { place, name, value } of changes) {
			const places = placesIn(body);
			if (places.length === 0) return value;
			const [container, key] = places[place % places.length];
			put(container, name === null || Array.isArray(container) ? key : name, value);
		}
		return body;
	});
	return fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: oddJson });
}
