import { groupBy } from '../../../dev/n8n/groupBy';
import { type Account, idOf } from '../../../nodes/LocalSeo/client';
import type { World } from './dimensions';
import { latencyOf, type Service } from './service';

/** Milliseconds. */
export const PATIENCE = 300_000;
export const TIMEOUT = 60_000;

/** What the client said of a row, or of another call, and when; milliseconds since 1970. */
export type Report = { who: string; calledAt: number; endedAt: number } & (
	| { said: 'done'; records: unknown[] }
	| { said: 'failed' | 'unconfirmed'; why: string; kind?: string }
);

/** All that happened in a world. */
export interface Played {
	world: World;
	service: Service;
	/** What the client remembers. */
	account: Account;
	reports: Report[];
	/** The names of the rows that say the same. */
	groups: string[][];
}

/** Milliseconds by which a call may miss its deadline. */
const GRACE = 12_000;
/** How long a create in doubt is looked for, the last reading included (ms). */
const LOOKED_FOR = 155_000;

/**
 * What is wrong; empty where nothing is. The invariants, by the numbers with which the names begin:
 * (1) no row's record exists twice; (2) a row that reports success was accepted, one that reports failure
 * has no record, and all else could not be confirmed; (3) a list has every record that was there all the
 * time, once, or says that it is incomplete; (4) a call ends within Max Wait, one timeout and ten seconds;
 * (5) without faults a row is one request, and a create in doubt costs the readings that it takes.
 */
export function judge(played: Played): string[] {
	const judges = [
		rowsAreOnce,
		listsAreWhole,
		changesAreTold,
		callsEnd,
		requestsAreFew,
		sendsAreFew,
	];
	return judges.flatMap((one) => one(played));
}

/** Whether a record that was there all the time may be missed by one reading, and seen by a later one. */
function isSlipping({ list }: World): boolean {
	const isDone = (kind: 'add' | 'remove') => list.changes.some(({ what }) => what === kind);
	return isDone('add') && isDone('remove');
}

/**
 * 1 and 2. Rows that say the same can't be told apart, so they are judged together. A run that looks first
 * makes one record for all of them, and any other run one for each.
 */
function rowsAreOnce({ world, service, reports, groups }: Played): string[] {
	const recordsOf = groupBy(service.records, ({ row }) => row);
	const reportsOf = groupBy(reports, ({ who }) => who);
	return groups.flatMap((rows) => {
		const own = rows.flatMap((row) => recordsOf.get(row) ?? []);
		const said = rows.flatMap((row) => reportsOf.get(row) ?? []);
		const done = said.flatMap((report) => (report.said === 'done' ? [report.records[0]] : []));
		const failed = said.filter((report) => report.said === 'failed').length;
		const ids = done.map((record) => idOf(record)).filter((id) => id !== undefined);
		const known = new Set(own.map(({ shownId }) => String(shownId)));
		const most = world.readsFirst ? 1 : rows.length;
		const open = world.readsFirst ? Number(failed < said.length) : rows.length - failed;
		const wrong = [];
		if (own.length > most) wrong.push(`1: exists ${own.length} times`);
		if (own.length > open) wrong.push('2: is there, but was said to have failed');
		if (Math.min(done.length, most) > own.length && !isSlipping(world))
			wrong.push('2: is not there, but was said to be created');
		if (ids.some((id) => !known.has(id)) && !isSlipping(world))
			wrong.push('2: was given a record that is not its own');
		if (!world.readsFirst && new Set(ids).size < ids.length) wrong.push('2: shares a record');
		return wrong.map((flaw) => `${rows.join(', ')}: ${flaw}`);
	});
}

/** 3. */
function listsAreWhole({ world, service, reports }: Played): string[] {
	const [reading] = reports;
	if (world.job !== 'list' || !reading) return [];
	if (reading.said !== 'done')
		return isCalm(world) ? [`3: refused a calm list, ${reading.why}`] : [];
	const { calledAt, endedAt, records } = reading;
	const oldest = calledAt - world.list.lag - world.list.cachedFor;
	const numbers = records.map((record) => (record as { no: number }).no);
	const always = service.records.filter(
		(record) => record.at <= oldest && (record.removedAt ?? Infinity) > endedAt,
	);
	const missing = always.filter(({ id }) => !numbers.includes(id));
	const wrong: string[] = [];
	if (missing.length > 0 && canTellLoss(world)) {
		wrong.push(`3: ${missing.length} of ${always.length} records are missing`);
	}
	if (new Set(numbers).size < numbers.length && world.records.ids !== 'none') {
		wrong.push('3: a record came twice');
	}
	return wrong;
}

