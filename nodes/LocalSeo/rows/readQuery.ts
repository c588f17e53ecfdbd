import type { IExecutePaginationFunctions } from 'n8n-workflow';

import type { JsonObject, Method } from '../client';
import { InputError } from '../host/errors';
import { readPageOptions } from '../panel/values';
import { type Options, readOptions } from './options';
import { plainValue } from './plainValue';
import { textOf } from './rowValues';

/** Names that n8n's HTTP client leaves out of a query without a word. */
const DROPPED = ['__proto__', 'constructor', 'prototype'];

/**
 * The user's query parameters, each name with the list of its values: a name may be there several
 * times, and a list is sent as the name repeated. An empty text is sent: leaving a parameter out would
 * silently drop a filter.
 *
 * @throws InputError for a parameter without a name or value, one that can't be sent, and one that
 * selects the page of a list
 */
export function readQuery(context: IExecutePaginationFunctions, method: Method): JsonObject {
	const options = readOptions(context);
	const query = new Map<string, string[]>();
	for (const { name: given, value } of options.queryParameters?.parameters ?? []) {
		const name = readName(given);
		if (method === 'GET') refusePaging(name, options);
		query.set(name, [...(query.get(name) ?? []), ...readValues(name, value)]);
	}
	return Object.fromEntries(query);
}

function readName(given: unknown): string {
	const name = textOf(given);
	if (name === '') {
		throw new InputError('A query parameter has no name', 'Enter its name, or remove it.');
	}
	if (DROPPED.includes(name)) {
		throw new InputError(
			`A query parameter cannot be called "${name}"`,
			'n8n does not send parameters of this name. Remove it.',
		);
	}
	return name;
}

/** A list is read page by page, with query parameters of the node's own. */
function refusePaging(name: string, options: Options): void {
	const { pageParameter, pageSizeParameter } = readPageOptions(options);
	if (name === pageParameter) {
		throw new InputError(
			`The query parameter "${name}" selects the page, which the node does itself`,
			'Remove it, and set Limit or Return All. If the service uses this name for something else, change the option Technical: Page Parameter.',
		);
	}
	if (name === pageSizeParameter) {
		throw new InputError(
			`The query parameter "${name}" sets the page size, which the node does itself`,
			'Remove it, and set the option Technical: Page Size. If the service uses this name for something else, change the option Technical: Page Size Parameter.',
		);
	}
}

function readValues(name: string, value: unknown): string[] {
	const plain = plainValue(`query parameter "${name}"`, value);
	const values = Array.isArray(plain) ? (plain as unknown[]) : [plain];
	if (values.length === 0 || values.some((one) => one === undefined || one === null)) {
		throw new InputError(
			`The query parameter "${name}" has no value`,
			'Check its expression, or remove it.',
		);
	}
	return values.map((one) => {
		if (typeof one !== 'object') return String(one);
		throw new InputError(
			`The query parameter "${name}" ${Array.isArray(one) ? 'contains a list' : 'is an object'}`,
			'Enter text, a number, or a list of these.',
		);
	});
}
