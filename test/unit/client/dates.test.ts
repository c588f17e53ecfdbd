import fc from 'fast-check';

import { type Moment, utcOf } from '../../../nodes/LocalSeo/client/dates/calendar';
import { createdAt, isDate, timeOf } from '../../../nodes/LocalSeo/client/dates/ofService';
import { readDate } from '../../../nodes/LocalSeo/client/dates/written';

const NOON = Date.UTC(2026, 10, 21, 12);

test.each([
	['2026-11-21T12:00:00Z', NOON],
	['2026-11-21T13:00:00+01:00', NOON],
	['2026-11-21T07:00-0500', NOON],
	['2026-11-21t12:00:00.1234z', NOON + 123],
	['2026-11-21T07:00:00-05', NOON],
	['2026-11-21 12:00:00.123+00', NOON + 123],
	['2026-11-21T12:00:00', NOON],
	['at 2026-11-21T12:00:00Z', undefined],
	['2026-11-21 12:00', NOON],
	['2026-11-21', NOON - 12 * 3_600_000],
	['Sale 12 10:00 GMT', undefined],
	['Sat, 21 Nov 2026 12:00:00 GMT', NOON],
	['2026-02-31', undefined],
	['soon', undefined],
	[NOON, undefined],
	[null, undefined],
])('the time %p', (created_at, time) => {
	expect([timeOf(created_at), createdAt({ created_at })]).toEqual([time, time]);
});

const at = (year: number, month: number, day: number, hour?: number, minute = 0, second = 0) => ({
	year,
	month,
	day,
	...(hour === undefined ? {} : { time: ((hour * 60 + minute) * 60 + second) * 1000 }),
});
const EVE = at(2026, 12, 24);
const HALF_NINE = at(2026, 12, 24, 9, 30);

test.each<[unknown, Moment]>([
	['2026-12-24', EVE],
	[' 2026-12-24\u00a0', EVE],
	['2026/12/24', EVE],
	['2026.12.24', EVE],
	['24.12.2026', EVE],
	['24.12.26', EVE],
	['24-12-2026', EVE],
	['12/24/2026', EVE],
	['24/12/2026', EVE],
	['05/05/2027', at(2027, 5, 5)],
	['24. Dezember 2026', EVE],
	['24 décembre 2026', EVE],
	['24 grudnia 2026', EVE],
	['24 de diciembre de 2026', EVE],
	['24th of December 2026', EVE],
	['24-Dec-2026', EVE],
	['December 24, 2026', EVE],
	['Mar 1, 2027', at(2027, 3, 1)],
	['Dec 24th, 2026', EVE],
	['2026年12月24日', EVE],
	['20261224', EVE],
	[46380, EVE],
	['46380', EVE],
	['46380,5', at(2026, 12, 24, 12)],
	[46380.395833333336, HALF_NINE],
	[46380.70833, at(2026, 12, 24, 17)],
	['So, 24.01.2027', at(2027, 1, 24)],
	['tor. 24.12.2026', EVE],
	['2026-12-24T9:30', HALF_NINE],
	['2026-12-24 09:30:00', HALF_NINE],
	['24.12.2026, 09:30', HALF_NINE],
	['24.12.2026 um 9:30 Uhr', HALF_NINE],
	['24.12.2026 9h30', HALF_NINE],
	['12/24/2026 9:30AM', HALF_NINE],
	['12/24/2026 at 9:30 a.m.', HALF_NINE],
	['Thu, Dec 24 2026 9:30 AM', HALF_NINE],
	['Do, 24.12.2026 9:30', HALF_NINE],
	['24.12.2026 9 Uhr', at(2026, 12, 24, 9)],
	['12/24/2026 12:15 AM', at(2026, 12, 24, 0, 15)],
	['12/24/2026 12 pm', at(2026, 12, 24, 12)],
	['2026-12-24T09:30:00Z', { ...HALF_NINE, offset: 0 }],
	['2026-12-24 09:30 UTC', { ...HALF_NINE, offset: 0 }],
	['2026-12-24T09:30:00-05', { ...HALF_NINE, offset: -300 }],
	['2026-12-24 09:30 GMT+05:30', { ...HALF_NINE, offset: 330 }],
	['Thu, 24 Dec 2026 09:30:00 GMT', { ...HALF_NINE, offset: 0 }],
	// The weekday settles the order.
	['Thu, 03/04/2027', at(2027, 3, 4)],
	['Sat, 03/04/2027', at(2027, 4, 3)],
])('%p is one moment', (written, moment) => {
	expect(readDate(written)).toEqual({ moment });
});

