import fc from 'fast-check';

import { textWithoutKey, withoutKey } from '../../nodes/LocalSeo/client/http/redact';
import { RUNS, SEED } from '../support/property';

const key = 'sk_"1&%\\+/a';

const inText = (body: unknown, secret = key, status = 200) =>
	withoutKey({ status, headers: {}, body }, secret).body;

test('the key is removed from the text of a response, also where it stands in JSON', () => {
	const body = `<p>${key}</p><script>${JSON.stringify({ key })}</script>`;
	expect(inText(body)).toBe('<p>…</p><script>{"key":"…"}</script>');
});

test.each([200, 401])('the key is removed from all of a response with status %i', (status) => {
	const response = {
		status,
		headers: { 'www-authenticate': `Bearer ${key}`, 'set-cookie': [`key=${key}`], [key]: '1' },
		body: { data: [{ [key]: [`Unknown key ${key}`], after: null, count: 3 }] },
	};
	const redacted = withoutKey(response, key);
	expect(redacted).toEqual({
		status,
		headers: { 'www-authenticate': 'Bearer …', 'set-cookie': ['key=…'], '…': '1' },
		body: { data: [{ '…': ['Unknown key …'], after: null, count: 3 }] },
	});
	expect(Object.keys((redacted.body as { data: object[] }).data[0])).toEqual([
		'…',
		'after',
		'count',
	]);
});

test('a key of digits is removed where it comes back as a number', () => {
	expect(inText({ data: [{ key: 1234567, other: 123456 }] }, '1234567')).toEqual({
		data: [{ key: '…', other: 123456 }],
	});
});

test('a member called __proto__ stays one', () => {
	const body = JSON.parse(`{"data":{"__proto__":{"a":1},"sk_123456":1}}`);
	expect(JSON.stringify(inText(body, 'sk_123456'))).toBe('{"data":{"__proto__":{"a":1},"…":1}}');
});

test.each([undefined, null, '', 7, true])('a body that is %p stays so', (body) => {
	expect(inText(body, key, 500)).toBe(body);
});

test('an empty key leaves everything as it is', () => {
	expect(inText({ message: 'No key' }, '', 400)).toEqual({ message: 'No key' });
	expect(textWithoutKey('No key', '')).toBe('No key');
});

describe('a key that is too short to be a secret', () => {
	test('is removed from texts and rejections where it stands alone', () => {
		expect(inText('Key "red" is not the key of Fred', 'red')).toBe(
			'Key "…" is not the key of Fred',
		);
		expect(inText({ message: 'Unknown key: red' }, 'red', 401)).toEqual({
			message: 'Unknown key: …',
		});
	});

	test('stays in records: there it is a word like others', () => {
		expect(inText({ data: [{ title: 'red' }] }, 'red')).toEqual({ data: [{ title: 'red' }] });
	});
});

describe('a key of six characters', () => {
	const [six, five] = ['ab12cd', 'ab12c'];

	test('is removed wherever it is; one of five only where it stands alone, and not from records', () => {
		expect(inText({ title: `x${six}y` }, six)).toEqual({ title: 'x…y' });
		expect(inText({ title: `x ${five} y` }, five)).toEqual({ title: `x ${five} y` });
		expect(inText({ title: `x${five}y, ${five}.` }, five, 400)).toEqual({ title: `x${five}y, ….` });
		expect(inText(`${five} and ${five}`, five)).toBe('… and …');
	});

	test.each([199, 300, 404])(
		'is searched for where the status is no success, too: %d',
		(status) => {
			expect(inText({ message: five }, five, status)).toEqual({ message: '…' });
		},
	);

	test('is removed in Base64 only if it is long enough', () => {
		const inBase64 = (text: string) => Buffer.from(text).toString('base64');
		for (const before of ['', 'a', 'ab', 'Bearer ']) {
			expect(inText(`"${inBase64(`${before}${six}:more`)}"`, six)).toContain('…');
			expect(inText(`"${inBase64(`${before}${five}:more`)}"`, five)).not.toContain('…');
		}
	});

	test.each([
		['ab12cdab12cd', '……'],
		['ab12cd ab12cdx', '… …x'],
		['ab12ab12cd', 'ab12…'],
		['%61b12cd ab12cd a%6212cd', '… … …'],
		['ab12c%64&#97;b12cd', '……'],
	])('is removed each time: %s', (text, left) => expect(inText(text, six)).toBe(left));
});

test('occurrences that overlap are removed together', () => {
	expect(inText('xababababay', 'ababab')).toBe('x…abay');
	expect(inText('x%61babababay', 'ababab')).not.toMatch(/ababab/);
});

test('a key that looks encoded is removed as it is, and as it reads', () => {
	const encoded = 'sk%5Flive%5F1234';
	expect(inText(`as ${encoded} or sk_live_1234`, encoded)).toBe('as … or …');
	// What it reads is too short to be searched for.
	expect(inText('%61%62%63 abc', '%61%62%63')).toBe('… abc');
});

test('is found behind three layers of encoding', () => {
	const key = 'sk_live_1';
	let text = key.replace('_', '%5f');
	for (let layer = 1; layer <= 3; layer++) {
		expect(inText(`a ${text} z`, key)).toBe('a … z');
		text = text.replaceAll('%', '%25');
	}
});

test('a number that has too few digits for a key is not searched', () => {
	const numbers = { data: [99_999, -99_999, 123_456, -123_456, 0.123_456, 1e21] };
	expect(inText(numbers, '123456')).toEqual({ data: [99_999, -99_999, '…', '…', 0.123_456, 1e21] });
	expect(inText({ data: [100_000, true, null] }, '100000')).toEqual({ data: ['…', true, null] });
});

