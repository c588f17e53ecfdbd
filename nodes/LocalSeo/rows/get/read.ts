import isEqual from 'lodash/isEqual';

import { endsWithId, isEmpty, readData, readList, type ServiceRequest } from '../../client';
import type { Connected } from '../../host/connect';
import { isOnePageOfSeveral } from '../../insights';
import type { Note } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Row } from '../read/row';
import type { Got } from './form';

/**
 * Reads the records of a list, or data of any shape.
 *
 * @throws ServiceError also for a list that is not complete, and InputError for one page of several, unless
 * the row accepts that
 */
export async function read(row: Row, connection: Connected, request: ServiceRequest): Promise<Got> {
	const { limit, acceptsIncomplete } = row;
	const paging = { ...connection.paging, limit };
	const isList = !request.isOfAnyShape && !endsWithId(request.path);
	const got = isList
		? await listed(connection, request, paging)
		: await ofData(connection, request, paging);
	const { list, data, beside } = got;
	if (list?.incomplete && !acceptsIncomplete) throw list.incomplete;
	// A list with a total was read to its end, whatever its first page says.
	if (!list && !acceptsIncomplete && isOnePageOfSeveral({ data, beside })) throw onePage(request);
	return got;
}

async function listed(...of: Parameters<typeof readList>): Promise<Got> {
	const list = await readList(...of);
	return { records: list.records, list };
}

async function ofData(...of: Parameters<typeof readData>): Promise<Got> {
	const data = await readData(...of);
	return { ...data, records: recordsOf(data.data) };
}

const onePage = ({ noun }: ServiceRequest) =>
	new InputError(
		`These ${noun}s are one page of several, and the node does not know how to ask for the others`,
		"Ask for all of them at once in the option 'Query Parameters', as the documentation of your service says. To take what came, add the option 'Accept Incomplete Lists'.",
	);

/** Data as records: nothing is none, and anything else but a list is one. */
function recordsOf(data: unknown): unknown[] {
	if (Array.isArray(data)) return data as unknown[];
	return isEmpty(data) || isEqual(data, {}) ? [] : [data];
}

/** The number of records if a limit left some out; Infinity if it may have. */
export function totalOf({ limit }: Row, all: Got[], shown: number): number | undefined {
	if (shown !== limit) return undefined;
	const sizes = all.map(({ list, records }) =>
		list?.isCut ? (list.total ?? Infinity) : records.length,
	);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	return total > shown ? total : undefined;
}

/** Notes for someone who would take the records for all of them. */
export function notesOn({ list, records }: Got, { noun }: ServiceRequest): Note[] {
	if (!list?.incomplete) return [];
	const { total = 0 } = list;
	const of = total > records.length ? ` of ${total}` : '';
	return [{ say: () => `The list is incomplete: these are ${records.length}${of} ${noun}s.` }];
}
