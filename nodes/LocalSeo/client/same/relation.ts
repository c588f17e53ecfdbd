import type { JsonObject } from '../ports';
import { looseKeyOf, type Matching } from './key';
import { type Keys, keysOf, shortKeyOf } from './keyIndex';

/** The key by which records that can't be deleted are compared once more, with their letters and digits alone. */
export const LOOSE = ' loose';

/**
 * How two records are related: `equal` in all match fields; `similar`, as only punctuation differs in
 * records that can't be deleted; `alike`, as of several match fields all but one are equal, a text among
 * them.
 */
export type Relation = 'equal' | 'similar' | 'alike';

/** The compared values of a record: its match fields and, if it can't be deleted, all of them loosened. */
export function comparedKeys(record: JsonObject, { fields, isTerm, isPermanent }: Matching): Keys {
	const keys = keysOf(record, fields, isTerm);
	if (!isPermanent) return keys;
	return { ...keys, [LOOSE]: shortKeyOf(fields.map((field) => looseKeyOf(record[field]))) };
}

/** @param matching the fields that are compared, of which `keys` are */
export function relationOf(
	keys: Keys,
	other: Keys,
	{ fields, time }: Matching,
): Relation | undefined {
	const isShared = (field: string) => keys[field] === (other[field] ?? '');
	if (fields.every(isShared)) return 'equal';
	if (keys[LOOSE] !== undefined && isShared(LOOSE)) return 'similar';
	if (time === undefined) return undefined;
	const filled = fields.filter((field) => keys[field] !== '');
	const shared = filled.filter(isShared);
	const isText = shared.some((field) => field !== time);
	return filled.length > 1 && shared.length === filled.length - 1 && isText ? 'alike' : undefined;
}
