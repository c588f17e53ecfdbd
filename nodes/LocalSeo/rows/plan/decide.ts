import {
	idNames,
	idOf,
	instantOfIso,
	isEmpty,
	type JsonObject,
	type ServiceRequest,
	textOf,
} from '../../client';
import { isUpsert } from '../../resources';
import { InputError } from '../../text/inputError';
import { type Facts, listKey } from '../learn/facts';
import type { ComparedList } from '../learn/list';
import { refuseOver } from './body';
import { isOfRecord } from './draft';
import { besideOf, laterBy } from './match';
import type { Compared, Create, Decision, Plan } from './plan';
import { assertComparable, isBeside, labelOfRecord, theOnlyOne } from './refusals';
import type { Twins } from './twins';

/** With the request, where it is another one than the row's own. */
type Decided = Decision & { request?: ServiceRequest; warning?: string };

/** Decides what is done for a row: by the facts, and by the other rows of its run. */
export function decide(one: Compared, facts: Facts, twins: Twins = {}): Plan {
	const { row, request, error } = one;
	const about = { row, request };
	try {
		if (error ?? twins.error) throw error ?? twins.error!;
		const plan = isOfRecord(request) ? ofRecord(one, facts) : ofList(one, facts);
		// A row whose record exists is skipped by itself, whatever becomes of the other row.
		if (twins.first === undefined || plan.action === 'skip' || plan.action === 'unchanged')
			return { ...about, ...plan };
		const action = isUpsert(row.operation) ? 'unchanged' : 'skip';
		return { ...about, action, sameAs: twins.first };
	} catch (thrown) {
		return { ...about, action: 'invalid', error: thrown as Error };
	}
}

/** A row about a record that it names: an update or a deletion. */
function ofRecord({ request }: Compared, { records }: Facts): Decided {
	const found = records.get(listKey(request));
	if (found instanceof Error) throw found;
	return { action: request.method === 'PATCH' ? 'update' : 'delete' };
}

/** A row that creates, unless what it creates exists. */
function ofList(one: Compared, { lists, fields, now }: Facts): Decided {
	const { row, live } = one;
	const list = row.ifExists === 'create' ? undefined : lists.get(listKey(one.request));
	if (list instanceof Error) throw list;
	const isTimeShown = fields?.showsAhead(row.publishTime, now) ?? false;
	if (!list) {
		refuseOver(row, live, now);
		return creation(one, isTimeShown);
	}
	assertComparable(one, list, fields!.seen);
	const isUpdate = isUpsert(row.operation);
	const later = laterBy(live?.at, now);
	const equal = list.equalTo(one.sought, later);
	const [record] = isUpdate ? [theOnlyOne(one, [...equal])] : equal;
	if (record) return isUpdate ? changeOf(one, record) : { action: 'skip', record };
	// A post that exists is skipped, whatever its time.
	refuseOver(row, live, now);
	const beside = besideOf(one, list, later);
	if (beside) throw isBeside(one, list, beside);
	const plan = creation(one, isTimeShown, list);
	if (!list.incomplete) return plan;
	const { noun } = row.resource;
	const warning = `The list of ${noun}s is incomplete: not all of them could be compared with your rows`;
	return { ...plan, warning };
}

const creation = (
	{ live, sought }: Compared,
	isTimeShown: boolean,
	list?: ComparedList,
): Create => ({ action: 'create', live, sought, before: list?.before, isTimeShown });

/** The fields of a row that differ from its record, if there are any. */
function changeOf(one: Compared, record: JsonObject): Decided {
	const { row, request, fields } = one;
	const changes = Object.entries(fields).filter(([name, value]) => !isSame(record[name], value));
	if (changes.length === 0) return { action: 'unchanged', record };
	const id = idOf(record);
	if (id === undefined) {
		throw new InputError(
			`The existing ${request.noun} has no ID, so it can't be updated: ${labelOfRecord(record)}`,
			'Use the operation Update.',
		);
	}
	const { resource, operation } = row;
	const update = resource.operations.find(({ value }) => value === operation.updatesBy);
	const { method, url: path } = update!.routing.request;
	const body = Object.fromEntries(changes);
	const patch = { ...request, method, path, body, ids: { [idNames(path)[0]]: id } };
	return { action: 'update', request: patch, record };
}

/** Only what is equal as text, or the same instant, is unchanged: "01060" can be corrected to "1060". */
function isSame(one: unknown, other: unknown): boolean {
	const [a, b] = [one, other].map((value) => (isEmpty(value) ? '' : textOf(value)));
	const instant = instantOfIso(a);
	return a === b || (instant !== undefined && instant === instantOfIso(b));
}