test('a member that gets another name can be changed and removed like others', () => {
	const record = inText({ a: 1, [`${key}`]: 2 }) as Record<string, unknown>;
	expect(Object.getOwnPropertyDescriptor(record, '…')).toEqual({
		value: 2,
		writable: true,
		enumerable: true,
		configurable: true,
	});
});

describe('in every encoding and place', () => {
	const hexOf = (character: string) => character.charCodeAt(0).toString(16).padStart(2, '0');
	const upper = (hex: string) => hex.toUpperCase();
	const NAMED: Record<string, string> = { '&': 'amp', '"': 'quot', _: 'lowbar', '/': 'sol' };
	/** Ways to write one character; a text may mix those of a row. */
	const WRITINGS: Record<string, Array<(character: string) => string>> = {
		percent: [
			(c) => (/[A-Za-z0-9_.~-]/.test(c) ? c : `%${hexOf(c)}`),
			(c) => `%${hexOf(c)}`,
			(c) => `%${upper(hexOf(c))}`,
		],
		'percent, twice': [(c) => `%25${hexOf(c)}`],
		entities: [
			(c) => (c === '&' ? '&amp;' : c),
			(c) => (NAMED[c] ? `&${NAMED[c]};` : `&#${c.charCodeAt(0)};`),
			(c) => `&#x${hexOf(c)};`,
			(c) => `&#X00${upper(hexOf(c))};`,
		],
		'entities, twice': [(c) => `&amp;#${c.charCodeAt(0)};`, (c) => `&#38;#x${hexOf(c)};`],
		'JSON escapes': [
			(c) => JSON.stringify(c).slice(1, -1),
			(c) => (c === '/' ? '\\/' : JSON.stringify(c).slice(1, -1)),
			(c) => `\\u00${hexOf(c)}`,
			(c) => `\\u00${upper(hexOf(c))}`,
		],
		'JSON escapes, twice': [
			(c) => JSON.stringify(`\\u00${hexOf(c)}`).slice(1, -1),
			(c) => JSON.stringify(JSON.stringify(c).slice(1, -1)).slice(1, -1),
		],
		'entities in percent': [(c) => encodeURIComponent(`&#${c.charCodeAt(0)};`)],
	};
	const keys = fc.string({
		minLength: 6,
		maxLength: 60,
		unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
	});
	const written = (secret: string) =>
		fc.oneof(
			fc.constant(secret),
			...Object.values(WRITINGS).map((row) =>
				fc
					.array(fc.nat(row.length - 1), { minLength: secret.length, maxLength: secret.length })
					.map((picks) => [...secret].map((c, index) => row[picks[index]](c)).join('')),
			),
			fc
				.tuple(fc.string({ maxLength: 5, unit: 'grapheme-ascii' }), fc.constantFrom(...BASE64))
				.map(([before, encoding]) => Buffer.from(`${before}${secret}:x`).toString(encoding)),
			fc
				.constantFrom(...BASE64)
				.map((encoding) => Buffer.from(`Bearer ${secret}`).toString(encoding)),
		);
	const BASE64 = ['base64', 'base64url'] as const;
	/** A key, and a text that has it somewhere. */
	const leak = keys.chain((secret) =>
		fc.record({
			secret: fc.constant(secret),
			text: fc
				.tuple(fc.constantFrom('', 'Key ', '…=', '"'), written(secret), fc.constantFrom('', ' !'))
				.map((parts) => parts.join('')),
			status: fc.constantFrom(200, 201, 302, 401, 500),
			place: fc.constantFrom<(text: string) => unknown>(
				(text) => text,
				(text) => ({ message: text }),
				(text) => ({ data: [{ id: 1, nested: [[text]] }] }),
				(text) => ({ data: { [text]: 1 } }),
			),
		}),
	);

	/** What a reader could make of a text: itself, decoded, and its Base64 decoded. */
	function readings(text: string): string[] {
		const decoded = [text];
		for (let round = 0; round < 2; round++) {
			const last = decoded[decoded.length - 1];
			decoded.push(
				last
					.replace(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
					.replace(/\\u([\da-f]{4})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
					.replace(/&#x([\da-f]+);/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
					.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
					.replace(/&(\w+);/g, (all, name) => {
						return Object.keys(NAMED).find((character) => NAMED[character] === name) ?? all;
					})
					.replace(/\\(["\\/])/g, '$1'),
			);
		}
		const runs = text.match(/[\w+/-]{8,}/g) ?? [];
		return [...decoded, ...runs.map((run) => Buffer.from(run, 'base64').toString('latin1'))];
	}

	test('the key is nowhere in what is left', () => {
		const property = fc.property(leak, ({ secret, text, status, place }) => {
			const headers = { 'x-debug': text };
			const { body, headers: shown } = withoutKey({ status, headers, body: place(text) }, secret);
			const texts = [JSON.stringify(body), ...textsIn(body), ...textsIn(shown)];
			for (const one of texts.flatMap(readings)) expect(one).not.toContain(secret);
			expect(textsIn(shown).join()).toContain('…');
		});
		fc.assert(property, { numRuns: 5 * RUNS, seed: SEED });
	});

	function textsIn(value: unknown): string[] {
		if (typeof value === 'string') return [value];
		if (typeof value !== 'object' || value === null) return [];
		return [...Object.keys(value), ...Object.values(value).flatMap(textsIn)];
	}

	test('a response that does not have it stays to the letter', () => {
		const property = fc.property(keys, fc.json(), (secret, json) => {
			fc.pre(!json.includes(secret) && !/\\|%|&/.test(json));
			const body: unknown = JSON.parse(json);
			expect(inText(body, secret)).toEqual(JSON.parse(json));
		});
		fc.assert(property, { numRuns: RUNS, seed: SEED });
	});
});
