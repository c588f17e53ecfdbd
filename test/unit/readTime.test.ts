import { isQuestion } from '../../nodes/LocalSeo/rows/outcome';
import { type DateOrder, readTime } from '../../nodes/LocalSeo/rows/read/time';

const read = (value: unknown, order: DateOrder = 'ask') =>
	readTime(value, { name: 'publish_at', zone: 'America/New_York', order });
/** A question stops the run. */
const refusal = (value: unknown, order?: DateOrder, isAsked = false) => {
	try {
		return read(value, order);
	} catch (error) {
		expect(isQuestion(error)).toBe(isAsked);
		const { message, description } = error as Error & { description: string };
		return `${message} | ${description}`;
	}
};

test.each([
	['2027-12-24', '2027-12-24T00:00:00-05:00'],
	['2027/12/24 9:05', '2027-12-24T09:05:00-05:00'],
	['2027-07-20T18:30', '2027-07-20T18:30:00-04:00'],
	['2027-12-24T09:00:00+0100', '2027-12-24T09:00:00+01:00'],
	[' 2027-12-24\u00a009:00 ', '2027-12-24T09:00:00-05:00'],
	['24.12.2027, 10:00', '2027-12-24T10:00:00-05:00'],
	['3.4.27', '2027-04-03T00:00:00-04:00'],
	['12/24/2027 9 AM', '2027-12-24T09:00:00-05:00'],
	['24-12-2027', '2027-12-24T00:00:00-05:00'],
	['Dec 24, 2027 9:00 AM', '2027-12-24T09:00:00-05:00'],
	['24 December 2027 14:00', '2027-12-24T14:00:00-05:00'],
	[46_745.375, '2027-12-24T09:00:00-05:00'],
])('%p is %p', (value, text) => expect(read(value)).toBe(text));

const UNREAD = "can't be read as a time";
test.each<[why: string, unknown[]]>([
	[UNREAD, ['2027', '2027-06', 2027, 20_089, 73_051, '2027-12-24 10:00-12:00']],
	[UNREAD, ['2027-12-24Z', '2027-12-24 13:00 PM', '2027-12-24 0:30 AM']],
	[UNREAD, ['2027-12-24 10:00 CET', '2027-12-24T10:00:00+99:99', '12/24/27', true]],
	[UNREAD, ['20271224', '20271224T100000Z', '2027-12-24T09Z', '10:00', '9 am']],
	[UNREAD, ['24. Dezember 2027', 'Fri, Dec 24, 2027', 'Dec 24', 'next Friday', { year: 2027 }]],
	["isn't a valid date", ['2027-02-30', '2127-12-24', '31.04.2027', '32/13/2027']],
	["isn't a valid date", ['2027-12-24 24:30', '2027-12-24T25:60Z']],
	['does not exist in America/New_York', ['2027-03-14 02:30']],
	['comes twice in America/New_York', ['2027-11-07 01:30']],
	["makes two days | Set 'Date Order' to Month First (4 March) or Day First", ['03/04/2027']],
])('%s: %j', (why, values) => {
	for (const value of values) {
		expect(refusal(value)).toContain('publish_at: ');
		expect(refusal(value)).toContain(why);
	}
});

test('with Date Order, only that order is read', () => {
	expect(read('03/04/2027', 'month')).toBe('2027-03-04T00:00:00-05:00');
	expect(read('03.04.2027', 'month')).toBe('2027-03-04T00:00:00-05:00');
	expect(read('03/04/2027', 'day')).toBe('2027-04-03T00:00:00-04:00');
	expect(refusal('32/24/2027', 'day')).toContain("isn't a valid date");
});

test.each<[string, DateOrder, string]>([
	[
		'12/24/2027',
		'day',
		"has the month first | Correct the cell; or, if the month comes first in all of them, set 'Date Order' to Month First",
	],
	[
		'24/12/2027',
		'month',
		"has the day first | Correct the cell; or, if the day comes first in all of them, set 'Date Order' to Day First",
	],
	[
		'12.24.2027',
		'ask',
		"has the month first | Correct the cell; or, if the month comes first in all of them, set 'Date Order' to Month First",
	],
])('%s with the order %s stops the run: it %s', (value, order, words) => {
	expect(refusal(value, order, true)).toContain(`publish_at: "${value}" ${words}`);
});
