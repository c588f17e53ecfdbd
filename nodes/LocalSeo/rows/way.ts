import partition from 'lodash/partition';
import pick from 'lodash/pick';
import type { IExecutePaginationFunctions } from 'n8n-workflow';

import { readOnly, type RunMemory } from '../client';
import { connectWith, type Connected, type Credential } from '../host/connect';
import { readRequestOptions } from '../host/requestSettings';
import { isWrite } from '../resources';
import { onOneLine } from '../text/words';
import { get } from './get/get';
import type { AccountFields } from './learn/fields';
import { learn } from './learn/learn';
import { findLocations, nameLocations } from './learn/locations';
import type { RowEnd } from './outcome';
import { decide } from './plan/decide';
import { draft } from './plan/draft';
import { comparing, filledIn } from './plan/match';
import type { Compared, Draft } from './plan/plan';
import { ask } from './plan/questions';
import { contentOf, groupsOf, subjectOf, twinsIn } from './plan/twins';
import { OF_RUN } from './read/parameters';
import type { Row } from './read/row';
import { inSlices } from './slices';
import { carryOut, earlierOf } from './write/carryOut';
import { forecasts } from './write/forecast';
import { noteLists } from './write/proving';

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
 * The way of rows that write: all is read and asked, then planned without a request, then written, or told in a
 * dry run.
 *
 * @param ended what becomes of each row, by its place
 * @returns remarks about the run, for hints
 * @throws what is about all rows that have come to nothing yet
 */
async function writeRows(rows: Row[], ended: RowEnd[], shared: Running): Promise<string[]> {
	const { signal } = shared;
	const connect = (row: Row) => connectionOf(row, shared);
	const connection = connect(rows[0]);
	const settings = pick(rows[0], OF_RUN);
	for (const row of rows) Object.assign(row, settings);
	await findLocations(rows, connection);
	const [facts] = await Promise.all([learn(rows, connection), nameLocations(rows, connection)]);
	if (facts.fields) spellNames(rows, facts.fields);
	const drafts = await inSlices(rows, (row) => draft(row, facts), signal);
	nameRows(drafts);
	ask(drafts, facts);
	const filled = filledIn(drafts);
	const all = await inSlices(drafts, comparing(filled, facts), signal);
	const groups = groupsOf(all, await inSlices(all, subjectOf, signal));
	const contentIn = (one: Compared) => [one, contentOf(one)] as const;
	const contents = new Map(await inSlices(groups.flat(), contentIn, signal));
	const twins = new Map(
		(await inSlices(groups, (group) => twinsIn(group, contents), signal)).flat(),
	);
	const plans = await inSlices(all, (one) => decide(one, facts, twins.get(one)), signal);
	noteLists(rows[0], facts, connection);
	const [dry, sent] = partition(plans, ({ row }) => row.isDryRun);
	await inSlices(dry, forecasts(filled, facts.now, ended, connection), signal);
	await carryOut(sent, ended, shared.run, connect);
	return facts.columns?.notes ?? [];
}

/** Names that someone has written in options are spelled as the account spells them. */
function spellNames(rows: Row[], fields: AccountFields): void {
	for (const row of rows) {
		row.publishTime = fields.publishTime;
		for (const one of row.mapping.added) one.field = fields.fieldNamed(one.field);
	}
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
	const connect = (row: Row) => connectionOf(row, shared);
	await findLocations(rows, connect(rows[0]));
	const ends = await get(rows, connect);
	for (const [at, { index }] of rows.entries()) ended[index] = ends[at];
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
