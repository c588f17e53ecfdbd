import type { JsonObject } from '../../client';
import type { Operation, Resource } from '../../resources';
import type { Options } from './parameters';

/** An expression reads the item with all that begins with `$` but what is the same for all items. */
const OF_ITEM =
	/\$(?!(?:now|today|vars|env|secrets|execution|workflow|runIndex|if|ifEmpty|min|max|jmespath)\b)/;
/** `$('Settings').first()` and `$input.all()` are also the same for all. */
const OF_ALL = /\$(?:\((["'`]).*?\1\)|input|items)\.(?:first|last|all)\(/g;

/**
 * Whether several items would read the same: lists and insights, where no parameter is taken from the
 * item and the item's columns do not come out beside them. It is the parameters that decide, not the
 * data: what works for one item would else change with a second one.
 */
export function isSameForAll(
	panel: JsonObject,
	{ tables }: Resource,
	{ value, routing }: Operation,
): boolean {
	const { includeInputFields } = (panel.options ?? {}) as Options;
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
