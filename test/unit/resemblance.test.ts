import {
	areOtherDates,
	isText,
	lengthOf,
	mayBeCut,
	resemblanceOf,
	termIn,
} from '../../nodes/LocalSeo/operation/resemblance';

/** How much a stored value is like one that is sent, in a list whose longest text has so many characters. */
const likeness = (stored: unknown, sent: unknown, longest = 2_000, areTerms = false) =>
	resemblanceOf({ text: stored }, { text: sent }, ['text'], [longest], areTerms);

describe('of several match fields', () => {
	const of = (record: object, row: object) =>
		resemblanceOf(
			record as Record<string, unknown>,
			row as Record<string, unknown>,
			['title', 'content', 'place'],
			[2_000, 2_000, 2_000],
		);
	const whole = { title: 'Sale', content: 'On Sunday', place: 'Leeds' };

	test.each<[string, object, object, string]>([
		['all that are equal mean the same', whole, whole, 'same'],
		['one that both lack says nothing', { ...whole, place: '' }, { ...whole, place: null }, 'same'],
		['the first that differs decides', { ...whole, title: 'Party' }, whole, 'unlike'],
		['the last that differs decides', { ...whole, place: 'York' }, whole, 'unlike'],
		['one that the record lacks leaves it open', { ...whole, title: null }, whole, 'unclear'],
		['one that the row lacks leaves it open', whole, { ...whole, place: '' }, 'unclear'],
		['one that is unclear leaves it open', { ...whole, title: 'Sale 🎉' }, whole, 'unclear'],
		[
			'one that differs decides also after an unclear one',
			{ title: 'Sale 🎉', place: 'York' },
			whole,
			'unlike',
		],
		['none that both have means another record', { title: 'Sale' }, { place: 'Leeds' }, 'unlike'],
		['none at all means another record', {}, {}, 'unlike'],
	])('%s', (_, record, row, expected) => expect(of(record, row)).toBe(expected));
});

describe('two texts', () => {
	test.each<[string, unknown, unknown, string]>([
		['are the same whatever their white space', 'On  Sunday\n', ' On Sunday', 'same'],
		['may be numbers', 7, '7', 'same'],
		['may be true or false', true, 'true', 'same'],
		['differ in a number', 'Room 1', 'Room 2', 'unlike'],
		['differ in how many numbers they have', 'Room 1 2', 'Room 12', 'unlike'],
		['may write a number in another way', 'From 1,50 at 12:30', 'From 1.50 at 12.30', 'same'],
		['differ in letters', 'Bread', 'Rolls', 'unlike'],
		['of signs alone are the same as they are', '!!!', '!!!', 'same'],
		['of signs alone differ in these', '!!!', '???', 'unlike'],
		['are unclear with another currency', 'For 5 €', 'For 5 $', 'unclear'],
		['are unclear with another flag', 'Week 🇩🇪', 'Week 🇫🇷', 'unclear'],
		['are unclear with a percent sign more', '20 off', '20% off', 'unclear'],
		['are unclear with a plus more', 'Age 18', 'Age 18+', 'unclear'],
		['are unclear with a minus before a number', 'All −20 off', 'All 20 off', 'unclear'],
		['are the same with a dash between numbers', 'From 8-12', 'From 8–12', 'same'],
		['are the same with other minuses', 'All -20 off', 'All −20 off', 'same'],
		['are the same with a dash between words', 'Bread - rolls', 'Bread – rolls', 'same'],
	])('%s', (_, stored, sent, expected) => expect(likeness(stored, sent)).toBe(expected));

	test('beyond what is compared are the same only if all of them is', () => {
		const long = 'word '.repeat(4_001);
		expect(likeness(`${long}!`, `${long}!`, 30_000)).toBe('same');
		expect(likeness(`${long}!`, `${long}?`, 30_000)).toBe('unclear');
		const fits = 'word '.repeat(3_999);
		expect(likeness(`${fits}!`, `${fits}?`, 30_000)).toBe('same');
	});
});

