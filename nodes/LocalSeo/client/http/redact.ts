import type { HttpResponse } from '../ports';
import { decode } from './decode';

/** What stands in place of the key. */
const REMOVED = '…';

/**
 * Shorter keys are words and numbers that occur in any text: removing them would damage records, and
 * with them what is written back. They are removed where they stand alone in a text or a rejection,
 * not from records. Whoever can guess them needs no response for that.
 */
const SHORTEST = 6;
/** Numbers below it have fewer digits than that. */
const SMALLEST = 10 ** (SHORTEST - 1);

/** How often what is encoded may be encoded again: a bound keeps the search linear. */
const MAX_LAYERS = 3;

/**
 * A response without the API key, in whatever encoding the service repeats it: error messages, logs
 * and items must not contain it. Records are searched as well; a body is changed in place.
 */
export function withoutKey(response: HttpResponse, key: string): HttpResponse {
	const { status, address, headers, body } = response;
	if (key === '') return response;
	const isRecords = typeof body === 'object' && status >= 200 && status < 300;
	const redact = redactorOf(key);
	const isSearched = key.length >= SHORTEST || !isRecords;
	return {
		status,
		address,
		headers: redactAll(headers, redact) as HttpResponse['headers'],
		body: isSearched ? redactAll(body, redact) : body,
	};
}

/** A text without the key. */
export function textWithoutKey(text: string, key: string): string {
	return key === '' ? text : redactorOf(key)(text);
}

type Redact = (text: string) => string;

/** From where to where. */
type Range = [start: number, end: number];

function redactorOf(key: string): Redact {
	const forms = formsOf(key);
	const shortest = Math.min(...forms.map(({ length }) => length));
	return (text) =>
		text.length < shortest ? text : cut(text, rangesOf(text, forms, key.length < SHORTEST));
}

/**
 * What to search for: the key, as it reads once everything is decoded (a key may look encoded itself),
 * and its Base64. What is too short to be searched for is left out.
 */
function formsOf(key: string): string[] {
	const decoded = decodedLayers(key).at(-1) ?? key;
	const plain = decoded.length < SHORTEST ? [key] : [key, decoded];
	return [...new Set(key.length < SHORTEST ? [key] : [...plain, ...base64Of(key)])];
}

/**
 * The part of the key's Base64 that does not depend on what surrounds the key, for each of the three
 * ways in which it can be aligned: so `Bearer <key>` and longer texts are found, too.
 */
function base64Of(key: string): string[] {
	return [0, 1, 2].flatMap((offset) => {
		const bytes = Buffer.from('\0'.repeat(offset) + key);
		const first = Math.ceil((8 * offset) / 6);
		const last = Math.floor((8 * bytes.length) / 6);
		return (['base64', 'base64url'] as const).map((encoding) =>
			bytes.toString(encoding).slice(first, last),
		);
	});
}

function decodedLayers(text: string): string[] {
	const layers = [];
	for (let layer = decode(text); layer && layers.length < MAX_LAYERS; layer = decode(layer.text)) {
		layers.push(layer.text);
	}
	return layers;
}

/** Where the key is in a text, plain or encoded, in the order of the layers. */
function rangesOf(text: string, forms: string[], isWord: boolean): Range[] {
	const ranges: Range[] = [];
	let toSource = (index: number) => index;
	for (let [layer, layers] = [text, 0]; ; layers++) {
		for (const form of forms) {
			for (let at = layer.indexOf(form); at >= 0; at = layer.indexOf(form, at + form.length)) {
				const end = at + form.length;
				if (isWord && !standsAlone(layer, at, end)) continue;
				ranges.push([toSource(at), toSource(end)]);
			}
		}
		const next = layers < MAX_LAYERS ? decode(layer) : undefined;
		if (!next) return ranges;
		const outer = toSource;
		toSource = (index) => outer(next.sourceOf(index));
		layer = next.text;
	}
}

function standsAlone(text: string, start: number, end: number): boolean {
	return !/[A-Za-z0-9]/.test((text[start - 1] ?? '') + (text[end] ?? ''));
}

function cut(text: string, ranges: Range[]): string {
	if (ranges.length === 0) return text;
	let result = '';
	let kept = 0;
	for (const [start, end] of ranges.sort(([a], [b]) => a - b)) {
		if (end <= kept) continue;
		if (start >= kept) result += text.slice(kept, start) + REMOVED;
		kept = end;
	}
	return result + text.slice(kept);
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
			value,
			writable: true,
			enumerable: true,
			configurable: true,
		});
	}
}
