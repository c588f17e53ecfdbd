import { createHash } from 'node:crypto';

/** A short text that is the same for the same JSON value. */
export function hashOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('base64');
}
