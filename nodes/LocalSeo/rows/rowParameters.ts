import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonObject } from '../client';
import { isReadable } from '../host/context';

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
export type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/** An expression that only reads a value, of the row or of another node's paired row. */
interface Read {
	/** `$json.title` */
	code: string;
	/** Where it is in the row itself: the names that lead to the value. */
	path?: string[];
}

/** A value, or undefined where it is not known without n8n. */
type Known = { value: unknown } | undefined;

/** Without anything that n8n or JavaScript would read in a way of its own. */
const QUOTED = String.raw`"[^"'\\{}\r\n\u2028\u2029]+"|'[^"'\\{}\r\n\u2028\u2029]+'`;
/** `.title`, `["Title"]` or `['Title']`. */
const NAME = String.raw`\.[A-Za-z_$][\w$]*|\[(?:${QUOTED})\]`;
const READ = new RegExp(
	String.raw`^=\{\{\s*((\$json|\$input\.item\.json|\$\((?:${QUOTED})\)\.item\.json)((?:${NAME})+))\s*\}\}$`,
);

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/n8n-facts.md, section 2), so n8n is asked as seldom as its results allow:
 *
 * - A parameter without expressions is the same for all rows, and read once.
 * - An expression that reads a column of the row (`{{ $json.title }}`) is not evaluated: the value is
 *   there already.
 * - Several that read values elsewhere (`{{ $('Sheet').item.json.title }}`) are evaluated in one call.
 *
 * That goes for texts, numbers, booleans and missing values, which an expression leaves as they are,
 * and for parameters in which all expressions are of this kind: others may change what the next one
 * reads. Once a parameter has another value, or fails, it is left to n8n.
 */
export function rowParameters(context: IExecuteFunctions): (index: number) => ReadParameter {
	const { parameters } = context.getNode();
	const rows = context.getInputData();
	const shared = new Map<string, unknown>();
	const reads = new Map<string, Read[] | 'left to n8n'>(
		Object.entries(parameters).map(([name, parameter]) => [name, readsIn(parameter)]),
	);

	const valuesOf = (name: string, own: Read[], index: number): unknown[] | undefined => {
		const known = own.map(({ path }) => path && columnOf(rows[index].json, path));
		// A single one costs n8n no more.
		if (own.length === 1) return known[0] && [known[0].value];
		const values = evaluated(context, own, known, index);
		if (!values) reads.set(name, 'left to n8n');
		return values;
	};
	const read = (index: number, name: string, fallback?: unknown, options?: object) => {
		const ask = () => context.getNodeParameter(name, index, fallback, options) as unknown;
		const own = reads.get(name) ?? [];
		// A path leads into a parameter that may have expressions.
		if (own === 'left to n8n' || name.includes('.')) return ask();
		if (own.length === 0) return getOrSet(shared, name, ask);
		const values = valuesOf(name, own, index);
		if (!values) return ask();
		const value = filled(parameters[name], values.values());
		return isLocator(value) && isRecord(options) && options.extractValue ? value.value : value;
	};
	return (index) => {
		const own = new Map<string, unknown>();
		return (name, fallback, options) =>
			getOrSet(own, name, () => read(index, name, fallback, options));
	};
}

function getOrSet(map: Map<string, unknown>, name: string, make: () => unknown): unknown {
	if (!map.has(name)) map.set(name, make());
	return map.get(name);
}

/** What the expressions in a parameter read, in their order. */
function readsIn(parameter: unknown): Read[] | 'left to n8n' {
	const reads = expressionsIn(parameter).map(readOf);
	return reads.every((read) => read !== undefined) ? reads : 'left to n8n';
}

function expressionsIn(parameter: unknown): string[] {
	if (typeof parameter === 'string') return parameter.startsWith('=') ? [parameter] : [];
	if (typeof parameter !== 'object' || parameter === null) return [];
	return Object.values(parameter).flatMap(expressionsIn);
}

function readOf(expression: string): Read | undefined {
	const [, code, root, names = ''] = READ.exec(expression) ?? [];
	// n8n searches the whole text for it.
	if (code === undefined || code.includes('constructor')) return undefined;
	const path = [...names.matchAll(new RegExp(NAME, 'g'))].map(([name]) =>
		name.startsWith('.') ? name.slice(1) : name.slice(2, -2),
	);
	if (!path.every(isColumn)) return undefined;
	return { code, path: root === '$json' ? path : undefined };
}

/** n8n refuses some names, and takes others for what every object has. */
function isColumn(name: string): boolean {
	return isReadable(name) && !(name in {});
}

/**
 * All values, those that are not known yet in one evaluation; undefined if one is not plain, or fails.
 */
function evaluated(
	context: IExecuteFunctions,
	reads: Read[],
	known: Known[],
	index: number,
): unknown[] | undefined {
	const codes = reads.flatMap(({ code }, at) => (known[at] ? [] : [`${at}: (${code})`]));
	if (codes.length === 0) return known.map((one) => one?.value);
	try {
		// Not a list: one of n8n's engines turns its missing values into null.
		const results: unknown = context.evaluateExpression(`{{ ({ ${codes.join(', ')} }) }}`, index);
		// A value below one that is missing fails all of them.
		if (!isRecord(results)) return undefined;
		const values = known.map((one, at) => (one ? one.value : results[at]));
		return values.every(isPlain) ? values : undefined;
	} catch {
		return undefined;
	}
}

/** The value that a path leads to, where it is plain, or where the row has no such column. */
function columnOf(row: JsonObject, path: string[]): Known {
	let value: unknown = row;
	for (const name of path) {
		if (!isRecord(value) || name in value !== Object.hasOwn(value, name)) return undefined;
		value = value[name];
	}
	return isPlain(value) ? { value } : undefined;
}

/** A value that comes out of every engine of n8n as it went in; half of a surrogate pair does not. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
	return value === null || ['boolean', 'number', 'undefined'].includes(typeof value);
}

/** A copy of a parameter, with the next value in place of each expression. */
function filled(parameter: unknown, values: Iterator<unknown>): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=') ? values.next().value : parameter;
	}
	if (Array.isArray(parameter)) return parameter.map((entry) => filled(entry, values));
	if (typeof parameter !== 'object' || parameter === null) return parameter;
	return Object.fromEntries(
		Object.entries(parameter).map(([name, entry]) => [name, filled(entry, values)]),
	);
}

/** A resource locator holds its value beside the mode in which it was chosen. */
function isLocator(value: unknown): value is { mode: string; value: unknown } {
	return isRecord(value) && 'mode' in value && 'value' in value;
}
