import type { HttpResponse } from '../ports';

/** What stands in place of the key. */
const REMOVED = '…';

/**
 * Shorter keys are words and numbers that occur in any text: removing them would damage records, and
 * with them what is written back. They are removed where they stand alone in a text or a rejection,
 * not from records, and not in other encodings. Whoever can guess them needs no response for that.
 */
const SHORTEST = 6;
/** Numbers below it have fewer digits than that. */
const SMALLEST = 10 ** (SHORTEST - 1);

/** How often an encoding may be applied to itself: `%252D`, `&amp;#45;`, `\\u002d`. A bound keeps the search linear. */
const NESTED = '{0,4}';

/** The names that HTML has for printable characters of ASCII. */
const ENTITIES: Record<string, string> = {
	'!': 'excl',
	'"': 'quot|QUOT',
	'#': 'num',
	$: 'dollar',
	'%': 'percnt',
	'&': 'amp|AMP',
	"'": 'apos',
	'(': 'lpar',
	')': 'rpar',
	'*': 'ast|midast',
	'+': 'plus',
	',': 'comma',
	'.': 'period',
	'/': 'sol',
	':': 'colon',
	';': 'semi',
	'<': 'lt|LT',
	'=': 'equals',
	'>': 'gt|GT',
	'?': 'quest',
	'@': 'commat',
	'[': 'lsqb|lbrack',
	'\\': 'bsol',
	']': 'rsqb|rbrack',
	'^': 'Hat',
	_: 'lowbar|UnderBar',
	'`': 'grave|DiacriticalGrave',
	'{': 'lcub|lbrace',
	'|': 'verbar|vert|VerticalLine',
	'}': 'rcub|rbrace',
};

/**
 * A response without the API key, in whatever encoding the service repeats it: error messages, logs
 * and items must not contain it. Records are searched as well; a body is changed in place.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const { status, headers, body } = response;
	if (key === '') return response;
	const isRecords = typeof body === 'object' && status >= 200 && status < 300;
	const redact = redactorOf(key);
	const isSearched = key.length >= SHORTEST || !isRecords;
	return {
		status,
		headers: redactAll(headers, redact) as HttpResponse['headers'],
		body: isSearched ? redactAll(body, redact) : body,
	};
}

/** A text without the key. */
export function textWithoutKey(text: string, key: string): string {
	return key === '' ? text : redactorOf(key)(text);
}

type Redact = (text: string) => string;

function redactorOf(key: string): Redact {
	const pattern = patternOf(key);
	return (text) => text.replace(pattern, REMOVED);
}

/**
 * Each character of the key, plain or encoded, in their order; or its Base64. The alternatives of a
 * character begin differently, so nothing is searched twice.
 */
function patternOf(key: string): RegExp {
	const plain = [...key].map(anyForm).join('');
	if (key.length < SHORTEST) return new RegExp(`(?<![A-Za-z0-9])${plain}(?![A-Za-z0-9])`, 'g');
	return new RegExp([plain, ...base64Of(key)].join('|'), 'g');
}

/** The forms of the characters that a key may have (see the credential's `authenticate`). */
const FORMS = new Map<string, string>();

function anyForm(character: string): string {
	const known = FORMS.get(character) ?? formsOf(character);
	FORMS.set(character, known);
	return known;
}

/** A character as itself, percent-encoded, escaped as in JSON or JavaScript, or as an HTML entity. */
function formsOf(character: string): string {
	const code = character.charCodeAt(0);
	const hex = [...code.toString(16).padStart(2, '0')]
		.map((digit) => (digit > '9' ? `[${digit}${digit.toUpperCase()}]` : digit))
		.join('');
	const entity = [`#0{0,8}${code};?`, `#[xX]0{0,8}${hex};?`];
	if (character in ENTITIES) entity.push(`(?:${ENTITIES[character]});`);
	return `(?:${[
		escaped(character),
		`%(?:25)${NESTED}${hex}`,
		`\\\\{1,4}(?:u00${hex}|u\\{0{0,4}${hex}\\}|x${hex}|${escaped(character)})`,
		`&(?:amp;)${NESTED}(?:${entity.join('|')})`,
	].join('|')})`;
}

/**
 * The part of the key's Base64 that does not depend on what surrounds the key, for each of the three
 * ways in which it can be aligned: so `Bearer <key>` and longer texts are found, too.
 */
function base64Of(key: string): string[] {
	return [0, 1, 2].map((offset) => {
		const base64 = Buffer.from('\0'.repeat(offset) + key, 'latin1').toString('base64');
		const first = Math.ceil((8 * offset) / 6);
		const last = Math.floor((8 * (offset + key.length)) / 6);
		return [...base64.slice(first, last)].map(anyFormOfBase64).join('');
	});
}

/** Base64 for URLs has `-` and `_` for `+` and `/`. */
function anyFormOfBase64(character: string): string {
	const other = { '+': '-', '/': '_' }[character];
	return other ? `(?:${anyForm(character)}|${anyForm(other)})` : anyForm(character);
}

function escaped(character: string): string {
	return /[A-Za-z0-9]/.test(character) ? character : `\\${character}`;
}

/** Redacts all texts in a JSON value, names included, without recursion: it may be deeper than the stack. */
function redactAll(value: unknown, redact: Redact): unknown {
	const root = [value];
	const containers: object[] = [root];
	for (let container; (container = containers.pop()) !== undefined; ) {
		if (Array.isArray(container)) {
			for (let index = 0; index < container.length; index++) {
				container[index] = redactMember(container[index], redact, containers);
			}
			continue;
		}
		const members = container as Record<string, unknown>;
		let hasKeyInName = false;
		for (const name of Object.keys(members)) {
			members[name] = redactMember(members[name], redact, containers);
			hasKeyInName ||= redact(name) !== name;
		}
		if (hasKeyInName) rename(members, redact);
	}
	return root[0];
}

/** A container is left for later. A number is searched, too: a key may consist of digits. */
function redactMember(value: unknown, redact: Redact, containers: object[]): unknown {
	if (typeof value === 'string') return redact(value);
	if (typeof value === 'object' && value !== null) containers.push(value);
	if (typeof value !== 'number' || Math.abs(value) < SMALLEST) return value;
	const text = String(value);
	return redact(text) === text ? value : REMOVED;
}

/** The members keep their order. */
function rename(members: Record<string, unknown>, redact: Redact): void {
	for (const [name, value] of Object.entries(members)) {
		delete members[name];
		// An assignment to `__proto__` would not create a member.
		Object.defineProperty(members, redact(name), {
			...{ value, writable: true, enumerable: true, configurable: true },
		});
	}
}
