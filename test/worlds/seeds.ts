import fc from 'fast-check';

import { type World, worlds } from './dimensions';

/** The world of a seed: always the same. */
export function worldOf(seed: number): World {
	const [world] = fc.sample(worlds, { seed, numRuns: 1 });
	return world;
}
