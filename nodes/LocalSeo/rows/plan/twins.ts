import groupBy from 'lodash/groupBy';
import omit from 'lodash/omit';

import { fieldsOf, hashOf, type JsonObject, keyOf, LOOSE } from '../../client';
import { isOfRecord } from './draft';
import type { Draft } from './plan';
import { conflictOf, similarRows } from './questions';

/** The meaning of the other rows of a run for one of them. */
export interface Twins {
	/** The place of the first row that says the same; absent: this is the first one. */
	first?: number;
	/** Why neither this row nor the others are sent. */
	error?: Error;
}

const NONE: Twins = {};

/**
 * Compares the rows of a run with each other: those with the same match fields in one list, or about one
 * record. With the same values, the first one counts; with others, all are refused, since their order
 * decides nothing.
 */
export function twinsOf(drafts: Draft[]): Map<Draft, Twins> {
	const twins = new Map<Draft, Twins>();
	const refuse = (group: Draft[], error: Error) => {
		for (const draft of group) if (!twins.get(draft)?.error) twins.set(draft, { error });
	};
	const sent = drafts.filter(({ row, error }) => !error && row.ifExists !== 'create');
	for (const group of several(sent, subjectOf)) {
		const [first, ...others] = group;
		const areSame = group.every(({ content }) => content === first.content);
		if (areSame) for (const draft of others) twins.set(draft, { first: first.row.index });
		else refuse(group, conflictIn(group));
	}
	// Match fields that a user has named are compared, nothing else.
	const permanent = sent.filter(({ row, keys }) => LOOSE in keys && row.matchFields.length === 0);
	for (const group of several(permanent, ({ address, keys }) => hashOf([address, keys[LOOSE]]))) {
		const areOne = new Set(group.map(subjectOf)).size === 1;
		if (!areOne) refuse(group, similarRows(group[0], placesOf(group)));
	}
	return twins;
}

const placesOf = (group: Draft[]): number[] => group.map(({ row }) => row.index);

export const twinsIn = (twins: Map<Draft, Twins>, draft: Draft): Twins => twins.get(draft) ?? NONE;

/** The subject of a row: a record by its ID, or one of a list by its match fields. */
function subjectOf({ request, address, matching, keys }: Draft): string {
	if (isOfRecord(request)) return address;
	return hashOf([address, matching.fields, omit(keys, LOOSE)]);
}

const several = (drafts: Draft[], subject: (draft: Draft) => string): Draft[][] =>
	Object.values(groupBy(drafts, subject)).filter((group) => group.length > 1);

function conflictIn(group: Draft[]): Error {
	const [{ row, request, matching }] = group;
	const bodies = group.map((draft) => fieldsOf(draft.request));
	const names = new Set(bodies.flatMap((body) => Object.keys(body)));
	const isOther = (name: string) =>
		new Set(bodies.map((body: JsonObject) => keyOf(body[name], matching.isTerm))).size > 1;
	const shared = isOfRecord(request) ? ['ID'] : matching.fields;
	const differing = [...names].filter((name) => isOther(name));
	return conflictOf(row, placesOf(group), shared, differing);
}
