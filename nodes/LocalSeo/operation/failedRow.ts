import type { IExecutePaginationFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { apiError, type Report } from '../client/refusal';

type NodeFailure = NodeApiError | NodeOperationError;

/**
 * The failure with its row in the message, where there are several rows. Without "Continue" n8n
 * shows the first failure only, after all rows were sent (n8n-facts, section 1): it says so.
 */
export function nameRow(context: IExecutePaginationFunctions, thrown: unknown): NodeFailure {
	const index = context.getItemIndex();
	const count = Object.values(context.getExecuteData().data)[0]?.[0]?.length ?? 1;
	const error = ofItsOwn(context.getNode(), thrown);
	error.context.itemIndex = index;
	if (count === 1) return error;
	error.message = `Row ${index + 1} of ${count}: ${error.message}`;
	if (!context.continueOnFail()) {
		const others =
			'The other rows were run all the same: to keep their results, set On Error to Continue in the settings of this node.';
		error.description = error.description ? `${error.description} ${others}` : others;
	}
	return error;
}

/** Rows may fail by the same failure (a list that all of them need, say): each gets its own. */
function ofItsOwn(node: INode, thrown: unknown): NodeFailure {
	const { message, description } = thrown as NodeFailure;
	if (thrown instanceof NodeApiError) {
		const { httpCode, failure } = thrown;
		return apiError(node, {
			message,
			description: description ?? '',
			httpCode: httpCode ?? undefined,
			failure: failure as Report['failure'],
		});
	}
	if (thrown instanceof NodeOperationError) {
		return new NodeOperationError(node, message, { description: description ?? undefined });
	}
	return new NodeOperationError(node, thrown as Error);
}

/**
 * The item of a row that failed, in the form that lets n8n keep the row's own data: with "Continue"
 * it stays beside `error`; with the error output n8n itself adds it to an item that holds nothing
 * but `error` (n8n-facts, section 1).
 */
export function failedRow(context: IExecutePaginationFunctions, failure: NodeFailure) {
	const { message, description } = failure;
	const httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
	const error = { message, description: description ?? null, httpCode };
	const row =
		context.getNode().onError === 'continueErrorOutput' ? {} : context.getInputData().json;
	return { json: { ...row, error } } satisfies INodeExecutionData;
}
