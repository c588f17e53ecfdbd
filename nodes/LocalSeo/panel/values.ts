import { DEFAULT_PAGING, type Paging } from '../client';

/** Names separated by commas; an expression may also give a list. */
export function namesIn(value: unknown): string[] {
	const entries = Array.isArray(value) ? value : [value ?? ''];
	return entries
		.flatMap((entry) => String(entry).split(','))
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

/** These options as an operation, the editor or the trigger provides them. */
export interface PageOptions {
	pageParameter?: unknown;
	pageSize?: unknown;
	pageSizeParameter?: unknown;
}

/** A value that is empty, or an expression that the editor has not resolved, counts as not set. */
export function readPageOptions(options: PageOptions): Paging {
	const pageSize = Number(options.pageSize);
	return {
		pageSize: Number.isInteger(pageSize) && pageSize >= 1 ? pageSize : undefined,
		pageParameter: nameIn(options.pageParameter) ?? DEFAULT_PAGING.pageParameter,
		pageSizeParameter: nameIn(options.pageSizeParameter) ?? DEFAULT_PAGING.pageSizeParameter,
	};
}

function nameIn(value: unknown): string | undefined {
	const name = typeof value === 'string' ? value.trim() : '';
	return name === '' || name.startsWith('=') ? undefined : name;
}
