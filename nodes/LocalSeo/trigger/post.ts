import { createdAt } from '../client';
import { addedFields, differenceOf, fingerprintsOf, keyOf } from './records';
import {
	addedEvent,
	type EventType,
	isNewAtFirst,
	type KnownPost,
	type ListSubject,
	sampleOfChange,
} from './subject';

const postAdded: EventType = {
	name: 'postAdded',
	label: 'Content Post Added',
	description: 'A content post was added to a location',
	sample: ({ location, posts: [post] }) => post && addedEvent('postAdded', post, location),
};

const postChanged: EventType = {
	name: 'postChanged',
	label: 'Content Post Changed',
	description: 'A field of a content post changed, e.g. its status when it is published',
	sample: ({ location, posts: [post] }) => post && sampleOfChange('postChanged', post, location),
};

export const postSubject: ListSubject = {
	events: [postAdded, postChanged],
	lists: ['posts'],
	// A location does not show whether its posts changed.
	mayHaveChanged: () => true,

	compare(memory, { location, posts: listed }, { settings, account }) {
		// A location does not lose all its posts at once: an empty list says nothing.
		if (listed.length === 0 && memory.posts) return { events: [], memory };

		const earlier = memory.posts && new Map(memory.posts.map((post) => [post.id, post]));
		const isChangeWatched = settings.events.has(postChanged.name);
		const now = listed.map(
			(record): KnownPost => ({
				id: keyOf(record),
				fields: isChangeWatched ? fingerprintsOf(record) : undefined,
			}),
		);
		const fieldsOf = (posts: KnownPost[] = []) => posts.map(({ fields = {} }) => fields);
		const added = addedFields(fieldsOf(memory.posts), fieldsOf(now));

		const events = listed.flatMap((record, index) => {
			const known = earlier?.get(now[index].id);
			if (known) {
				const difference = differenceOf(known.fields ?? {}, now[index].fields ?? {}, added);
				if (difference.changed.length === 0) return [];
				return [{ event: postChanged.name, record, ...difference, location }];
			}
			const isNew = earlier !== undefined || isNewAtFirst(createdAt(record), account);
			return isNew ? [addedEvent(postAdded.name, record, location)] : [];
		});

		// One that is missing once may be there again in the next list.
		const listedIds = new Set(now.map(({ id }) => id));
		const missing = (memory.posts ?? [])
			.filter(({ id, isMissing }) => !isMissing && !listedIds.has(id))
			.map((post) => ({ ...post, isMissing: true }));
		return {
			events: events.filter(({ event }) => settings.events.has(event)),
			memory: { ...memory, posts: [...now, ...missing] },
		};
	},
};
