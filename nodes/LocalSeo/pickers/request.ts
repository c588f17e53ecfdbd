import type { ILoadOptionsFunctions } from 'n8n-workflow';

import type { Connection, Paging } from '../client';
import { connect } from '../host/connect';
import { toNodeError } from '../host/errors';
import { type PageOptions, readPageOptions } from '../parameters/pageOptions';

/** Milliseconds: a person waits before the editor. */
const PATIENCE = 10_000;

/** Gives a picker its connection, and n8n the errors in its form. */
export async function withConnection<T>(
	context: ILoadOptionsFunctions,
	ask: (connection: Connection) => Promise<T>,
): Promise<T> {
	try {
		return await ask(await connect(context, { patienceMs: PATIENCE }));
	} catch (thrown) {
		throw toNodeError(context, thrown);
	}
}

/** How pages are requested, as the user has set it for this node. */
export function pagingOf(context: ILoadOptionsFunctions): Paging {
	return readPageOptions((context.getCurrentNodeParameter('options') ?? {}) as PageOptions);
}

/** The ID of the location that is picked in the node; an expression arrives unresolved here. */
export function pickedLocation(context: ILoadOptionsFunctions): string | undefined {
	const id = context.getCurrentNodeParameter('locationId', { extractValue: true });
	return typeof id === 'string' && id !== '' && !id.startsWith('=') ? id : undefined;
}