/** Where nothing changes and nothing fails, a list is never refused. */
function isCalm({ list, reads, limit, bears, revokedAfter, others }: World): boolean {
	return (
		list.changes.length === 0 &&
		others === undefined &&
		reads.length === 0 &&
		limit === 'none' &&
		bears === Infinity &&
		revokedAfter === undefined
	);
}

/** A record that is removed lets another one slip away. A total shows that, unless one is added as well. */
function canTellLoss({ list, others }: World): boolean {
	const isRemoved = list.changes.some(({ what }) => what === 'remove');
	const isAdded = others !== undefined || list.changes.some(({ what }) => what === 'add');
	return !isRemoved || (list.totals !== 'absent' && !isAdded);
}

/** 2, for changes: what is reported as done was done, as far as the response can show. */
function changesAreTold({ world, service, reports }: Played): string[] {
	const [report] = reports;
	if ((world.job !== 'update' && world.job !== 'delete') || !report) return [];
	const last = service.records[service.records.length - 1];
	const isDone =
		world.job === 'update'
			? String(last?.fields.content).includes('ew') && String(last?.fields.title).includes('nother')
			: last?.removedAt !== undefined;
	if (report.said === 'failed' && isDone) return ['2: is done, but was said to have failed'];
	return report.said === 'done' && !isDone ? ['2: is not done, but was said to be'] : [];
}

/** 4. A call ends in time from its first request on; until then it waits only while others go on. */
function callsEnd({ world, service, reports }: Played): string[] {
	const once = PATIENCE + TIMEOUT + GRACE + longestOf(world);
	// A create may be looked for, sent again, and looked for again.
	const most = world.job === 'post' ? 2 * (once + LOOKED_FOR) : once;
	const good = service.requests
		.flatMap(({ isGood, answeredAt }) => (isGood ? (answeredAt ?? []) : []))
		.sort((one, other) => one - other);
	const sentBy = groupBy(service.requests, ({ who }) => who);
	return reports.flatMap(({ who, calledAt, endedAt }) => {
		const wrong = [];
		const stoodStill = longestGap(good, calledAt, endedAt);
		if (stoodStill > most) wrong.push(`4: ${who} stood still for ${seconds(stoodStill)}`);
		const first = sentBy.get(who)?.find(({ at }) => at >= calledAt)?.at ?? endedAt;
		// A list may take many requests, of which each has its time.
		const took = world.job === 'list' ? 0 : endedAt - first;
		if (took > most) wrong.push(`4: ${who} took ${seconds(took)}`);
		return wrong;
	});
}

/** The longest time without any of some moments, which are in order. */
function longestGap(moments: number[], from: number, to: number): number {
	let longest = 0;
	let last = from;
	for (const moment of moments) {
		if (moment <= from) continue;
		if (moment >= to) break;
		longest = Math.max(longest, moment - last);
		last = moment;
	}
	return Math.max(longest, to - last);
}

function seconds(milliseconds: number): string {
	return `${Math.round(milliseconds / 1000)} s`;
}

/**
 * 5. Without faults each row is one request, and a list as many as it has pages. Each fault costs one
 * more; a create in doubt costs readings, which rows in doubt together share.
 */
