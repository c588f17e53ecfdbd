import { createdAt, idOf } from '../client';
import { addedEvent, sampleOfChange } from './event';
import {
	differenceOf,
	type Fingerprint,
	fingerprintsOf,
	NO_FIELDS,
	withFieldsOf,
} from './fingerprints';
import type { EventType, Subject } from './subject';

/** What is remembered of the content posts of a location. */
export interface PostMemory {
	/** Fingerprints of their fields by ID; undefined while they have not been listed. */
	posts?: Map<string, Fingerprint[]>;
}

/** Prefix of the ID of a post that was missing from the last list: it may only be missing briefly. */
const UNLISTED = '!';

const postAdded: EventType = {
	name: 'postAdded',
	sample: ({ location, posts: [post] }) => post && addedEvent('postAdded', post, location),
};

const postChanged: EventType = {
	name: 'postChanged',
	sample: ({ location, posts: [post] }) => post && sampleOfChange('postChanged', post, location),
};

export const postSubject: Subject<PostMemory> = {
	events: [postAdded, postChanged],
	lists: ['posts'],
	learn: () => ({ posts: undefined }),
	learnEmpty: () => ({ posts: new Map() }),
	// A location does not show whether its posts changed.
	mayHaveChanged: () => true,

	compare(remembered, { location, posts: listed }, settings) {
		const account = {
			...remembered.account,
			postFields: withFieldsOf(remembered.account.postFields, listed),
		};
		const known = remembered.location.posts;
		const fields = settings.events.has(postChanged.name) ? account.postFields : NO_FIELDS;

		const events = listed.flatMap((record) => {
			const id = idOf(record) ?? '';
			const fingerprints = known?.get(id) ?? known?.get(UNLISTED + id);
			if (fingerprints) {
				const { changed, before } = differenceOf(record, fields, fingerprints);
				if (changed.length === 0) return [];
				return [{ event: postChanged.name, record, before, changed, location }];
			}
			// If the first poll ran out of time, nothing is known yet, so the date decides.
			const isNew = known !== undefined || (createdAt(record) ?? 0) > account.since;
			return isNew ? [addedEvent(postAdded.name, record, location)] : [];
		});

		const posts = new Map(
			listed.map((record) => [idOf(record) ?? '', fingerprintsOf(record, fields)]),
		);
		for (const [id, fingerprints] of known ?? []) {
			if (!id.startsWith(UNLISTED) && !posts.has(id)) posts.set(UNLISTED + id, fingerprints);
		}
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { posts } },
		};
	},
};
