/** A repeatable source of random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
	/** A fraction, 0 <= x < 1. */
	next(): number;
	/** A whole number, `from` <= n <= `to`. */
	between(from: number, to: number): number;
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
	return { next, between };
}

const SCATTER = 0x9e3779b1;
/** Undoes a multiplication by SCATTER modulo 2^32. */
const GATHER = 0x0e8b2f51;
const MASK = 0x5bd1e995;

/** An id of the service for a number below 2^32: `loc_` and an opaque suffix of seven characters. */
export function idOf(prefix: string, number: number): string {
	const suffix = (Math.imul(number ^ MASK, SCATTER) >>> 0).toString(36).padStart(7, '0');
	return `${prefix}_${suffix}`;
}

/** The number an ID was made from. So a keyword's ID leads to its location before either exists. */
export function numberOf(id: string): number {
	const scattered = parseInt(id.slice(id.indexOf('_') + 1), 36);
	return (Math.imul(scattered, GATHER) ^ MASK) >>> 0;
}
