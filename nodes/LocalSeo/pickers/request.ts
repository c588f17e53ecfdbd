import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Connection, Paging } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { readEditorRequestOptions } from '../host/requestSettings';
import { type PageOptions, readPageOptions } from '../parameters/pageOptions';

/** Milliseconds; someone is waiting in the editor. */
const PATIENCE = 10_000;

/** Runs a picker with a connection, and turns what it throws into n8n's errors. */
export async function withConnection<T>(
	context: ILoadOptionsFunctions,
	run: (connection: Connection) => Promise<T>,
): Promise<T> {
	try {
		const { timeout: timeoutMs, ...settings } = readEditorRequestOptions(context);
		const connection = await connect(context, { ...settings, timeoutMs, patienceMs: PATIENCE });
		return await run({ ...connection, urgency: 'person' });
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

/** How pages are requested, as set in the options of this node. */
export function pagingOf(context: ILoadOptionsFunctions): Paging {
	return readPageOptions((context.getCurrentNodeParameter('options') ?? {}) as PageOptions);
}

/** The ID of the location that is picked in the node; an expression arrives unresolved here. */
export function pickedLocation(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('locationId', { extractValue: true });
	return typeof id === 'string' && id !== '' && !id.startsWith('=') ? id : undefined;
}
