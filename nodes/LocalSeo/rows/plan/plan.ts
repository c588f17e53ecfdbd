import {
	endsWithId,
	fillPath,
	idNames,
	type Matching,
	ServiceError,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { type Note, takes } from '../../resources';
import type { Batch } from '../batch';
import type { Live } from '../outcome';
import type { Row } from '../read/row';
import { askOnce, type Ready } from './asked';
import { bodyOf, comparedValues, liveOf, refuseOver } from './body';
import { existingOf } from './existing';
import type { AccountFields } from './fields';
import { addressed } from './location';
import { type Match, matchingOfRow, matchOf } from './match';

/** The work to be done for a row: a dry run says it, and a run does it. */
export interface Plan {
	row: Row;
	/** Complete, as far as nothing is wrong with the row. */
	request: ServiceRequest;
	/** When its post goes live; absent: it is none. */
	live?: Live;
	/** The fields by which what it creates is found again; absent if it creates nothing. */
	matching?: Matching;
	/** The row beside what exists; absent if it is not compared. */
	match?: Match;
	/** The fields of the account; absent without a body. */
	account?: AccountFields;
	/** Remarks that become hints, whatever becomes of the row. */
	notes: Note[];
	/** All that is wrong with the row: it is not sent. */
	error?: Error;
}

/**
 * Makes the plan for a row that writes. It reads what it needs, and sends nothing.
 *
 * @throws Question about the run, and ServiceError where nothing can be said about the row: the key is
 * refused, the service is down
 */
export async function plan(row: Row, batch: Batch, connection: Connected): Promise<Plan> {
	const ready = takes('fields')(row.operation) ? await askOnce(batch, connection) : undefined;
	const notes = (ready?.columns.notes ?? []).map((note): Note => ({ say: () => note }));
	const made: Plan = { row, request: row.request, account: ready?.account, notes };
	const failure = await complete(made, ready, batch, connection).catch((thrown: unknown) => {
		if (!isOfRow(thrown)) throw thrown;
		return thrown;
	});
	return { ...made, error: row.problems.error ?? failure ?? undefined };
}

async function complete(
	made: Plan,
	ready: Ready | undefined,
	batch: Batch,
	connection: Connected,
): Promise<void> {
	const { row } = made;
	const { problems, ifExists } = row;
	const now = connection.account.clock.wall();
	const found = await problems.notingAsync(async () => await addressed(row, batch, connection));
	made.request = found ?? row.request;
	if (ready) {
		const { body, refused } = bodyOf(row, ready);
		made.request = { ...made.request, body };
		// A time that was refused is not empty.
		const isRefused = refused.has(row.publishTime ?? '');
		if (!isRefused) made.live = problems.noting(() => liveOf(row, body));
	}
	// A new post whose time is over is refused later: one that exists is skipped.
	if (problems.error) return void problems.noting(() => refuseOver(row, made.live, now));
	fillPath(made.request);
	if (!ready || endsWithId(made.request.path)) return;
	const fields = { ...comparedValues(row, ready), ...(made.request.body as object) };
	const matching = matchingOfRow(row, fields, ready.columns.matchFields);
	made.matching = matching;
	if (ifExists === 'create') return;
	const existing = await existingOf(row, made.request, batch, connection);
	made.match = problems.noting(() => matchOf(row, matching, fields, existing, ready.account.seen));
}

/** Statuses that say something about the ID in a path, not about the key or the service. */
const ABOUT_ID = [400, 404, 410, 422];

/** True if an error is about the row: an ID that can't be one, or that does not exist. */
export function isOfRow(thrown: unknown): thrown is ServiceError {
	if (!(thrown instanceof ServiceError)) return false;
	const { kind, status, request } = thrown;
	if (kind === 'invalid-id') return true;
	return kind === 'rejected' && ABOUT_ID.includes(status) && idNames(request.path).length > 0;
}
