import {
	isEmpty,
	lettersIn,
	linksIn,
	MAX_COMPARED,
	plainText,
	spaced,
	withoutAccents,
} from '../../../../nodes/LocalSeo/client/same/text';

test('nothing, null and empty text are empty; false and 0 are not', () => {
	expect([undefined, null, ''].map(isEmpty)).toEqual([true, true, true]);
	expect([0, false, ' ', []].map(isEmpty)).toEqual([false, false, false, false]);
});

test('white space is one space, and none around a text', () => {
	expect(spaced(' a\t b\r\n\u00a0c ')).toBe('a b c');
});

test('links are found without the punctuation behind them, also where HTML writes an ampersand', () => {
	const text = 'See https://a.example/x?y=1&amp;z=2, <a href="HTTP://b.example/">b</a> and ftp://c';
	expect(linksIn(text)).toEqual(['https://a.example/x?y=1&z=2', 'HTTP://b.example']);
	expect(linksIn('none')).toEqual([]);
});

describe('a text without what makes no difference', () => {
	test.each([
		['Tom &amp; Tim &lt; 3, &gt; 2', 'Tom & Tim < 3, > 2'],
		['&quot;it&apos;s&quot;&nbsp;on', '"it\'s" on'],
		['Stra&szlig;e &euro;5', 'Straße €5'],
		['&uuml;&Uuml;&eacute;&oslash;&Zcaron;', 'üÜéøŽ'],
		['It&rsquo;s &ldquo;on&rdquo; &ndash; now&hellip;', 'It’s “on” – now...'],
		['&CloseCurlyQuote;x &amp co; &a; &1a;', ' x &amp co; &a; &1a;'],
		['&#228;&#xE4;&#XE4;&#128512;&#x1F600;', 'äää😀😀'],
		['&#1234567;&#x123456;', '&#1234567;&#x123456;'],
		['&amp;amp;amp; &amp;lt;b&amp;gt;bold', '&amp; bold'],
		['<b>bold</b><br/><a href="x">y</a> 1 < 2 > 1', 'boldy 1 < 2 > 1'],
		['</P>x<!-- y -->', 'x<!-- y -->'],
		['see HTTPS://example.com/a?b=c and http://x.y<i>z', 'see  and z'],
		['ﬁne Å ①', 'fine Å 1'],
	])('%s', (text, plain) => {
		expect(plainText(text)).toBe(plain);
	});

	test('a tag may be long, but not without an end', () => {
		const tag = (letters: number) => `<a ${'x'.repeat(letters)}>`;
		expect(plainText(`${tag(198)}y`)).toBe('y');
		expect(plainText(`${tag(1_000)}y`)).toBe(`${tag(1_000)}y`);
	});

	test.each(['&quot;', '<a href="/x">', '<span class="a b">', ' https://example.com/x'])(
		'what is cut at the bound is no piece of %p',
		(whole) => {
			for (let length = 1; length < whole.length; length++) {
				const before = 'word '.repeat(MAX_COMPARED).slice(0, MAX_COMPARED - length - 1);
				const plain = plainText(`${before} ${whole} word`);
				expect(before.startsWith(plain.trimEnd())).toBe(true);
				expect(plain.length).toBeGreaterThan(MAX_COMPARED - 50);
			}
		},
	);

	test('beyond the bound nothing is looked at', () => {
		expect(plainText('x'.repeat(MAX_COMPARED + 1))).toHaveLength(MAX_COMPARED);
	});

	test('a text that is kept up to the bound is the same as the whole of it', () => {
		const text = 'words '.repeat(MAX_COMPARED);
		expect(plainText(text.slice(0, MAX_COMPARED))).toBe(plainText(text));
	});

	test('a sign far before the bound stays in a long text', () => {
		expect(plainText(`1 < 2, ${'word '.repeat(MAX_COMPARED)}`)).toMatch(/^1 < 2, word word/);
	});
});

test.each([
	['äéîñçåž', 'aeincaz'],
	['ßæœøđðłþı', 'ssaeoeoddlthi'],
	['ά й', 'α и'],
	['กำ か゛', 'กำ か゛'],
])('%s without accents is %s', (text, plain) => {
	expect(withoutAccents(text.normalize('NFC'))).toBe(plain);
});

test.each([
	['Zum "Löwen", 5 € – ②', 'zumlöwen5②'],
	['cafe\u0301 हिन्दी', 'cafe\u0301हिन्दी'],
	['?! …', ''],
])('the letters and digits of %p are %p', (text, letters) => {
	expect(lettersIn(text)).toBe(letters);
});
