import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { isRecord, ServiceError, withinTime } from '../client';
import { PerAccount } from '../host/accounts';
import { connect, type Connected, editorWait } from '../host/connect';
import { toNodeError } from '../host/errors';
import { InputError } from '../text/inputError';
import { readEditorRequestOptions } from '../host/requestSettings';
import { readDirectory } from '../lookup';

/** The longest that a request may wait (ms), because a person is waiting in the editor. */
const PATIENCE = 10_000;

const MINUTE = 60_000;

/** Whole lists, each for a minute. */
const lists = new PerAccount(() => new Map<string, Promise<unknown>>());

/**
 * Reads something at most once a minute, however often the editor asks for it.
 *
 * @param what distinguishes it from everything else that is kept
 */
export async function onceAMinute<T>(
	{ account }: Connected,
	what: unknown[],
	read: () => Promise<T>,
): Promise<T> {
	const kept = lists.of(account);
	const name = JSON.stringify(what);
	const known = kept.get(name) as Promise<T> | undefined;
	if (known) return await known;
	const list = read();
	kept.set(name, list);
	const forget = () => kept.delete(name);
	// After a failure, the next one who asks tries again.
	list.catch(forget);
	void account.clock.sleep(MINUTE).then(forget);
	return await list;
}

/**
 * Runs a picker with a connection, and turns its errors into n8n's.
 *
 * @param longestMs the time after which its requests are canceled, dripping responses included
 */
export async function withConnection<T>(
	context: ILoadOptionsFunctions,
	run: (connection: Connected) => Promise<T>,
	longestMs = editorWait.longestMs,
): Promise<T> {
	try {
		const { timeout: timeoutMs, ...settings } = readEditorRequestOptions(context);
		const connection = await connect(context, { ...settings, timeoutMs, patienceMs: PATIENCE });
		const { clock } = connection.account;
		const result = await withinTime(clock, longestMs, async (signal) => {
			return await run({ ...connection, urgency: 'person', signal });
		});
		if (result !== undefined) return result;
	} catch (thrown) {
		// The time of another picker, which was reading the same list, was over.
		const isCancelled = thrown instanceof ServiceError && thrown.kind === 'cancelled';
		if (!isCancelled) throw toNodeError(context, thrown);
	}
	const advice = "Try again later. If it keeps happening, set 'Page Size' in the credential.";
	throw toNodeError(context, new InputError('The service did not respond in time', advice));
}

/**
 * The ID of the location that is set in the node; undefined if none is, or only an expression, which
 * the editor does not resolve.
 *
 * @throws NodeOperationError, NodeApiError if the node holds a name that does not identify one location
 */
export async function pickedLocation(context: ILoadOptionsFunctions): Promise<string | undefined> {
	const given = context.getCurrentNodeParameter('locationId', { extractValue: true });
	if (typeof given !== 'string' || given === '' || given.startsWith('=')) return undefined;
	const locator: unknown = context.getCurrentNodeParameter('locationId');
	if (!isRecord(locator) || locator.mode !== 'name') return given;
	return await withConnection(context, async (connection) => {
		const read = async () => await readDirectory(connection);
		const directory = await onceAMinute(connection, ['directory', connection.paging], read);
		return directory.idOf(given.trim());
	});
}
