import omit from 'lodash/omit';

import {
	idNames,
	idOf,
	instantOfIso,
	isEmpty,
	type JsonObject,
	type ServiceRequest,
	textOf,
} from '../../client';
import { InputError } from '../../text/inputError';
import { Existing } from '../learn/existing';
import { addressOf, type Facts } from '../learn/facts';
import { mayShow } from '../read/when';
import { refuseOver } from './body';
import { isOfRecord } from './draft';
import { assertComparable, assertRecognizable } from './match';
import type { Create, Decision, Draft, Plan } from './plan';
import { labelOfRecord, overBeside, perhapsEqualTo, relatedTo, theOnlyOne } from './questions';
import type { Twins } from './twins';

/** Decides what is done for a row: by the facts, and by the other rows of its run. */
export function decide(draft: Draft, facts: Facts, twins: Twins): Plan {
	const { row, request, error } = draft;
	const about = { row, request };
	// An earlier try was sent, whatever the row says now.
	if (facts.isRepeat(row)) return { ...about, ...repeated(draft, facts) };
	if (error) return { ...about, action: 'invalid', error };
	try {
		if (twins.error) throw twins.error;
		const plan = isOfRecord(request) ? ofRecord(draft, facts) : ofList(draft, facts);
		const { action } = plan;
		const { first: twin } = twins;
		// A row whose record exists is skipped by itself, whatever becomes of the other row.
		const isFollowing = twin !== undefined && action !== 'skip' && action !== 'unchanged';
		const as = row.ifExists === 'update' ? 'unchanged' : 'skipped';
		return isFollowing ? { ...about, action: 'follow', twin, as } : { ...about, ...plan };
	} catch (thrown) {
		return { ...about, action: 'invalid', error: thrown as Error };
	}
}

/** With the request, where it is another one than the row's own. */
type Decided = Decision & { request?: ServiceRequest; warning?: string };

function repeated(draft: Draft, facts: Facts): Decision {
	const { method } = draft.request;
	if (method !== 'POST') return { action: method === 'PATCH' ? 'update' : 'delete' };
	const list = facts.lists.get(draft.address);
	const unknown = facts.fields ? undefined : unread();
	return {
		...creation(draft, facts),
		error: draft.error ?? (list instanceof Error ? list : unknown),
	};
}

/** A row about a record that it names: an update or a deletion. */
function ofRecord({ request }: Draft, { records }: Facts): Decided {
	const found = records.get(addressOf(request));
	if (found instanceof Error) throw found;
	return { action: request.method === 'PATCH' ? 'update' : 'delete' };
}

/** A row that creates, unless what it creates exists. */
function ofList(draft: Draft, facts: Facts): Decided {
	const { row, keys, matching, address, live } = draft;
	const list = facts.lists.get(address);
	if (list instanceof Error) throw list;
	if (!facts.fields) throw unread();
	const isCompared = list !== undefined && row.ifExists !== 'create';
	if (isCompared)
		assertComparable(draft, list, facts.columns?.matchFields ?? [], facts.fields.seen);
	const equal = isCompared ? list.equal(keys, matching) : [];
	const isUpsert = row.ifExists === 'update';
	const record = isUpsert ? theOnlyOne(draft, equal) : equal[0];
	if (record) return isUpsert ? changeOf(draft, record) : { action: 'skip', record };
	// A post that exists already is skipped, whatever its time.
	refuseOver(row, live, facts.now);
	if (isCompared) {
		const isExact = row.matchFields.length > 0;
		const isOver = live?.at !== undefined && live.at <= facts.now;
		const beside = isOver ? besideTime(draft, list) : undefined;
		if (beside) throw beside;
		const sent = draft.fields[matching.time ?? ''];
		const isTime = (shown: unknown) => mayShow(shown, sent, row.zone);
		const perhaps = live?.at && list.perhapsEqual(keys, matching, isTime);
		if (perhaps) throw perhapsEqualTo(draft, perhaps);
		const related = isExact ? undefined : list.related(keys, matching);
		if (related) throw relatedTo(draft, related);
		assertRecognizable(draft);
	}
	const warning = isCompared && list.incomplete ? uncompared(draft) : undefined;
	return { ...creation(draft, facts), ...(warning !== undefined && { warning }) };
}

/** A service may change the time of a post when it publishes it: one whose time is over is compared without it. */
function besideTime(draft: Draft, list: Existing): InputError | undefined {
	const { keys, matching } = draft;
	const { time = '' } = matching;
	const [record] = list.equal(omit(keys, time), matching);
	const others = matching.fields.filter((name) => name !== time);
	return record && overBeside(draft, others, record);
}

const unread = () =>
	new InputError(
		'The fields of the account are not known: no list of the first locations of this run could be read',
		'What is wrong with them stands at their rows. Run this again.',
	);

const uncompared = ({ row }: Draft) =>
	`The list of ${row.resource.noun}s is incomplete: not all of them could be compared with your rows`;

function creation({ row, address, live, matching, keys }: Draft, { lists, now }: Facts): Create {
	const list = lists.get(address);
	const isRead = list instanceof Existing && row.ifExists !== 'create';
	return {
		action: 'create',
		live,
		matching,
		keys,
		before: isRead ? list.before : undefined,
		isTimeShown: isRead && list.showsAhead(matching.time, now),
	};
}

/** The fields of a row that differ from its record, if there are any. */
function changeOf(draft: Draft, record: JsonObject): Decided {
	const { request } = draft;
	const changes = changesIn(request.body as JsonObject, record);
	if (!changes) return { action: 'unchanged', record };
	if (idOf(record) === undefined) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOfRecord(record)}`,
			'Use the operation Update.',
		);
	}
	const patch = patchOf(draft, record, changes);
	return { action: 'upsert', request: patch, record };
}

/** The changes of a record; undefined if nothing is. */
export function changesIn(body: JsonObject, record: JsonObject): JsonObject | undefined {
	const changes = Object.entries(body).filter(([name, value]) => !isEqualText(record[name], value));
	return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** Only what is equal as text, or the same instant, is unchanged: "01060" can be corrected to "1060". */
function isEqualText(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((value) => (isEmpty(value) ? '' : textOf(value)));
	const instant = instantOfIso(a);
	return a === b || (instant !== undefined && instant === instantOfIso(b));
}

/** The request of the operation Update, for one record. */
export function patchOf(
	{ row, request }: Pick<Draft, 'row' | 'request'>,
	record: JsonObject,
	body: JsonObject,
): ServiceRequest {
	const { resource, operation } = row;
	const update = resource.operations.find(({ value }) => value === operation.updatesBy);
	const { method, url: path } = update!.routing.request;
	return { ...request, method, path, body, ids: { [idNames(path)[0]]: idOf(record)! } };
}
