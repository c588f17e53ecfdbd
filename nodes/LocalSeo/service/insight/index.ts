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
	fields: [],
	tables: { rows: dailyRows, summary: summaryRows },
	locationName: nameInResponse,
	notice,
};

function notice(rows: IDataObject[], { output, options }: INodeParameters): string | undefined {
	if (output !== 'rows') return undefined;
	const days = rows.flatMap(({ date }) => (typeof date === 'string' ? date.slice(0, 10) : []));
	const notices = [otherPeriod(days.sort(), (options ?? {}) as INodeParameters), notUnique(rows)];
	return notices.filter((text) => text !== undefined).join(' ') || undefined;
}

/** A service ignores the parameters of a query that it does not know: then the rows are of its own period. */
function otherPeriod(days: string[], { queryParameters }: INodeParameters): string | undefined {
	const { parameters = [] } = (queryParameters ?? {}) as { parameters?: INodeParameters[] };
	const asked = parameters.map(({ value }) => String(value)).filter((value) => DATE.test(value));
	const [first, last] = [days[0], days.at(-1)];
	const isAsked = (day?: string) => asked.some((value) => day && value.startsWith(day));
	if (asked.length === 0 || !first || (isAsked(first) && isAsked(last))) return undefined;
	return `The rows are of ${first} to ${last}. If you have asked for another period, the service does not know these query parameters.`;
}

/** A table in which location and date identify a row would keep one of them only. */
function notUnique(rows: IDataObject[]): string | undefined {
	const dated = rows.filter(({ date }) => date !== null);
	const keys = new Set(dated.map(({ location_id, date }) => JSON.stringify([location_id, date])));
	if (keys.size === dated.length) return undefined;
	return 'Several rows have the same location_id and date. If you replace rows by these columns, add the one in which they differ.';
}
