import {
	asHtml,
	asLabel,
	onOneLine,
	asTextOrHtml,
	asValue,
	listed,
} from '../../nodes/LocalSeo/text/words';

const long = 'x'.repeat(20_000_000);

test.each(Object.entries({ onOneLine, asTextOrHtml, asHtml }))('%s has a bound', (_, shown) => {
	expect(shown(long)).toHaveLength(2_001);
	expect(shown(`${'<'.repeat(2_000_000)}`).length).toBeLessThan(12_000);
});

test('names and values in a message have a bound', () => {
	expect(asValue(long)).toHaveLength(101);
	expect(listed([long, 'b', long, 'd'], 3)).toHaveLength(2 * 201 + ', b,  and 1 more'.length);
});

test.each([
	['=1', '＝1'],
	[' \n\u200e=1', '＝1'],
])('the label of %j is %j', (text, label) => expect(asLabel(text)).toBe(label));

const cyclic: unknown[] = [];
cyclic.push(cyclic);

test.each<[unknown, string]>([
	[undefined, 'undefined'],
	[null, 'null'],
	['a "b"', '"a \\"b\\""'],
	[['a'], '["a"]'],
	[10n, '10'],
	[JSON.parse('{"toString":1}'), '{"toString":1}'],
	[new Date(0), '1970-01-01T00:00:00.000Z'],
	[() => 1, ''],
	[cyclic, 'object'],
])('the value %p is shown as %s', (value, shown) => expect(asValue(value)).toBe(shown));