describe('a link', () => {
	const here = (link: string) => `Look here: ${link} today`;
	const link = 'https://example.com/offers/sunday';

	test.each([
		['with a full stop behind it is the same', `${link}.`, link, 'same'],
		['with two signs behind it is the same', `${link}).`, link, 'same'],
		['that was shortened is the same', 'https://sho.rt/x', link, 'same'],
		[
			'at another host that is no shorter is unclear',
			'https://example.org/offers/sundays',
			link,
			'unclear',
		],
		['at another host, as long, is unclear', 'https://example.org/offers/sunday', link, 'unclear'],
		['that is shorter at the same host is unclear', 'https://example.com/x', link, 'unclear'],
		['at the same host with www is unclear', 'https://www.example.com/x', link, 'unclear'],
		['at the same host without TLS is unclear', 'http://example.com/x', link, 'unclear'],
		['at the same host in capitals is unclear', 'https://EXAMPLE.com/x', link, 'unclear'],
		['at the same host with a port is unclear', 'https://example.com:8/x', link, 'unclear'],
		['at the same host with a query is unclear', 'https://example.com?x', link, 'unclear'],
		['at the same host with an anchor is unclear', 'https://example.com#x', link, 'unclear'],
		['that is there twice is one', `${link} ${link}`, link, 'same'],
		['that is gone is unclear', '', link, 'unclear'],
		['beside another one is unclear', `${link} https://example.com/more`, link, 'unclear'],
	])('%s', (_, stored, sent, expected) => {
		expect(likeness(here(stored), here(sent))).toBe(expected);
	});
});

describe('a text that may have been cut', () => {
	const sent = 'Come by on Sunday, from 8 to 12. Bring 3 friends! 🎉 And more';

	test.each<[string, string, number, string]>([
		['with an ellipsis is the same', 'Come by on Sunday, from 8 to…', 2_000, 'same'],
		[
			'with a sign behind its ellipsis is the same',
			'Come by on Sunday, from 8 to...”',
			2_000,
			'same',
		],
		[
			'with another number before its ellipsis is another',
			'Come by on Sunday, from 9 to…',
			2_000,
			'unlike',
		],
		[
			'with a part of a number before its ellipsis is another',
			'Come by on Sunday, from 8 to 1…',
			2_000,
			'unlike',
		],
		[
			'with another symbol before its ellipsis is unclear',
			'Come by 🍕 on Sunday, from 8 to…',
			2_000,
			'unclear',
		],
		['that is short, with an ellipsis, is unclear', 'Come…', 2_000, 'unclear'],
		['with other letters before its ellipsis is another', 'Come on by…', 2_000, 'unlike'],
		[
			'is unclear where the list has no longer one',
			'Come by on Sunday, from 8 to 12.',
			32,
			'unclear',
		],
		[
			'is unclear where the longest one is a word longer',
			'Come by on Sunday, from 8 to 12.',
			60,
			'unclear',
		],
		[
			'is its own where the list has one as long as what is sent',
			'Come by on Sunday, from 8 to 12.',
			61,
			'unlike',
		],
		[
			'is its own where the list has a much longer one',
			'Come by on Sunday, from 8 to 12.',
			63,
			'unlike',
		],
		['is its own where it is short', 'Come by on Sunday', 17, 'unlike'],
	])('%s', (_, stored, longest, expected) => {
		expect(likeness(stored, sent, longest)).toBe(expected);
	});

	test('that ends with three dots of its own is its own', () => {
		expect(likeness('Wait for it, wait for it...', 'Wait for it, wait for it... and more')).toBe(
			'unlike',
		);
	});

	test.each<[unknown, number, boolean]>([
		['x'.repeat(20), 50, true],
		['x'.repeat(20), 51, false],
		['x'.repeat(19), 0, false],
		['Bread…', 2_000, true],
		['Bread...', 2_000, true],
		['Bread...)".', 2_000, true],
		['Bread...)".!', 2_000, false],
		['Bread... and', 2_000, false],
		['Bread..', 2_000, false],
		[12_345_678_901_234_567_890n, 0, false],
		[{ text: 'Bread…' }, 0, false],
		[null, 0, false],
		[undefined, 0, false],
	])('may be %p in a list with up to %d characters: %p', (stored, longest, expected) => {
		expect(mayBeCut(stored, longest)).toBe(expected);
	});
});

