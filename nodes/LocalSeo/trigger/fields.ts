import findLastIndex from 'lodash/findLastIndex';

import type { JsonObject } from '../client';
import { type Known, shortHash, VALUE_LENGTH, valueIn } from './known';

/** Fields that say nothing about a change: each record has its own, for good. */
const CONSTANT = ['id', 'location_id', 'created_at'];

/** The watched fields of records, as hashes that are compared with later ones. */
export interface Fields {
	hashOf(record: JsonObject): string;
	/** The fields that changed, as far as they are known by name; undefined if none did. */
	changed(record: JsonObject, before: Known, now: Known): string[] | undefined;
}

/**
 * Adds the names of fields that are new. Hashes that are remembered cover the names that were there
 * before, so a new field is learned.
 */
function addNames(names: string[], records: JsonObject[]): void {
	const known = new Set([...names, ...CONSTANT]);
	for (const name of records.flatMap((record) => Object.keys(record))) {
		if (!known.has(name)) names.push(name);
		known.add(name);
	}
}

/** The fields of locations, each with its own hash; those that are watched or, if none is named, all. */
export function locationFields(
	names: string[],
	locations: JsonObject[],
	fieldsToWatch: string[],
): Fields {
	if (fieldsToWatch.length === 0) addNames(names, locations);
	names.push(...fieldsToWatch.filter((name) => !names.includes(name)));
	const isWatched = (name: string) => fieldsToWatch.length === 0 || fieldsToWatch.includes(name);
	const hashAt = (hashes: string, index: number) =>
		hashes.slice(index * VALUE_LENGTH, (index + 1) * VALUE_LENGTH);
	return {
		hashOf: (record) =>
			names.map((name) => shortHash(valueIn(record, name), VALUE_LENGTH)).join(''),
		changed(_, before, now) {
			const known = names.slice(0, before.hash.length / VALUE_LENGTH);
			const changed = known.filter(
				(name, index) => isWatched(name) && hashAt(before.hash, index) !== hashAt(now.hash, index),
			);
			return changed.length > 0 ? changed : undefined;
		},
	};
}

interface PostFields extends Fields {
	/** How many names the hashes cover. */
	count: number;
	/** Notes for a missing post that its hash does not cover a new field. */
	ofMissing(one: Known): Known;
}

/** Stands before the number of names that a hash covers, where that is not the number for all. */
const COVERS = ':';

/**
 * The fields of a location's posts, with one hash for all of a post.
 *
 * @param names those of the posts of all locations
 * @param known how many of them the hashes cover that are remembered
 */
export function postFields(names: string[], posts: JsonObject[], known = 0): PostFields {
	addNames(names, posts);
	const seen = new Set(posts.flatMap((post) => Object.keys(post)));
	// A field that only posts of other locations have is still to be learned here.
	const count = Math.max(known, findLastIndex(names, (name) => seen.has(name)) + 1);
	const hash = (post: JsonObject, length: number) =>
		shortHash(
			names.slice(0, length).map((name) => valueIn(post, name)),
			VALUE_LENGTH,
		);
	return {
		count,
		hashOf: (post) => hash(post, count),
		changed(post, before) {
			const [own, covered = ''] = before.hash.split(COVERS);
			// A post that was missing while the others were learned has no hash.
			const isSame = own === '' || hash(post, parseInt(covered, 36) || known) === own;
			return isSame ? undefined : [];
		},
		ofMissing(one) {
			if (count === known || one.hash.includes(COVERS)) return one;
			return { ...one, hash: one.hash + COVERS + known.toString(36) };
		},
	};
}