function requestsAreFew({ world, service, reports }: Played): string[] {
	const refused = service.requests.filter(({ isRefused }) => isRefused);
	const refusedReads = refused.filter(({ method }) => method === 'GET').length;
	const writes = service.countOf('write') - (refused.length - refusedReads);
	const reads = service.countOf('GET') - refusedReads;
	const runs = world.life === 'once' ? 1 : 2;
	const faults = world.writes.length + (world.unlucky?.times ?? 0);
	const revoked = world.revokedAfter === undefined ? 0 : reports.length;
	const mostWrites = runs * reports.length + faults + revoked;
	const size = Math.max(1, Math.min(world.list.pageSize, world.list.asksFor ?? Infinity));
	const pages = Math.ceil(service.records.length / size) + EXTRA_PAGES;
	const isUnnamed = world.records.ids === 'none';
	const isOverrun = world.bears < Infinity;
	const meetsDoubt = world.unlucky !== undefined || world.writes.some(isDoubtful);
	const isInDoubt = world.life === 'stopped' || isUnnamed || isOverrun || meetsDoubt;
	const isList = world.job === 'list' || world.readsFirst;
	const inDoubt = isInDoubt ? runs * READINGS_IN_DOUBT * (1 + faults) : 0;
	const readings = MAX_READINGS * ((isList ? 1 : 0) + 1 + inDoubt);
	const mostReads = readings * pages + world.reads.length + 1;
	const wrong = [];
	if (writes > mostWrites) wrong.push(`5: ${writes} writes, and ${mostWrites} would do`);
	if (reads > mostReads) wrong.push(`5: ${reads} reads, and ${mostReads} would do`);
	return wrong;
}

/**
 * 5, for each call: a create in doubt is sent again once after silence or a gateway's fault, and never
 * after the service's own error.
 */
function sendsAreFew({ world, service }: Played): string[] {
	if (world.job !== 'post') return [];
	const sends = service.requests.filter(({ method }) => method !== 'GET');
	return [...groupBy(sends, ({ call }) => call).values()].flatMap((ofCall) => {
		// What follows a refusal is still the same attempt: a refusal leaves nothing in doubt.
		const doubts = ofCall.slice(0, -1).map(({ doubt }) => doubt);
		const afterSilence = doubts.filter((doubt) => doubt === 'silent').length;
		const afterOwn = doubts.filter((doubt) => doubt === 'own').length;
		const name = `5: ${ofCall[0].who} was sent again`;
		const wrong = [];
		if (afterSilence > 1) wrong.push(`${name} ${afterSilence} times after silence`);
		if (afterOwn > 0) wrong.push(`${name} ${afterOwn} times after the service's own error`);
		return wrong;
	});
}

/** Pages that are asked for to see that there are no more, or where they begin, some at once. */
const EXTRA_PAGES = 40;
/** Of a list that keeps changing. */
const MAX_READINGS = 3;
/** Of a list while the outcome of a create is not known, for five minutes, which each run has. */
const READINGS_IN_DOUBT = 20;

function isDoubtful({ kind }: World['writes'][number]): boolean {
	return kind !== 'answered' && kind !== 'limited';
}

/** The longest that a request of the job takes, whatever came before (ms). */
function longestOf(world: World): number {
	const method = world.job === 'list' ? 'GET' : 'POST';
	return Math.max(latencyOf(world, method, 0), latencyOf(world, method, Infinity));
}

/** For ordinary services: one request a row, the pages of a list and no more, and no wait. */
export function isAtOnce({ world, service, reports, groups }: Played): string[] {
	const { list, job } = world;
	// Equal rows are one post for a run that looks first.
	const rows = job === 'post' ? groups.length : job === 'list' ? 0 : reports.length;
	const size = Math.min(list.pageSize, list.asksFor ?? Infinity);
	const listed = service.records.length - (job === 'post' ? rows : 0);
	const pages = Math.max(1, Math.ceil(listed / size));
	// Without a total, only a page without records shows the end.
	const hasEnd = list.totals !== 'absent' || listed === 0;
	const mostReads = job === 'post' || job === 'list' ? pages + (hasEnd ? 0 : 1) : 0;
	const [writes, reads] = [service.countOf('write'), service.countOf('GET')];
	const took = Math.max(...reports.map(({ calledAt, endedAt }) => endedAt - calledAt));
	// Eight are sent at once at first, and those that say the same one after the other.
	const turns = job === 'list' ? mostReads : 1 + rows / 8 + world.rows.duplicates;
	const most = turns * longestOf(world);
	return [
		...(writes === rows ? [] : [`5: ${writes} writes for ${rows} rows`]),
		...(reads <= mostReads ? [] : [`5: ${reads} reads for ${mostReads} pages`]),
		...(took <= most + 1 ? [] : [`4: took ${took} ms, and ${most} would do`]),
	];
}
