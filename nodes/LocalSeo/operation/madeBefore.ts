import { type Account, BoundedMap, fieldsOf, hashOf, idOf, type ServiceRequest } from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import type { Existing } from './existing';

/** Rows of a list that are remembered, the latest ones. */
const MAX_ROWS = 10_000;
/** What the hash of a row and an ID take, in bytes. */
const BYTES_OF_ROW = 200;

/** The IDs of the records that this process has created in a list, by what was sent for them. */
type Made = Map<string, string>;

const lists = new PerAccount(
	({ clock }) =>
		new BoundedMap<Made>(
			{ maxBytes: 8 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

const listKey = ({ path, ids }: ServiceRequest) => hashOf([path, ids]);
const rowKey = (request: ServiceRequest) => hashOf(fieldsOf(request));

/** Remembers for an hour that a row has become a record. */
export function noteMade(account: Account, request: ServiceRequest, record: unknown): void {
	const id = idOf(record);
	if (id === undefined) return;
	const made: Made = lists.of(account).get(listKey(request)) ?? new Map<string, string>();
	made.set(rowKey(request), id);
	const [oldest] = made.keys();
	if (made.size > MAX_ROWS) made.delete(oldest);
	lists.of(account).set(listKey(request), made, made.size * BYTES_OF_ROW);
}

/**
 * A service may list no drafts, or none that have yet to be approved. Where a list shows nothing of what
 * was created here within the hour, a row that was is not new because it is not in the list. Nor is one
 * whose record the list shows with other values: an address that was looked up, say, or a translation.
 *
 * @param otherwise what to do if the record was deleted, as the end of a sentence
 * @throws InputError for such a row
 */
export function assertNotHidden(
	account: Account,
	request: ServiceRequest,
	{ listed }: Existing,
	otherwise: string,
): void {
	const made = lists.of(account).get(listKey(request));
	const id = made?.get(rowKey(request));
	if (!made || id === undefined) return;
	const { noun } = request;
	if (listed.has(id)) {
		throw new InputError(
			`This row became a ${noun} within the last hour (ID ${id}), which the list of ${noun}s shows with other values`,
			`It was not sent again. The service, or someone, has changed it. If you need another one, ${otherwise}.`,
		);
	}
	if ([...made.values()].some((one) => listed.has(one))) return;
	throw new InputError(
		`This row became a ${noun} within the last hour (ID ${id}), which the list of ${noun}s does not show`,
		`It was not sent again. The service may hide new ${noun}s: drafts, say, or those to be approved. If it was deleted, ${otherwise}.`,
	);
}
