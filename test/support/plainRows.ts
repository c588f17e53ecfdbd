import type { IExecutePaginationFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { HttpRequest, JsonObject, Transport } from '../../nodes/LocalSeo/client';
import { authenticated } from '../../nodes/LocalSeo/host/authenticate';
import type { Source } from '../../nodes/LocalSeo/rows/read/source';

// Rows and their requests as n8n hands them over, without n8n.

/** Row `index` of a sheet, with the parameters of the panel; its location is `loc_1`. */
export function sourceOf(
	sheet: JsonObject[],
	index: number,
	panel: JsonObject,
	more: Partial<Source> = {},
): Source {
	return {
		...{ rows: sheet.map((json) => ({ json })), index, item: index, hasErrorOutput: false },
		...{ columns: sheet[index], panel, zone: 'Europe/Berlin', run: 'run' },
		parameter: (name, fallback) => panel[name] ?? fallback,
		picked: () => 'loc_1',
		explain: (thrown) => thrown as Error,
		...more,
	};
}

/** What a row asks n8n for: its Request Options, and its requests. */
export function contextTo(
	transport: Transport,
	{ timeout, signal }: { timeout?: number; signal?: AbortSignal } = {},
): IExecutePaginationFunctions {
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		const { method, url: path, qs: query, headers, body, timeout: timeoutMs } = options;
		authenticated.add(options);
		const request = { method, path, query, headers, body, timeoutMs } as HttpRequest;
		const response = await transport(request, options.abortSignal as AbortSignal);
		if (!('fault' in response)) return { ...response, statusCode: response.status };
		const code = { timeout: 'ECONNABORTED', cancelled: 'ERR_CANCELED' }[response.fault as string];
		throw Object.assign(new Error(response.fault), { code: code ?? 'ECONNRESET' });
	};
	return {
		getNodeParameter: () => ({ timeout }),
		getExecutionCancelSignal: () => signal,
		continueOnFail: () => true,
		helpers: { httpRequestWithAuthentication },
	} as unknown as IExecutePaginationFunctions;
}
