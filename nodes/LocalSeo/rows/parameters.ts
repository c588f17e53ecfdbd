import type { IExecuteFunctions } from 'n8n-workflow';

import { isRecord, type JsonObject } from '../client';
import { isReadable } from '../host/context';

/** Resolves a parameter for one row, as n8n's `getNodeParameter` does. */
export type ReadParameter = (name: string, fallback?: unknown, options?: object) => unknown;

/** `$json.title` or `$json["Title"]`, without anything that n8n or JavaScript would read otherwise. */
const QUOTED = String.raw`\["([^"'\\{}\r\n\u2028\u2029]+)"\]`;
const COLUMN = new RegExp(String.raw`^=\{\{\s*\$json(?:\.([A-Za-z_$][\w$]*)|${QUOTED})\s*\}\}$`);

/**
 * The parameters of a node, row by row. Evaluating expressions is what costs most in a run
 * (docs/n8n-facts.md, section 2), so n8n is asked as seldom as its results allow: a parameter without
 * expressions is read once, and one whose expressions all read a column of the row
 * (`{{ $json.title }}`) is filled in here. That goes for texts, numbers, booleans and missing values,
 * which an expression leaves as they are.
 */
export function rowParameters(context: IExecuteFunctions): (index: number) => ReadParameter {
	const { parameters } = context.getNode();
	const rows = context.getInputData();
	const shared = new Map<string, unknown>();
	const columns = new Map(
		Object.entries(parameters).map(([name, parameter]) => [name, columnsIn(parameter)]),
	);
	const read = (index: number, name: string, fallback?: unknown, options?: object) => {
		const ask = () => context.getNodeParameter(name, index, fallback, options) as unknown;
		const own = columns.has(name) ? columns.get(name) : [];
		// A path leads into a parameter that may have expressions.
		if (!own || name.includes('.')) return ask();
		if (own.length === 0) return getOrSet(shared, name, ask);
		const values = own.map((column) => valueIn(rows[index].json, column));
		if (values.includes(undefined)) return ask();
		const value = filled(parameters[name], values.values() as Iterator<{ value: unknown }>);
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

/** The columns that the expressions in a parameter read, in their order; undefined if one does more. */
function columnsIn(parameter: unknown): string[] | undefined {
	const found = expressionsIn(parameter).map((expression) => {
		const [, dotted, quoted] = COLUMN.exec(expression) ?? [];
		return dotted ?? quoted;
	});
	// n8n refuses some names, and takes others for what every object has.
	const isColumn = (name?: string) =>
		name !== undefined && !name.includes('constructor') && isReadable(name) && !(name in {});
	return found.every(isColumn) ? found : undefined;
}

function expressionsIn(parameter: unknown): string[] {
	if (typeof parameter === 'string') return parameter.startsWith('=') ? [parameter] : [];
	if (typeof parameter !== 'object' || parameter === null) return [];
	return Object.values(parameter).flatMap(expressionsIn);
}

/** The value of a column, also where the row has none; undefined where n8n would not give it as it is. */
function valueIn(row: JsonObject, column: string): { value: unknown } | undefined {
	return isPlain(row[column]) ? { value: row[column] } : undefined;
}

/** A value that comes out of every engine of n8n as it went in; half of a surrogate pair does not. */
function isPlain(value: unknown): boolean {
	if (typeof value === 'string') return !/\p{Surrogate}/u.test(value);
	return value === null || ['boolean', 'number', 'undefined'].includes(typeof value);
}

/** A copy of a parameter, with the next value in place of each expression. */
function filled(parameter: unknown, values: Iterator<{ value: unknown }>): unknown {
	if (typeof parameter === 'string') {
		return parameter.startsWith('=')
			? (values.next().value as { value: unknown }).value
			: parameter;
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
