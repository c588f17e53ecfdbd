const ISO_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/**
 * A time in milliseconds, to be compared with other times of the service; undefined if it is not one.
 * One without a zone is read as UTC, never as the time zone of this machine.
 */
export function timeOf(value: unknown): number | undefined {
	if (typeof value !== 'string') return undefined;
	const [isTime, , , zone] = ISO_TIME.exec(value) ?? [];
	// Of a zone without minutes (`+00`, as PostgreSQL writes it), JavaScript knows nothing.
	const rest = zone ? (/^[+-]\d{2}$/.test(zone) ? ':00' : '') : 'Z';
	const time = Date.parse(isTime ? `${value.replace(' ', 'T')}${rest}` : value);
	return Number.isNaN(time) ? undefined : time;
}

/** A time that can also be compared with a clock: one in ISO 8601 with a time zone. */
export function instantOf(value: unknown): number | undefined {
	const [, , , zone] = ISO_TIME.exec(String(value)) ?? [];
	return zone ? timeOf(value) : undefined;
}

/** A date in ISO 8601, or as in HTTP headers; `Date.parse` would also read "plumber 2024". */
export function isDate(value: unknown): boolean {
	return (
		typeof value === 'string' &&
		/^(\d{4}-\d{2}-\d{2}([T ]|$)|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} )/.test(value) &&
		timeOf(value) !== undefined
	);
}
