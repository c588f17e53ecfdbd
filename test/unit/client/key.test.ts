import escape from 'lodash/escape';

import { textWithoutKey, withoutKey } from '../../../nodes/LocalSeo/client';
import { onOneLine } from '../../../nodes/LocalSeo/text/words';
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

	/** Keys as a header may hold them; most services use letters, digits and a few signs. */
	const signs = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at));
	const keys = fc.string({ minLength: 6, maxLength: 60, unit: fc.constantFrom(...signs) });
	const lowerHex = (text: string) => text.replace(/%[\dA-F]{2}/g, (hex) => hex.toLowerCase());
	const inUnicode = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
	const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
	const inHtml = (text: string) => escape(text).replaceAll('&#39;', '&#039;');
	/** The names of HTML 5 for signs of a key, as `htmlentities` of PHP writes them with ENT_HTML5. */
	const NAMED: Record<string, string> = Object.fromEntries(
		Object.entries({
			...{ '!': 'excl', '"': 'quot', '#': 'num', $: 'dollar', '%': 'percnt', '&': 'amp' },
			...{ "'": 'apos', '(': 'lpar', ')': 'rpar', '*': 'ast', '+': 'plus', ',': 'comma' },
			...{ '.': 'period', '/': 'sol', ':': 'colon', ';': 'semi', '<': 'lt', '=': 'equals' },
			...{ '>': 'gt', '?': 'quest', '@': 'commat', '[': 'lbrack', '\\': 'bsol', ']': 'rsqb' },
			...{ '^': 'Hat', _: 'lowbar', '`': 'grave', '{': 'lbrace', '|': 'vert', '}': 'rcub' },
		}).map(([sign, name]) => [sign, `&${name};`]),
	);
	const WRITERS: Record<string, (secret: string) => string> = {
		plain: (secret) => secret,
		encodeURIComponent,
		'encodeURIComponent, lower': (secret) => lowerHex(encodeURIComponent(secret)),
		encodeURI,
		'a form': (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length),
		JSON: inJson,
		'JSON of PHP': (secret) => inJson(secret).replaceAll('/', '\\/'),
		'JSON of .NET': (secret) =>
			secret.replace(/[+=/]/g, (sign) => inUnicode(sign).toUpperCase().replace('U', 'u')),
		'JSON of Gson': (secret) => secret.replace(/[+=/:]/g, inUnicode),
		'JSON in JSON': (secret) => inJson(secret.replaceAll('/', '\\/')),
		'JSON of .NET in JSON': (secret) => inJson(secret.replace(/[+=]/g, inUnicode)),
		'JSON of Go': (secret) => inJson(secret).replace(/[<>&]/g, inUnicode),
		HTML: escape,
		'HTML of PHP': inHtml,
		'HTML of Go': (secret) => secret.replace(/[&<>'"]/g, (sign) => `&#${sign.charCodeAt(0)};`),
		'HTML in hexadecimal': (secret) =>
			secret.replace(/[^a-z\d]/gi, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
		'HTML with all names': (secret) =>
			secret.replace(/[!-/:-@[-`{-~]/g, (sign) => NAMED[sign] ?? sign),
		'HTML in HTML': (secret) => inHtml(escape(inHtml(secret))),
		'HTML in JSON': (secret) => inJson(inHtml(secret)),
		'an address in an address': (secret) => encodeURIComponent(encodeURIComponent(secret)),
	};

	test.each(Object.keys(WRITERS))('is found as programs write it: %s', (name) => {
		const property = fc.property(keys, (secret) => {
			const text = `Key "${WRITERS[name](secret)}"!`;
			const left = [inText(text, secret), inText({ a: [{ [text]: [text] }] }, secret, 401)];
			expect(JSON.stringify(left).match(/…/g)).toHaveLength(3);
			expect(textWithoutKey(text, secret)).toBe(left[0]);
		});
		fc.assert(property);
	});

	/** What nobody sees between letters: also what is taken out of a text before it is shown. */
	const invisible = Array.from({ length: 0x110000 }, (_, code) => code)
		.filter((code) => code < 0xd800 || code > 0xdfff)
		.map((code) => String.fromCodePoint(code))
		.filter((sign) => onOneLine(sign) === '' || /[\p{Cf}\p{DI}]/u.test(sign));
	test('is found between characters that nobody sees', () => {
		for (const sign of '\ufe0f\u034f\u180e\u200b\u3164\u{e0061}') expect(invisible).toContain(sign);
		const gap = fc.array(fc.constantFrom(...invisible), { maxLength: 3 });
		const gaps = fc.array(gap, { minLength: 60, maxLength: 60 });
		const property = fc.property(keys, gaps, (secret, between) => {
			const text = [...secret].map((sign, at) => sign + between[at].join('')).join('');
			expect(onOneLine(inText(`Key ${text}!`, secret) as string)).toMatch(/^Key …[^ -~]*!$/u);
		});
		fc.assert(property);
	});

	test('a response that does not have it stays to the letter', () => {
		const property = fc.property(keys, fc.json(), (secret, json) => {
			fc.pre(!json.includes(secret) && !/\\|%|&/.test(json));
			expect(inText(JSON.parse(json), secret)).toEqual(JSON.parse(json));
		});
		fc.assert(property);
	});

	test('is removed where it comes back as a number', () => {
		const numbers = [99_999, 123_456, -123_456, 0.123_456, 1e21, true, null];
		expect(inText(numbers, '123456')).toEqual([99_999, '…', '-…', '0.…', 1e21, true, null]);
	});

	test('a member called __proto__ stays one', () => {
		const body: unknown = JSON.parse(`{"data":{"__proto__":{"a":"sk_123456"},"sk_123456":1}}`);
		const left = '{"data":{"__proto__":{"a":"…"},"…":1}}';
		expect(JSON.stringify(inText(body, 'sk_123456'))).toBe(left);
	});

	test('of five characters is a word like others', () => {
		expect(inText({ title: 'xab12cdy' }, 'ab12cd')).toEqual({ title: 'x…y' });
		for (const short of ['ab12c', '']) {
			expect(inText({ title: 'ab12c' }, short, 404)).toEqual({ title: 'ab12c' });
			expect(textWithoutKey('ab12c', short)).toBe('ab12c');
		}
	});
});

describe('a response is searched', () => {
	test('however wide it is; what is too deep counts as cut off', () => {
		const open = '[{"a":'.repeat(50_000);
		const deep: unknown = JSON.parse(`${open}${JSON.stringify(KEY)}${'}]'.repeat(50_000)}`);
		expect(inText(deep)).toBe('[');
		const wide = { data: [...Array(300_000).fill('a'), KEY] };
		expect((inText(wide) as typeof wide).data.at(-1)).toBe('…');
	});

	// A search that is not linear would take minutes here.
	test.each([
		...['\\', '%25', '25', '&amp;#00', '&amp;', 'amp;', 'sk_live_1234567', '%73%6b%5f'],
		...['\u200e', 's\u200e\u200e', '&&&&&&', '&amp;lt', '%%%25', '\ufe0f'],
	])('once: %j', (unit) => {
		const body = unit.repeat(4_000_000 / unit.length);
		for (const secret of ['sk_live_12345678', '&&&&&&&&&&<1', '%%%%%%%%%%<1']) {
			for (const text of [body, `&${body}`, `%${body}`]) expect(inText(text, secret)).toBe(text);
		}
	});
});
