import { fc } from './random';

/**
 * JSON as a broken or hostile service may send it. Everything here comes out of `JSON.parse`, so that
 * a member called `__proto__` is one like any other.
 */

/** Names that an object has anyway, that programs ask values for, and that readers look for. */
const NAMES = [
	...['toString', 'valueOf', 'toJSON', 'constructor', 'prototype', '__proto__', 'length', 'then'],
	...['id', '_id', '$oid', 'uuid', 'name', 'title', 'city', 'keyword', 'status', 'code'],
	...['data', 'meta', 'total', 'links', 'next', 'has_more', 'last_page', 'current_page'],
	...['error', 'errors', 'message', 'field', 'loc', 'detail', 'success', 'ok', 'created_at'],
	...['', '0', '15', '-1', '=1+1', '={{ $json.id }}', '\ud800', '\u0000', ' id'],
];

const parsed = (text: string) => JSON.parse(text) as unknown;

/** Values on which a reader may fail, each made anew. */
const TRAPS: Array<() => unknown> = [
	...[
		'{"toString":1}',
		'{"toString":null,"valueOf":null}',
		'{"valueOf":{"toString":1}}',
		'{"toJSON":1}',
	],
	...['{"constructor":null,"hasOwnProperty":1}', '{"__proto__":null}', '{"$oid":{"toString":1}}'],
	...['{"length":1000000000}', '{"length":-1,"0":1}', '{"__proto__":{"toString":1}}', '{"then":1}'],
	...['{"15":{"id":"a"},"16":{"id":"b"}}', '[[[[]]]]', '[null]', '[{"toString":1},{"toString":1}]'],
	...['1e999', '-1e999', '1e308', '-0', '9007199254740994', '0.1'],
	'[{"a":'.repeat(90) + '1' + '}]'.repeat(90),
	JSON.stringify('\u200e'.repeat(1_000)),
].map((text) => () => parsed(text));

/** Longer than a list of arguments may be, or a text than is read of it. */
const LONG: Array<() => unknown> = [
	() => Array.from({ length: 130_000 }, () => '2026-01-01'),
	() => 'x'.repeat(100_000),
];

const TEXTS = [
	...['', ' ', '0', '-1', 'null', 'true', 'undefined', '[object Object]', '__proto__'],
	...['2026-02-30', '2026-01-01', '9999-99-99T99:99:99Z', '+275760-09-13T00:00:00Z', 'Infinity'],
	...[
		'={{ $json.secret }}',
		'=',
		'<b>',
		'</script>',
		'\u0000\u001b[2J',
		'\u202e',
		'\ud800',
		'%',
		'\\',
	],
];

const plain = fc.oneof(
	fc.constantFrom<unknown>(null, true, false, 0, 1, 15, -1, 1e21),
	fc.constantFrom(...TEXTS),
	fc.string({ maxLength: 12, unit: 'binary' }),
	fc.integer(),
);
const names = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 4 }));

/** Any JSON value, with the odd ones among it. */
export const oddJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
	value: fc.oneof(
		{ maxDepth: 4, depthSize: 'small', withCrossShrink: true },
		{ weight: 200, arbitrary: plain },
		{ weight: 200, arbitrary: fc.constantFrom(...TRAPS).map((make) => make()) },
		{ weight: 200, arbitrary: fc.array(tie('value'), { maxLength: 4 }) },
		{
			weight: 200,
			arbitrary: fc.array(fc.tuple(names, tie('value')), { maxLength: 5 }).map(Object.fromEntries),
		},
		{ weight: 1, arbitrary: fc.constantFrom(...LONG).map((make) => make()) },
	),
})).value;

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
