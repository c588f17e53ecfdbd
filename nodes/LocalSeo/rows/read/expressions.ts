import isPlainObject from 'lodash/isPlainObject';

import { isRecord, type JsonObject } from '../../client';
import type { Operation, Resource } from '../../resources';
import type { Source } from './source';

/** `.city`, `?.city`, `["City Name"]`; the name of a function is none. */
const MEMBER = String.raw`\??\.(?<dotted>[\p{L}_$][\p{L}\p{N}_$]*)(?![\p{L}\p{N}_$]|\s*\()|(?:\?\.)?\[(?<quote>["'\x60])(?<quoted>.+?)\k<quote>\]`;
const MEMBERS = new RegExp(MEMBER, 'gu');
/** `$json.city`, `$json.fields["City Name"]`, and the same of `$input.item`. */
const COLUMN = new RegExp(String.raw`\$(?:json|input\.item\.json)((?:${MEMBER})+)`, 'gu');

/**
 * The columns of the row that an expression reads, in their order, each with the members below it that are
 * read; none, where it is a fixed value.
 */
export function pathsRead(expression: unknown): string[][] {
	const text = String(expression);
	if (!text.startsWith('=')) return [];
	return [...text.matchAll(COLUMN)].map(([, members]) =>
		[...members.matchAll(MEMBERS)].map(([, dotted, , quoted]) => dotted ?? quoted),
	);
}

export const columnsRead = (expression: unknown): string[] =>
	pathsRead(expression).map(([column]) => column);

/** The value to which a path leads in a row, as far as there is JSON: a text or a date has members of its own. */
export function valueAt(row: JsonObject, [first, ...below]: string[]): unknown {
	const value = row[first];
	const isInside = below.length > 0 && isPlainObject(value);
	return isInside ? valueAt(value as JsonObject, below) : value;
}

/** A heading may have a question mark. */
const QUOTED = /(["'`])(?:(?!\1).)*\1/g;

/** The innermost parentheses, with what stands around them. */
const GROUP = /(\$if(?:Empty)?|[\w$\])]|\?\.)?\(([^()]*)\)(\??[.[(])?/;
const SAYS = /\?\?|\|\||\?[^?.:][^:]*:/;
const SAYS_ANYWHERE = /\?\?|\|\||\?[^?.:][^:]*:|\$if(?:Empty)?\(/;

/**
 * True if an expression says itself what it comes to where it is empty: `{{ $json.publish_at ?? '' }}`,
 * `{{ $json.go ? $json.when : '' }}`. What is said within a call, as in `fromISO($json.when ?? '')`, is
 * about the cell, and not about what becomes of it.
 */
export function saysWhatEmptyMeans(expression: unknown): boolean {
	let text = String(expression).replace(QUOTED, '""');
	while (GROUP.test(text)) {
		text = text.replace(GROUP, (_, before = '', inner: string, after = '') => {
			if (String(before).startsWith('$if') && after === '') return ' ?? ';
			return before === '' && after === '' ? ` ${inner} ` : `${before}$${after}`;
		});
	}
	return SAYS.test(text);
}

/** True if it says anywhere what an empty cell means. */
export const saysWhatEmptyCellMeans = (expression: unknown): boolean =>
	SAYS_ANYWHERE.test(String(expression).replace(QUOTED, '""'));

/** The value or expression that picks a record, as it stands in the panel. */
export function expressionOf({ panel }: Pick<Source, 'panel'>, name: string): unknown {
	const parameter = panel[name];
	return isRecord(parameter) ? parameter.value : parameter;
}

/** True if the name of a record is given in place of its ID. */
export function isByName({ panel }: Source, name: string): boolean {
	const parameter = panel[name];
	return isRecord(parameter) && parameter.mode === 'name';
}

/** All that begins with `$` may read the item, but for the time, variables, and n8n's own run. */
const OF_ITEM = /\$(?!(?:now|today|vars|execution|workflow)\b)/;
/** `$('Settings').first()` and `$input.all()` are also the same for all. */
const OF_ALL = /\$(?:\((["'`])(?:(?!\1).)*\1\)|input|items)\.(?:first|last|all)\(/g;

/**
 * True if several items would read the same: lists and insights, where no parameter is taken from the
 * item and the item's columns do not come out beside them. It is the parameters that decide, not the
 * data: what works for one item would else change with a second one.
 */
export function isSameForAll(
	panel: JsonObject,
	{ tables }: Resource,
	{ value, routing }: Operation,
): boolean {
	const { includeInputFields } = Object(panel.options) as JsonObject;
	const isList = routing.request.method === 'GET' && (value === 'getAll' || tables !== undefined);
	return isList && !includeInputFields && !dependsOnItem(panel);
}

function dependsOnItem(parameter: unknown): boolean {
	if (typeof parameter !== 'object' || parameter === null) {
		const text = String(parameter);
		return text.startsWith('=') && OF_ITEM.test(text.replace(OF_ALL, ''));
	}
	return Object.values(parameter).some(dependsOnItem);
}
