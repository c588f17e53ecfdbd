import type {
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

export const CREDENTIAL = 'localSeoApi';

/** n8n's context of whatever sends a request: an operation's item, a picker, or the trigger. */
export type HostContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Pickers and the trigger do not have the options of an operation. */
export function isOperation(context: object): context is IExecutePaginationFunctions {
	return 'getExecutionCancelSignal' in context;
}
