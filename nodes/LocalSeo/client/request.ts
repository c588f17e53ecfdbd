import type {
	IDataObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { endsWithId, idNames, nounOfId } from './path';

export const CREDENTIAL = 'localSeoApi';

/** What may come through the door: an operation's item, a picker of the editor, or the trigger. */
export type Host = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What the user or the host has set for every request of a node (n8n-facts, section 6). */
export interface Settings
	extends Pick<
		IHttpRequestOptions,
		'timeout' | 'proxy' | 'allowedDomains' | 'skipSslCertificateValidation'
	> {
	/** Milliseconds that a request may wait in all where the service does not take or answer it. */
	maxWait: number;
}

/** One request to the service, before ids are filled in and the credential is added. */
export interface ApiRequest {
	method: IHttpRequestMethods;
	/** Path below the API root, with `{name}` for the ids: `/locations/{locationId}/posts` */
	template: string;
	ids: Record<string, string>;
	/** A list as a value is sent as the name repeated. */
	query: IDataObject;
	/** A record to be sent as JSON, or JSON text that is sent to the letter. */
	body?: IDataObject | string;
	/** What the request is about, in the service's words: "content post" */
	noun: string;
	settings: Settings;
}

/** An answer of any status; `body` is parsed JSON, or text where it is no JSON. */
export interface ApiAnswer {
	status: number;
	headers: IDataObject;
	body: unknown;
}

const VERBS: Partial<Record<IHttpRequestMethods, string>> = {
	POST: 'create',
	PATCH: 'update',
	DELETE: 'delete',
};

/** The request in words: `create a content post for location "loc_1"`. */
export function inWords({ method, noun, template, ids }: ApiRequest): string {
	const verb = VERBS[method] ?? 'get';
	const [name] = idNames(template);
	const owner = name && `${nounOfId(name)} "${ids[name]}"`;
	if (owner && endsWithId(template)) return `${verb} ${owner}`;
	const isRead = method === 'GET';
	const things = isRead ? `the ${noun}s` : `a ${noun}`;
	return owner ? `${verb} ${things} ${isRead ? 'of' : 'for'} ${owner}` : `${verb} ${things}`;
}

/** Pickers of the editor and the trigger ask without the options of an operation. */
function isOperation(host: Host): host is IExecutePaginationFunctions {
	return 'getExecutionCancelSignal' in host;
}

/** Advice that names an option, where the user has it. */
export function withOption(host: Host, advice: string, option = ''): string {
	return isOperation(host) ? `${advice} ${option}`.trim() : advice;
}

/** Aborts when the execution is stopped. */
export function cancelSignalOf(host: Host): AbortSignal | undefined {
	return isOperation(host) ? host.getExecutionCancelSignal() : undefined;
}
