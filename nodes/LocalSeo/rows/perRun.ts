import {
	type Account,
	BoundedMap,
	type Connection,
	endsWithId,
	getOrMake,
	isRecord,
	jsonBytes,
	type JsonObject,
	readCompleteList,
	readData,
	type ServiceRequest,
} from '../client';
import { PerAccount } from '../host/accounts';
import type { Row } from './read/row';

/** The memory that the rows of a run share: lists, mostly; the latest one stays, however large it is. */
const shared = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<unknown>>(
			{ maxBytes: 64 * 1024 * 1024, forgetAfterMs: 3_600_000, keepsLatest: true },
			clock,
		),
);

/**
 * Reads something once for a run and not once for each of its rows; after a failure, the next row tries
 * again. Outside of executions, each call is a run of its own.
 *
 * @param what tells it from all else that the run shares
 * @param bytesOf what it takes in memory, roughly
 */
export async function oncePerRun<T>(
	{ run }: Pick<Row, 'run'>,
	account: Account,
	what: unknown[],
	make: () => Promise<T>,
	bytesOf: (value: T) => number = jsonBytes,
): Promise<T> {
	if (run === undefined) return await make();
	const store = shared.of(account) as BoundedMap<Promise<T>>;
	return await getOrMake(store, JSON.stringify([run, ...what]), make, bytesOf);
}

/**
 * Reads the record at a path, of a list the first entry; once per run.
 *
 * @throws ServiceError as `readData` and `readCompleteList` do
 */
export async function readFirst(
	row: Pick<Row, 'run' | 'paging'>,
	connection: Connection,
	request: ServiceRequest,
): Promise<JsonObject> {
	const read = async () => {
		const { paging } = row;
		const [record] = endsWithId(request.path)
			? [(await readData(connection, request, paging)).data]
			: await readCompleteList(connection, request, { ...paging, limit: 1 });
		return isRecord(record) ? record : {};
	};
	return await oncePerRun(row, connection.account, [request.path, request.ids], read);
}
