const SCATTER = 0x9e3779b1;
const GATHER = inverseOf(SCATTER);
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

/** The number that undoes a multiplication by `odd` modulo 2^32, by Newton's iteration. */
function inverseOf(odd: number): number {
	let inverse = odd;
	for (let i = 0; i < 5; i++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
	return inverse;
}