describe('a date', () => {
	const noon = '2026-05-01T12:00:00Z';

	test.each([
		['is the same in another zone', noon, '2026-05-01T14:00:00+02:00', 'same'],
		['is another one, with both zones known', noon, '2026-05-01T13:00:00Z', 'unlike'],
		['is unclear where the record has no zone', '2026-05-01T13:00:00', noon, 'unclear'],
		['is unclear where the row has no zone', noon, '2026-05-01T11:00:00', 'unclear'],
		['is unclear as far as zones go', noon, '2026-05-02T02:00:00', 'unclear'],
		['is another one beyond that', noon, '2026-05-02T02:00:01', 'unlike'],
	])('%s', (_, stored, sent, expected) => {
		expect(likeness(stored, sent)).toBe(expected);
		expect(areOtherDates(stored, sent)).toBe(expected === 'unlike');
	});

	test('is the same as a text that writes it with other dashes', () => {
		expect(likeness('2026-05-01', '2026–05–01')).toBe('same');
		expect(likeness('2026–05–01', '2026-05-01')).toBe('same');
	});

	test('is none that differs where one of both is no date', () => {
		for (const other of ['soon', '', null, undefined, 7]) {
			expect(areOtherDates(noon, other)).toBe(false);
			expect(areOtherDates(other, noon)).toBe(false);
		}
	});
});

describe('a record that keeps a text in an object', () => {
	test.each<[string, object, unknown, string]>([
		['is the same as one of its texts', { de: 'Brot', en: 'Bread' }, 'Bread', 'same'],
		['is unclear where one of them is', { de: 'Brot', en: 'Bread 🎉' }, 'Bread', 'unclear'],
		[
			'is the same where one is, beside an unclear one',
			{ a: 'Bread 🎉', b: 'Bread' },
			'Bread',
			'same',
		],
		['is another one where they all are', { de: 'Brot', en: 'Rolls' }, 'Bread', 'unlike'],
		['is unclear where it has no text', { length: 5 }, 'Bread', 'unclear'],
		[
			'may be the beginning of a longer one',
			{ p: 'Come by on Sunday or Monday' },
			'Come by on Sunday or Monday, and bring your friends',
			'unclear',
		],
	])('%s', (_, stored, sent, expected) => expect(likeness(stored, sent)).toBe(expected));

	test('compares search terms as such', () => {
		expect(likeness({ name: 'C course' }, 'c# course', 2_000, true)).toBe('unclear');
		expect(likeness({ name: 'C Course' }, 'c course', 2_000, true)).toBe('same');
	});

	test('is the same as an object with the same, and unclear beside another one', () => {
		expect(likeness({ en: 'Bread' }, { en: 'Bread' })).toBe('same');
		expect(likeness({ en: 'Bread' }, { en: 'Rolls' })).toBe('unclear');
		expect(likeness(['a', 'b'], ['a', 'c'])).not.toBe('same');
		expect(likeness('Bread', { en: 'Rolls' })).toBe('unclear');
	});
});

describe('search terms', () => {
	const terms = (stored: unknown, sent: unknown) => likeness(stored, sent, 0, true);

	test.each([
		['Plumber  Leeds', 'plumber leeds', 'same'],
		['zahnarzt', 'zahn arzt', 'unclear'],
		['+', '#', 'unlike'],
		['plumber in the old town of leeds', 'plumber in the old town of leeds north', 'unlike'],
		['plumber in the old town of…', 'plumber in the old town of leeds', 'same'],
	])('%s and %s: %s', (stored, sent, expected) => expect(terms(stored, sent)).toBe(expected));

	test('are compared without case, and with single spaces', () => {
		expect(termIn(' Fish  &amp; CHIPS\n')).toBe('fish & chips');
	});
});

test.each<[unknown, number]>([
	['  a \n b ', 3],
	['Fish &amp; chips', 12],
	[12, 2],
	[true, 4],
	['', 0],
	[null, 0],
	[undefined, 0],
	[['a'], 0],
	[{ a: 'b' }, 0],
])('%p has, as far as it can be compared, %d characters', (value, length) => {
	expect(lengthOf(value)).toBe(length);
});

test('texts, numbers, true and false are texts', () => {
	expect(['a', 0, false].every(isText)).toBe(true);
	expect([null, undefined, {}, [], 1n].some(isText)).toBe(false);
});
