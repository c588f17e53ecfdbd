import groupBy from 'lodash/groupBy';

import { hashOf, keyOf, nameOf } from '../../client';
import { listKey } from '../learn/facts';
import { isOfRecord } from './draft';
import type { Compared } from './plan';
import { conflictOf } from './refusals';

/** The meaning of the other rows of a run for one of them. */
export interface Twins {
	/** The place of the first row that sends the same; absent: this is the first one. */
	first?: number;
	/** Why neither this row nor the others are sent. */
	error?: Error;
}

/** The rows of a run that are about one record, by their subjects; those of Create Another One are not. */
export function groupsOf(all: Compared[], subjects: string[]): Compared[][] {
	const isCompared = ({ row, error }: Compared) => !error && row.ifExists !== 'create';
	const places = [...all.keys()].filter((place) => isCompared(all[place]));
	return Object.values(groupBy(places, (place) => subjects[place]))
		.filter((group) => group.length > 1)
		.map((group) => group.map((place) => all[place]));
}

/**
 * Compares rows that are about one record: the first one counts if they send the same; if not, all are refused, since
 * their order decides nothing.
 */
export function twinsIn(
	group: Compared[],
	contents: ReadonlyMap<Compared, string>,
): Array<[Compared, Twins]> {
	const byContent = new Map([...group].reverse().map((one) => [contents.get(one), one]));
	const [first, ...others] = group;
	if (byContent.size === 1) return others.map((one) => [one, { first: first.row.index }]);
	const error = conflictOf(group, [...byContent.values()]);
	return group.map((one) => [one, { error }]);
}

/** The subject of a row: a record by its ID, or one of a list by its match fields. */
export function subjectOf({ row, request, sought }: Compared): string {
	const { fields } = sought.matching;
	const own = isOfRecord(request) ? '' : `${fields.join()} ${nameOf(sought)}`;
	return `${row.isDryRun} ${listKey(request)} ${own}`;
}

/** The same for rows that send the same, by the keys of their values. */
export function contentOf({ fields, sought }: Compared): string {
	const { fields: compared, compareAs } = sought.matching;
	const keyIn = (name: string) =>
		keyOf(fields[name], compared.includes(name) ? compareAs : undefined);
	const names = Object.keys(fields).sort();
	return hashOf(names.map((name) => [name, keyIn(name)]));
}
