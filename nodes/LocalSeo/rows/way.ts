import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { concurrently, MAX_IN_FLIGHT, readOnly, type RunMemory } from '../client';
import { connectWith, type Connected, type Credential } from '../host/connect';
import { readRequestOptions } from '../host/requestSettings';
import { isWrite } from '../resources';
import { onOneLine } from '../text/words';
import { Batch } from './get/batch';
import { get } from './get/get';
import { askAbout, learn } from './learn/learn';
import type { RowEnd } from './outcome';
import { decide } from './plan/decide';
import { draft } from './plan/draft';
import type { Draft } from './plan/plan';
import { twinsIn, twinsOf } from './plan/twins';
import type { Row } from './read/row';
import { inSlices } from './slices';
import { carryOut, earlierOf } from './write/carryOut';
import { tell } from './write/tell';

type Context = IExecutePaginationFunctions;

/** Shared by the rows of a run. */
export interface Shared {
	credential: Credential;
	contextOf(row: Row): Context;
	signal?: AbortSignal;
}

/** The same, with what earlier tries of the run have done. */
type Running = Shared & { run: RunMemory };

/**
 * The way of rows that write: all is read and asked, then planned without a request, then written, or
 * told in a dry run.
 *
 * @param ended what becomes of each row, by its place
 * @returns remarks about the run, for hints
 * @throws what is about all rows that have come to nothing yet
 */
async function writeRows(rows: Row[], ended: RowEnd[], shared: Running): Promise<string[]> {
	const { signal } = shared;
	const [{ isDryRun }] = rows;
	const connection = connectionOf(rows[0], shared);
	const run = await askAbout(rows, connection);
	for (const part of run.parts) {
		const facts = await learn(part, run, connection);
		const drafts = await inSlices(part, (row) => draft(row, facts), signal);
		nameRows(drafts);
		const twins = twinsOf(drafts);
		const plans = await inSlices(drafts, (one) => decide(one, facts, twinsIn(twins, one)), signal);
		if (isDryRun) await tell(plans, facts, ended, connection);
		else await carryOut(plans, facts, ended, (row) => connectionOf(row, shared));
	}
	return run.first.columns?.notes ?? [];
}

/** Messages call rows by what tells them apart for a person. */
function nameRows(drafts: Draft[]): void {
	for (const { row, fields } of drafts) {
		const [name = ''] = row.resource.matchFields ?? [];
		const title = fields[name];
		if (typeof title === 'string') row.rows[row.index].title = onOneLine(title);
	}
}

/** Reads what each row asks for. */
async function readRows(rows: Row[], ended: RowEnd[], shared: Running): Promise<string[]> {
	const batch = new Batch(rows);
	const jobs = rows.map((row) => async () => {
		try {
			ended[row.index] = await get(row, batch, connectionOf(row, shared));
		} catch (error) {
			ended[row.index] = error as Error;
		}
	});
	await concurrently(jobs, 2 * MAX_IN_FLIGHT);
	return [];
}

/**
 * A row that n8n runs again (Retry On Fail) asks the client what became of it the time before, also where
 * the run is stopped as a whole.
 */
export async function runRows(rows: Row[], ended: RowEnd[], shared: Shared): Promise<string[]> {
	const [first] = rows;
	if (!first) return [];
	const through = isWrite(first.operation) ? writeRows : readRows;
	const run = shared.credential.account.run(first.key.run);
	try {
		return await through(rows, ended, { ...shared, run });
	} finally {
		for (const row of rows.filter(({ index }) => !ended[index])) {
			const earlier = earlierOf(row, run);
			if (earlier) ended[row.index] = earlier;
		}
	}
}

/** The connection of a row: its own context of n8n sends the requests. */
function connectionOf(row: Row, { credential, contextOf, run }: Running): Connected {
	const context = contextOf(row);
	// The routing reads these, too, but ignores some that it does not understand.
	const { timeout: timeoutMs, ...settings } = readRequestOptions(context);
	const { patienceMs } = row;
	const how = { ...settings, timeoutMs, patienceMs };
	const connected = { ...connectWith(credential, context, how), run };
	return row.isDryRun ? readOnly(connected) : connected;
}
