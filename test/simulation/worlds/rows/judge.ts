import groupBy from 'lodash/groupBy';
import { type Account, idOf } from '../../../../nodes/LocalSeo/client';
import type { World } from './dimensions';
import { hasDates, type Service } from './service';

/** Milliseconds. */
export const PATIENCE = 300_000;
/** Of a request: longer where creates take long. */
export const timeoutOf = ({ takes }: World): number => (takes > 0 ? 300_000 : 60_000);
/** By how much a call may miss its deadline, and how long a create in doubt is looked for (ms). */
const GRACE = 12_000;
const LOOKED_FOR = 155_000;
/** The client's word on a row, or on another call, and its time; milliseconds since 1970. */
export type Report = {
	who: string;
	calledAt: number;
	endedAt: number;
	/** True if it could not be confirmed, now or in an earlier try. */
	wasOpen: boolean;
} & ({ said: 'done'; record: unknown } | { said: 'failed' | 'unconfirmed' });

export interface Played {
	world: World;
	service: Service;
	/** The memory of the client. */
	account: Account;
	reports: Report[];
	/** The names of the rows that say the same. */
	groups: string[][];
}

/**
 * Finds what is wrong. The invariants, by the numbers with which the names begin:
 * (1) no row's record exists twice; (2) a row that reports success was accepted, one that reports failure
 * has no record, and all else could not be confirmed; (3) a call ends within Max Wait, one timeout and ten
 * seconds; (4) a create in doubt is sent again once at most; (5) a service that does not keep or show the time
 * to publish costs one post.
 */
export function judge(played: Played): string[] {
	return [rowsAreOnce, callsEnd, sendsAreFew, timesAreProved].flatMap((one) => one(played));
}

const when = (isWrong: boolean, text: string) => (isWrong ? [text] : []);

/**
 * 1 and 2. Rows that say the same can't be told apart, so they are judged together. A run that looks first
 * makes one record for all of them, and any other run one for each.
 */
function rowsAreOnce({ world, service, reports, groups }: Played): string[] {
	const recordsOf = groupBy(service.records, 'row');
	const reportsOf = groupBy(reports, 'who');
	return groups.flatMap((rows) => {
		const own = rows.flatMap((row) => recordsOf[row] ?? []);
		const said = rows.flatMap((row) => reportsOf[row] ?? []);
		const done = said.flatMap((report) => (report.said === 'done' ? [report.record] : []));
		const failed = said.filter((report) => report.said === 'failed').length;
		const ids = done.flatMap((record) => idOf(record) ?? []);
		const known = own.flatMap(({ fields, receipt }) => [String(fields.id), receipt]);
		const { readsFirst } = world;
		const most = readsFirst ? 1 : rows.length;
		const open = readsFirst ? Number(failed < said.length) : rows.length - failed;
		const isLost = Math.min(done.length, most) > own.length;
		const isForeign = ids.some((id) => !known.includes(id));
		return [
			...when(own.length > most, `1: exists ${own.length} times`),
			...when(own.length > open, '2: is there, but was said to have failed'),
			...when(isLost, '2: is not there, but was said to be created'),
			...when(isForeign, '2: was given a record that is not its own'),
			...when(!readsFirst && new Set(ids).size < ids.length, '2: shares a record'),
		].map((flaw) => `${rows.join(', ')}: ${flaw}`);
	});
}

/** 3. A call ends in time from its first request on; until then it waits only while others go on. */
function callsEnd({ world, service, reports }: Played): string[] {
	// A create may be looked for, sent again, and looked for again.
	const most = 2 * (PATIENCE + timeoutOf(world) + GRACE + world.latency + LOOKED_FOR);
	const good = service.requests.flatMap(({ isGood, answeredAt }) =>
		isGood ? (answeredAt ?? []) : [],
	);
	// Posts with a time go one by one until one is proved: the end of each is a step, also in doubt.
	const ends = hasDates(world) ? reports.map(({ endedAt }) => endedAt) : [];
	const steps = [...good, ...ends].sort((one, other) => one - other);
	const sentBy = groupBy(service.requests, 'who');
	return reports.flatMap(({ who, calledAt, endedAt }) => {
		const between = steps.filter((at) => at > calledAt && at < endedAt);
		const gaps = [...between, endedAt].map((at, index) => at - (between[index - 1] ?? calledAt));
		const first = sentBy[who]?.find(({ at }) => at >= calledAt)?.at ?? endedAt;
		const took = endedAt - first;
		return [
			...when(Math.max(...gaps) > most, `3: ${who} stood still for ${Math.max(...gaps)} ms`),
			...when(took > most, `3: ${who} took ${took} ms`),
		];
	});
}

/**
 * 4. In each call, a create in doubt is sent again once after silence or a gateway's fault, and never
 * after the service's own error. A refusal leaves nothing in doubt.
 */
function sendsAreFew({ service }: Played): string[] {
	const sends = service.requests.filter(({ isRead }) => !isRead);
	return Object.values(groupBy(sends, 'call')).flatMap((ofCall) => {
		const doubts = ofCall.slice(0, -1).map(({ doubt }) => doubt);
		const silent = doubts.filter((doubt) => doubt === 'silent').length;
		const name = `4: ${ofCall[0].who} was sent again`;
		return [
			...when(silent > 1, `${name} ${silent} times after silence`),
			...when(doubts.includes('own'), `${name} after the service's own error`),
		];
	});
}

/** 5. What could not be confirmed is one more, and what a person stops proves nothing. */
function timesAreProved({ world, service, reports }: Played): string[] {
	const open = reports.filter(({ wasOpen }) => wasOpen).length;
	const most = 1 + open + Number(world.life === 'stopped');
	const planned = service.records.filter(({ row, isPlanned }) => row !== undefined && isPlanned);
	const isWrong = !provesTime(world) && planned.length > most;
	return when(isWrong, `5: ${planned.length} posts at a time that nothing proves`);
}

/**
 * True if a run may send more posts with a time than one. The name of the field is one for all runs of a world, so
 * nothing begins anew.
 */
function provesTime(world: World): boolean {
	const { time, showsTime, status, answers, hides, hasTotal, readsFirst, namesTime } = world;
	const isAhead = time === 'kept' || time === 'later';
	const isHidden = hides === 'ahead' ? isAhead : hides === 'new' && hasTotal;
	// A repeat would create again what the list does not show.
	if (readsFirst && isHidden) return false;
	if (!namesTime) return time === 'kept' && showsTime !== 'never' && status !== 'published';
	// The name is believed where nothing shows a time.
	return time === 'kept' || showsTime === 'never' || (answers !== 'record' && !readsFirst);
}
