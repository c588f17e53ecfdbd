import { readFileSync } from 'node:fs';
import { type Document, OpenAPIBackend } from 'openapi-backend';
import { parse } from 'yaml';

import { withFormats } from '../../sandbox/contract';
import { SOURCE } from '../assumptions';

const definition = parse(readFileSync(SOURCE, 'utf8')) as Document;
const ajvOpts = { allErrors: true, validateSchema: false as const };
const api = new OpenAPIBackend({ definition, quick: true, ajvOpts, customizeAjv: withFormats });
/** Before anything is judged. */
export const ready = api.init();

/** Where a record begins in a response: in `data`, or in a list there. */
const START = /^\/data(\/\d+)?\/?/;

/**
 * What is wrong with what a response has in `data`: `no title`, `another status`. Fields that have a
 * check of their own are left out, and so are IDs and the form of times.
 *
 * @param part the schema of the record
 */
export function flawsOf(operation: string, data: object, part: object): string[] {
	const body = { data, meta: { current_page: 1, per_page: 1, total: 1 } };
	const errors = api.validator.validateResponse(body, operation, 200).errors ?? [];
	const { properties } = part as { properties: Record<string, object> };
	const flaws = errors.map(({ instancePath, keyword, params }) => {
		const path = instancePath.replace(START, '').replace(/\/\d+/g, '').replaceAll('/', '.');
		const missing = [path, (params as { missingProperty: string }).missingProperty];
		const field = keyword === 'required' ? missing.filter(Boolean).join('.') : path;
		const isLeftOut = ['format', 'pattern'].includes(keyword) && /^(id|.*_at)$/.test(field);
		const hasOwn = 'x-check' in (properties[field] ?? {});
		return isLeftOut || hasOwn ? [] : `${keyword === 'required' ? 'no' : 'another'} ${field}`;
	});
	const own = Object.keys([data].flat()[0] as object).filter((name) =>
		/^[a-z]\w{0,30}$/i.test(name),
	);
	const others = own.filter((name) => !(name in properties)).slice(0, 8);
	const found = [...new Set(flaws.flat())];
	return found.length > 0 ? [...found, ...others.map((name) => `${name} besides`)] : [];
}
