import { instantOf, timeOf } from '../../nodes/LocalSeo/client/http/time';

const NOON = Date.UTC(2026, 10, 21, 12);

test.each([
	['2026-11-21T12:00:00Z', NOON, NOON],
	['2026-11-21T12:00:00.000Z', NOON, NOON],
	['2026-11-21T13:00:00+01:00', NOON, NOON],
	['2026-11-21T07:00-0500', NOON, NOON],
	['2026-11-21 12:00:00Z', NOON, NOON],
	['2026-11-21T12:00:00.1234Z', NOON + 123, NOON + 123],
	['2026-11-21t12:00:00z', NOON, NOON],
	['2026-11-21T07:00:00-05', NOON, NOON],
	['2026-11-21 12:00:00.123+00', NOON + 123, NOON + 123],
	['2026-11-21T12:00:00', NOON, undefined],
	['at 2026-11-21T12:00:00Z', undefined, undefined],
	['2026-11-21T12:00:00Z, about', undefined, undefined],
	['2026-11-21 12:00', NOON, undefined],
	['2026-11-21', NOON - 12 * 3_600_000, undefined],
	['Sale 12 10:00 GMT', expect.anything(), undefined],
	['soon', undefined, undefined],
	[NOON, undefined, undefined],
	[null, undefined, undefined],
])('%p', (value, time, instant) => {
	expect(timeOf(value)).toEqual(time);
	expect(instantOf(value)).toEqual(instant);
});
