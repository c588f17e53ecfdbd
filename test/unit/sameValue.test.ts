import { isSameValue } from '../../nodes/LocalSeo/operation/sameValue';

test.each([
	['Corner Bakery', ' Corner  Bakery '],
	['Joe&#39;s &amp; Ann’s', "Joe's & Ann's"],
	['<p>Open daily</p>', 'Open daily'],
	['Cafe\u0301', 'Café'],
	['8–12', '8-12'],
	[51.5, '51.50'],
	['7', 7],
	[true, 'true'],
	['2026-01-01T09:00:00Z', '2026-01-01T10:00:00+01:00'],
	['Fresh bread since 1920, every …', 'Fresh bread since 1920, every day'],
	['Fresh bread since 1920, every…', 'Fresh bread since 1920, every day'],
	['“Open” daily', '"Open" daily'],
	[undefined, null],
	['', undefined],
	[['a'], ['a']],
	['See https://a.example/?x=1&amp;y=2', 'See https://a.example/?x=1&y=2'],
])('%j is %j in the form of the service', (stored, sent) => {
	expect(isSameValue(stored, sent)).toBe(true);
});

test.each([
	['corner bakery', 'Corner Bakery'],
	['Cafe', 'Café'],
	['Corner Bakery', 'Corner Bakery!'],
	['https://a.example', 'https://b.example'],
	['https://b.co', 'https://a-long-shop.example/start'],
	['-0.12', '0.12'],
	[-0.12, '0.12'],
	['5.15', '51.5'],
	['01234', '1234'],
	['Bakery', 'Bakery in the old town'],
	['The bakery in the old town', 'The bakery in the old town of Leeds'],
	['Bakery…', 'Bakery in the old town'],
	['Fresh bread since 1920, even…', 'Fresh bread since 1920, every day'],
	['Leeds', null],
	[undefined, 'Leeds'],
	[0, ''],
	['a', ['a']],
	[['a', 'b'], ['b']],
	['2026-01-01', '2026-01-02'],
	[`${'a'.repeat(30_000)}b`, `${'a'.repeat(30_000)}c`],
])('%j is not %j', (stored, sent) => {
	expect(isSameValue(stored, sent)).toBe(false);
});
