import type {
	IExecutePaginationFunctions,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import { toNodeError } from '../host/errors';
import { withDatesAsText } from './plainValue';

type NodeFailure = NodeApiError | NodeOperationError;

/**
 * The error of a row, with its number in the message where there are several rows. Without
 * "Continue" n8n shows the first one only, after all rows were processed (docs/n8n-facts.md,
 * section 1): it says so.
 */
export function errorOfRow(context: IExecutePaginationFunctions, thrown: unknown): NodeFailure {
	const index = context.getItemIndex();
	const count = Object.values(context.getExecuteData().data)[0]?.[0]?.length ?? 1;
	const error = toNodeError(context, thrown);
	error.context.itemIndex = index;
	if (count === 1) return error;
	error.message = `Row ${index + 1} of ${count}: ${error.message}`;
	if (!context.continueOnFail()) {
		const others =
			'The other rows were still processed. To keep their results, set On Error to Continue in the settings of this node.';
		error.description = error.description ? `${error.description} ${others}` : others;
	}
	return error;
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (docs/n8n-facts.md, section 1). The row's files stay with it both ways: n8n adds none.
 */
export function failedItem(context: IExecutePaginationFunctions, failure: NodeFailure) {
	const { message, description } = failure;
	const httpCode = 'httpCode' in failure ? failure.httpCode : null;
	const error = { message, description: description ?? null, httpCode };
	const { json, binary } = context.getInputData();
	const row = context.getNode().onError === 'continueErrorOutput' ? {} : withDatesAsText(json);
	return { json: { ...row, error }, ...(binary && { binary }) } satisfies INodeExecutionData;
}
