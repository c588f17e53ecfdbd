import { withoutKey } from '../../nodes/LocalSeo/client/http/redact';

const key = 'sk_"1&%\\+/a';

const inText = (body: unknown, secret = key) =>
	withoutKey({ status: 200, headers: {}, body }, secret).body;

test('a response may be deeper than the stack', () => {
	const levels = 100_000;
	const open = '[{"a":'.repeat(levels / 2);
	const body: unknown = JSON.parse(
		`${open}"${key.replace(/["\\]/g, '\\$&')}"${'}]'.repeat(levels / 2)}`,
	);
	let inner = inText(body);
	for (let level = 0; level < levels; level += 2) inner = (inner as Array<{ a: unknown }>)[0].a;
	expect(inner).toBe('…');
});

test('a response may be wide', () => {
	const body = { data: [...Array(300_000).fill('a'), key] };
	expect((inText(body) as typeof body).data.at(-1)).toBe('…');
});

// A search that is not linear would take minutes here.
test.each([
	['backslashes', '\\'],
	['percent signs', '%25'],
	['entities', '&amp;#00'],
	['beginnings of the key', 'sk_live_1234567'],
	['its beginning, encoded', '%73%6b%5f'],
])('a response of %s is searched once', (_, unit) => {
	const body = unit.repeat(4_000_000 / unit.length);
	expect(inText(body, 'sk_live_12345678')).toBe(body);
});
