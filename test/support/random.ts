import fc from 'fast-check';
import mapValues from 'lodash/mapValues';

import type { Random } from '../../nodes/LocalSeo/client';

/*
 * All chance in tests comes from here: what is drawn is drawn by fast-check, and a seed gives the same
 * again on every machine. It is fixed, so that a test fails because of a change and not by chance:
 * FAULT_RUNS=5000 draws more, FAULT_SEED=42 others.
 */
export const RUNS = Number(process.env.FAULT_RUNS ?? 56);
const SEED = Number(process.env.FAULT_SEED ?? 20_261_121);
fc.configureGlobal({ seed: SEED, numRuns: RUNS });
export { fc };

export type DrawnBy<A> = A extends fc.Arbitrary<infer T> ? T : never;

/** Draws with a seed: always the same. */
export function drawn<T>(arbitrary: fc.Arbitrary<T>, seed: number): T {
	return fc.sample(arbitrary, { seed, numRuns: 1 })[0];
}

/** The same numbers from 0 up to 1 for the same seed (Lehmer's generator). */
export function seededRandom(seed = 1): Random {
	let state = seed;
	return () => {
		state = (state * 16_807) % 2_147_483_647;
		return state / 2_147_483_647;
	};
}

/** Something that may differ between worlds, and what it usually is. */
export interface Dimension<T> {
	plain: T;
	drawn: fc.Arbitrary<T>;
}

/** The first value is plain: three of four worlds have it. */
export function mostly<const T extends string>(...values: T[]): Dimension<T>;
export function mostly<T>(...values: T[]): Dimension<T>;
export function mostly<T>(...[plain, ...odd]: T[]): Dimension<T> {
	return oneOf(plain, 3, fc.constantFrom(...odd));
}

/** The names of a table; the first one is plain. */
export function named<T extends string>(table: Record<T, unknown>): Dimension<T> {
	return mostly<T>(...(Object.keys(table) as T[]));
}

/** The plain value `weight` times as often as another one. */
export function oneOf<T>(plain: T, weight: number, odd: fc.Arbitrary<T>): Dimension<T> {
	const usual = { weight, arbitrary: fc.constant(plain) };
	return {
		plain,
		drawn: fc.oneof({ withCrossShrink: true }, usual, { weight: 1, arbitrary: odd }),
	};
}

/** A world: a value of each dimension. */
export type WorldOf<D> = { [Name in keyof D]: D[Name] extends Dimension<infer T> ? T : never };

/** The world where nothing is odd, and worlds at random. */
export function worldsOf<D extends Record<string, Dimension<unknown>>>(dimensions: D) {
	return {
		plain: mapValues(dimensions, 'plain') as WorldOf<D>,
		worlds: fc.record<object>(mapValues(dimensions, 'drawn')) as fc.Arbitrary<WorldOf<D>>,
	};
}
