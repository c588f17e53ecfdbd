import { textWithoutKey, withoutKey } from '../../../nodes/LocalSeo/client';
import { fc } from '../../support/random';

const KEY = 'sk_1+/a=:b.c-d';

const inText = (body: unknown, secret = KEY, status = 200) =>
	withoutKey({ status, headers: {}, body }, secret).body;

describe('the key in a response', () => {
	test.each([200, 401])('is removed from all of one with status %i', (status) => {
		const response = {
			status,
			headers: { 'www-authenticate': `Bearer ${KEY}`, 'set-cookie': [`key=${KEY}`], [KEY]: '1' },
			body: { data: [{ [KEY]: [`Unknown key ${KEY}`, KEY + KEY], after: null, count: 3 }] },
		};
		expect(withoutKey(response, KEY)).toEqual({
			status,
			headers: { 'www-authenticate': 'Bearer …', 'set-cookie': ['key=…'], '…': '1' },
			body: { data: [{ '…': ['Unknown key …', '……'], after: null, count: 3 }] },
		});
	});

	/** Keys as a header may hold them, quotes and backslashes included. */
	const signs = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
	const keys = fc.string({ minLength: 6, maxLength: 60, unit: fc.constantFrom(...signs) });

	test('is found in texts and names, whatever signs it has', () => {
		const property = fc.property(keys, (secret) => {
			const text = `Key (${secret}), and\n${secret}`;
			const left = [inText(text, secret), inText({ a: [{ [text]: [text] }] }, secret, 401)];
			expect(JSON.stringify(left)).not.toContain(JSON.stringify(secret).slice(1, -1));
			expect(JSON.stringify(left).match(/…/g)).toHaveLength(6);
			expect(textWithoutKey(text, secret)).toBe(left[0]);
		});
		fc.assert(property);
	});

	test('a response that does not have it stays as it is', () => {
		const property = fc.property(keys, fc.json(), (secret, json) => {
			fc.pre(!json.includes(JSON.stringify(secret).slice(1, -1)));
			const body: unknown = JSON.parse(json);
			expect(inText(body, secret)).toBe(body);
		});
		fc.assert(property);
		expect([undefined, null, ''].map((body) => inText(body))).toEqual([undefined, null, '']);
	});

	test('a member called __proto__ stays one', () => {
		const body: unknown = JSON.parse(`{"data":{"__proto__":{"a":"sk_123456"},"sk_123456":1}}`);
		const left = '{"data":{"__proto__":{"a":"…"},"…":1}}';
		expect(JSON.stringify(inText(body, 'sk_123456'))).toBe(left);
	});

	test('of five characters is a word like others', () => {
		expect(inText({ title: 'xab12cdy' }, 'ab12cd')).toEqual({ title: 'x…y' });
		for (const short of ['ab12c', '"12"c', '']) {
			expect(inText({ title: short }, short, 404)).toEqual({ title: short });
			expect(textWithoutKey(short, short)).toBe(short);
		}
	});
});

describe('a response is searched', () => {
	test('as text: one that has a key of digits as a number counts as cut off', () => {
		expect(inText({ id: 1_234_567 }, '123456')).toBe('[');
	});

	test('however wide it is; what is too deep counts as cut off', () => {
		const open = '[{"a":'.repeat(50_000);
		const deep: unknown = JSON.parse(`${open}${JSON.stringify(KEY)}${'}]'.repeat(50_000)}`);
		expect([inText(deep), inText(deep, 'ab')]).toEqual(['[', '[']);
		const wide = { data: [...Array(300_000).fill('a'), KEY] };
		expect((inText(wide) as typeof wide).data.at(-1)).toBe('…');
	});
});
