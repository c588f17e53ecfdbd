import type {
	IExecutePaginationFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

export const CREDENTIAL = 'localSeoApi';

/** What n8n gives to whoever asks the service: an operation's item, a picker, or the trigger. */
export type HostContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Pickers of the editor and the trigger ask without the options of an operation. */
export function isOperation(context: HostContext): context is IExecutePaginationFunctions {
	return 'getExecutionCancelSignal' in context;
}
