import { addedEvent, sampleOfChange } from './event';
import {
	differenceOf,
	type Fingerprint,
	fingerprintsOf,
	NO_FIELDS,
	withFieldsOf,
} from './fingerprints';
import { type Identified, keyOf } from './identified';
import { type EventType, isCreatedSince, type ListSubject } from './subject';

/** What is remembered of the content posts of a location. */
export interface PostMemory {
	/** Fingerprints of their fields by name (see `nameOf`); undefined while they have not been listed. */
	posts?: Map<string, Fingerprint[]>;
}

/** Prefix of the name of a post that was missing from the last list: it may only be missing briefly. */
const UNLISTED = '!';

const postAdded: EventType = {
	name: 'postAdded',
	sample: ({ location, posts: [post] }) => post && addedEvent('postAdded', post, location),
};

const postChanged: EventType = {
	name: 'postChanged',
	sample: ({ location, posts: [post] }) => post && sampleOfChange('postChanged', post, location),
};

/** The ID of a post, set apart from the prefix above, and from what n8n itself stores: `__dataChanged`. */
function nameOf(post: Identified): string {
	const id = keyOf(post);
	return /^([!=]|__)/.test(id) ? `=${id}` : id;
}

export const postSubject: ListSubject<PostMemory> = {
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

		// A location does not lose all its posts at once: an empty list says nothing.
		if (listed.length === 0 && known) return { events: [], remembered };

		const events = listed.flatMap((record) => {
			const name = nameOf(record);
			const fingerprints = known?.get(name) ?? known?.get(UNLISTED + name);
			if (fingerprints) {
				const { changed, before } = differenceOf(record, fields, fingerprints);
				if (changed.length === 0) return [];
				return [{ event: postChanged.name, record, before, changed, location }];
			}
			// If the first poll ran out of time, nothing is known yet, so the date decides.
			const isNew = known !== undefined || isCreatedSince(record, account);
			return isNew ? [addedEvent(postAdded.name, record, location)] : [];
		});

		const posts = new Map(listed.map((record) => [nameOf(record), fingerprintsOf(record, fields)]));
		for (const [name, fingerprints] of known ?? []) {
			if (!name.startsWith(UNLISTED) && !posts.has(name)) posts.set(UNLISTED + name, fingerprints);
		}
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			remembered: { account, location: { posts } },
		};
	},
};