test.each([
	...[
		'TBD',
		'next Friday',
		'Today',
		'KW 12',
		'Q1',
		'-',
		'',
		'n/a',
		'Feb 2027',
		'2027-06',
		'2027',
		'3',
	],
	...['17.12.2026, 15:00 - 31.01.2027', '31.12.2026, 11:00-17:00', '2027-02-01 LIVE', '09:30'],
	...['24.12.2026 10:00-12:00', '12/24/2026 9:00-11:00', '24.12.2026 8:30-10'],
	...['Dec 24, 2026 9:00-11:00', '2026-12-24 10:00-12:00', '24.12.2026 10:00 -12:00'],
	...['2026-12-24 09:30 CET', '2026-12-24 9', '1798102800', 'offer 12', '12/24', '9-5 daily'],
	...[
		'24 Foo 2026',
		'Yes 5 2026',
		'2026-12-24T09:30:00+15:00',
		'1.2.3.2026',
		'24.12.2026.1',
		'v1.2.2026b',
	],
	...[
		0,
		3,
		2027,
		36_525,
		73_051,
		NaN,
		Infinity,
		1_798_102_800,
		null,
		undefined,
		true,
		{},
		[],
		[46380],
	],
])('%p is no moment', (written) => {
	const read = readDate(written);
	expect(read === undefined || ('flaw' in read && read.flaw === 'no-year')).toBe(true);
});

test.each([
	['2027-04-31', 'no-such-day'],
	['31.02.27', 'no-such-day'],
	['29.02.2027', 'no-such-day'],
	['02/30/2027 9:00', 'no-such-day'],
	['13/13/2027', 'no-such-day'],
	['2027-02-03 24:00', 'no-such-time'],
	['2027-02-03 9:60', 'no-such-time'],
	['2027-02-03 14:30 PM', 'no-such-time'],
	['Di, 07.12.2026', 'other-weekday'],
	['So, 08.03.2027', 'other-weekday'],
	['Fri, 03/04/2027', 'other-weekday'],
	['24.12.', 'no-year'],
	['24 Dec', 'no-year'],
	['Dec 31', 'no-year'],
])('%p is a date that there is not: %s', (written, flaw) => {
	expect(readDate(written)).toEqual({ flaw });
});

const DRAWN = { numRuns: 2_000, seed: 20_271_224 };

test('any text and any value is a date, or none, and a date has a day of the calendar', () => {
	const texts = fc.oneof(
		fc.string({ unit: 'grapheme' }),
		fc.stringMatching(/^[0-9./: apm-]{0,20}$/),
		fc.anything(),
	);
	fc.assert(
		fc.property(texts, (value) => {
			const read = readDate(value);
			timeOf(value);
			isDate(value);
			if (!read || 'flaw' in read) return;
			for (const moment of 'moment' in read ? [read.moment] : Object.values(read.either)) {
				const date = new Date(utcOf({ ...moment, time: 0, offset: 0 }));
				expect([date.getUTCMonth() + 1, date.getUTCDate()]).toEqual([moment.month, moment.day]);
				expect(moment.time ?? 0).toBeLessThan(86_400_000);
			}
		}),
		DRAWN,
	);
});
