import type {
	DeclarativeRestApiSettings,
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { isRecord } from '../client/envelope';
import { NOUNS } from '../client/nouns';
import { DEFAULT_PAGING, type Paging } from '../client/page';
import { idNames, nounOfId } from '../client/path';
import type { ApiRequest } from '../client/request';
import { readBody } from './body';
import { readOptions } from './options';

type Context = IExecutePaginationFunctions;

/** Seconds. */
const DEFAULT_MAX_WAIT = 300;

/**
 * The request that an operation declares, filled with the parameters of one item.
 *
 * @throws NodeOperationError for a parameter that can't be sent
 */
export function readRequest(
	context: Context,
	{
		method = 'GET',
		url: template = '',
		...declared
	}: DeclarativeRestApiSettings.HttpRequestOptions,
): ApiRequest {
	const { timeout, proxy, allowedDomains, skipSslCertificateValidation } =
		declared as IHttpRequestOptions;
	return {
		method,
		template,
		ids: readIds(context, template),
		query: readQuery(context),
		body: method === 'POST' || method === 'PATCH' ? readBody(context, template) : undefined,
		noun: NOUNS[context.getNodeParameter('resource') as string],
		settings: {
			timeout,
			proxy,
			allowedDomains,
			skipSslCertificateValidation,
			maxWait: 1000 * seconds(readOptions(context).maxWait),
		},
	};
}

/** How many records of a list to get, and how to ask for its pages. */
export function readPaging(context: Context): Paging {
	const options = readOptions(context);
	const isLimited =
		context.getNodeParameter('operation') === 'getAll' && !context.getNodeParameter('returnAll');
	return {
		limit: isLimited ? positive(context, 'Limit', context.getNodeParameter('limit')) : undefined,
		pageSize: options.pageSize ? positive(context, 'Page Size', options.pageSize) : undefined,
		pageParameter: text(options.pageParameter) || DEFAULT_PAGING.pageParameter,
		pageSizeParameter: text(options.pageSizeParameter) || DEFAULT_PAGING.pageSizeParameter,
	};
}

function readIds(context: Context, template: string): Record<string, string> {
	return Object.fromEntries(idNames(template).map((name) => [name, readId(context, name)]));
}

/** @throws NodeOperationError for an empty ID; it says what the row lacks */
function readId(context: Context, name: string): string {
	const id = text(context.getNodeParameter(name, '', { extractValue: true }));
	if (id !== '') return id;
	throw new NodeOperationError(context.getNode(), `The ID of the ${nounOfId(name)} is empty`, {
		description: `${whatIsMissing(context, name)}Pick it from the list, or check the expression that gives the ID.`,
	});
}

/** A sheet without the column that the expression reads is the usual cause. */
function whatIsMissing(context: Context, name: string): string {
	const parameter: unknown = context.getNode().parameters[name];
	const expression = isRecord(parameter) ? parameter.value : parameter;
	const [, dotted, , quoted] = /\$json(?:\.(\w+)|\[(["'])(.+?)\2\])/.exec(String(expression)) ?? [];
	const column = dotted ?? quoted;
	const { json: row } = context.getInputData();
	if (column === undefined) return '';
	if (text(row[column]) !== '' || isRecord(row[column])) return '';
	if (column in row) return `The column "${column}" of this row is empty. `;
	return `The row has no column "${column}", only: ${Object.keys(row).join(', ')}. `;
}

/** Query parameters as the user gave them: empty ones are left out, a repeated name or a list makes a list. */
function readQuery(context: Context): IDataObject {
	const { queryParameters } = readOptions(context);
	const query: Record<string, string[]> = {};
	for (const { name, value } of queryParameters?.parameters ?? []) {
		const values = [value].flat().map((one) => queryValue(context, text(name), one));
		const sent = values.filter((one) => one !== '');
		if (text(name) !== '' && sent.length > 0) (query[text(name)] ??= []).push(...sent);
	}
	return query;
}

/** @throws NodeOperationError for an object: left out, it would not filter what it was to filter */
function queryValue(context: Context, name: string, value: unknown): string {
	if (value instanceof Date) return value.toISOString();
	if (isRecord(value)) {
		throw new NodeOperationError(context.getNode(), `The query parameter "${name}" is an object`, {
			description: 'Give it a text, a number, or a list of them.',
		});
	}
	return text(value);
}

function positive(context: Context, label: string, value: unknown): number {
	if (Number.isInteger(Number(value)) && Number(value) >= 1) return Number(value);
	throw new NodeOperationError(
		context.getNode(),
		`${label} has to be a whole number of 1 or more`,
		{
			description: `It is ${JSON.stringify(value)} now.`,
		},
	);
}

/** Seconds of the option Max Wait; nonsense is as if it were not set. */
function seconds(maxWait: unknown): number {
	return Number(maxWait) >= 0 ? Number(maxWait) : DEFAULT_MAX_WAIT;
}

/** A value as it stands in an address; what is no text and no number is none. */
function text(value: unknown): string {
	return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : '';
}
