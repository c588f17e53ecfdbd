import type { ServiceResponse } from './response';

export const DEFAULT_PAGE_SIZE = 15;

/**
 * A page of records in the list envelope; beyond the last page `data` is empty. A query parameter
 * with the name of a field keeps the records with that value; any other is ignored.
 */
export function pageOf(
	records: ReadonlyArray<object>,
	query: Readonly<Record<string, unknown>>,
	defaultSize: number,
): ServiceResponse {
	const { page: pageText, per_page: sizeText, ...filters } = query;
	const page = Number(pageText ?? 1);
	const size = Number(sizeText ?? defaultSize);
	// Unfiltered, a page costs the same in a list of any length: the bench measures growth against it.
	const isFiltered = Object.keys(filters).length > 0;
	const kept = isFiltered ? records.filter((record) => fits(record, filters)) : records;
	return {
		status: 200,
		body: {
			data: kept.slice((page - 1) * size, page * size),
			meta: { current_page: page, per_page: size, total: kept.length },
		},
	};
}

function fits(record: object, filters: Record<string, unknown>): boolean {
	return Object.entries(filters).every(
		([name, value]) =>
			!Object.hasOwn(record, name) || String(record[name as keyof typeof record]) === String(value),
	);
}
