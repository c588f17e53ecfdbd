/** A repeatable source of random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
	/** A fraction, 0 <= x < 1. */
	next(): number;
	/** A whole number, `from` <= n <= `to`. */
	between(from: number, to: number): number;
	/** One of the given values. */
	pick<T>(values: readonly T[]): T;
}

/** Seeds are texts (an ID, a purpose), so records can be created in any order and still be the same. */
export function random(seed: string): Random {
	let state = 2166136261;
	for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 16777619);

	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
	const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	const pick = <T>(values: readonly T[]): T => values[between(0, values.length - 1)];
	return { next, between, pick };
}
