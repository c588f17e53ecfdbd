const TIME_WITHOUT_ZONE = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;
const TIME_WITH_ZONE = /\d{2}:\d{2}.*(Z|GMT|UTC|[+-]\d{2}:?\d{2})$/i;

/**
 * A time in milliseconds, to be compared with other times of the service; undefined for what is none.
 * One without a zone is read as UTC, never as the time zone of this machine.
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const text = TIME_WITHOUT_ZONE.test(value) ? `${value.replace(' ', 'T')}Z` : value;
	const time = Date.parse(text);
	return Number.isNaN(time) ? undefined : time;
}

/** A time that can also be compared with a clock: one that says its zone, and more than the day. */
export function instantOf(value: unknown): number | undefined {
	return typeof value === 'string' && TIME_WITH_ZONE.test(value) ? timeOf(value) : undefined;
}
