import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { dailyRows, nameInResponse, summaryRows } from './rows';
import type { Resource } from '../resource';

/** What may ask for a period: a date, or an expression. */
const DATE = /^(=|\d{4}-\d{2}-\d{2})/;

export const insight: Resource = {
	value: 'insight',
	displayName: 'Insight',
	noun: 'insight',
	operations: [
		{
			name: 'Get',
			value: 'get',
			action: 'Get the insights of a location',
			description: 'Get the insight data of a location: daily rows, totals, or the raw response',
			routing: { request: { method: 'GET', url: '/locations/{locationId}/insights' } },
		},
	],
	defaultOperation: 'get',
	fields: [],
	tables: { rows: dailyRows, summary: summaryRows },
	locationName: nameInResponse,
	notice,
};

function notice(rows: IDataObject[], { output, options }: INodeParameters): string | undefined {
	const notices = [
		output === 'rows' && otherPeriod(rows, options as INodeParameters | undefined),
		output === 'rows' && noDates(rows),
		output === 'rows' && notUnique(rows),
		output === 'summary' && noTotals(rows),
		output !== 'raw' && noNames(rows),
	].filter((text) => typeof text === 'string');
	return notices.length > 0 ? notices.join(' ') : undefined;
}

/** A service ignores the parameters of a query that it does not know: then the rows are of its own period. */
function otherPeriod(rows: IDataObject[], options: INodeParameters = {}): string | undefined {
	const { parameters = [] } = (options.queryParameters ?? {}) as { parameters?: INodeParameters[] };
	// What an expression asks for is not known here.
	const asked = parameters.map(({ value }) => String(value)).filter((value) => DATE.test(value));
	if (asked.length === 0) return undefined;
	const days = rows.flatMap(({ date }) =>
		typeof date === 'string' ? date.slice(0, 'YYYY-MM-DD'.length) : [],
	);
	const [first, last] = [days.sort()[0], days.at(-1)];
	if (first === undefined || last === undefined) return undefined;
	const isAsked = (date: string) => asked.some((value) => value.startsWith(date));
	if (isAsked(first) && isAsked(last)) return undefined;
	return `The rows are of ${first} to ${last}. If you have asked for another period, the service does not know these query parameters.`;
}

function noDates(rows: IDataObject[]): string | undefined {
	const count = locationsOf(rows.filter(({ date }) => date === null));
	if (count === 0) return undefined;
	return `No list of dates was found in the insights of ${locations(count)}, so all values are in one row. To see what the service returned, set Output to Raw.`;
}

/** A table in which location and date identify a row would keep one of them only. */
function notUnique(rows: IDataObject[]): string | undefined {
	const dated = rows.filter(({ date }) => date !== null);
	const keys = new Set(dated.map(({ location_id, date }) => JSON.stringify([location_id, date])));
	if (keys.size === dated.length) return undefined;
	return 'Several rows have the same location_id and date. If you replace rows by these columns, add the one in which they differ.';
}

function noTotals(rows: IDataObject[]): string | undefined {
	const isBare = (row: IDataObject) => Object.keys(row).length === 2;
	if (rows.length === 0 || !rows.every(isBare)) return undefined;
	return 'The service returned nothing besides lists of dates. Set Output to Daily Rows.';
}

function noNames(rows: IDataObject[]): string | undefined {
	const count = locationsOf(rows.filter(({ location_name }) => location_name === null));
	if (count === 0) return undefined;
	return `The name of ${locations(count)} could not be read, so location_name is empty there.`;
}

function locationsOf(rows: IDataObject[]): number {
	return new Set(rows.map(({ location_id }) => location_id)).size;
}

function locations(count: number): string {
	return count === 1 ? '1 location' : `${count} locations`;
}
