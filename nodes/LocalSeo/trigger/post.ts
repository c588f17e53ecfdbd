import { addedFields, memoryKey, rememberedFields } from './records';
import {
	addedEvent,
	changedEvents,
	compareIds,
	type EventType,
	type KnownRecord,
	type ListSubject,
} from './subject';

const postAdded: EventType = {
	name: 'postAdded',
	label: 'Content Post Added',
	description: 'A content post was added to a location',
	records: 'content posts',
	sample: ({ location, posts: [post] }) => post && addedEvent('postAdded', post, location),
};

const postChanged: EventType = {
	name: 'postChanged',
	label: 'Content Post Changed',
	description: 'A field of a content post changed, e.g. its status when it is published',
	records: 'content posts',
	sample: ({ location, posts: [post] }) =>
		post && changedEvents('postChanged', post, location, [rememberedFields(post), {}])[0],
};

export const postSubject: ListSubject = {
	events: [postAdded, postChanged],
	lists: ['posts'],
	// A location does not show whether its posts changed.
	mayHaveChanged: () => true,

	compare(memory, { location, posts: listed }, { settings, account }) {
		const { posts } = memory;
		// A location does not lose all its posts at once, so an empty list is ignored.
		if (listed.length === 0 && posts) return { events: [], memory };

		const { added, missing } = compareIds(posts, listed, account);
		const isChangeWatched = settings.events.has(postChanged.name);
		const now = listed.map((record): KnownRecord => {
			const fields = isChangeWatched ? rememberedFields(record) : undefined;
			return { id: memoryKey(record), fields };
		});
		const earlier = new Map((posts ?? []).map(({ id, fields }) => [id, fields] as const));
		const addedToAll = addedFields([...earlier.values()], listed);
		const changes = listed.flatMap((record, index) => {
			const { id, fields } = now[index];
			const before = earlier.get(id);
			if (!before || !fields) return [];
			return changedEvents(postChanged.name, record, location, [before, fields], addedToAll);
		});
		const additions = added.map((record) => addedEvent(postAdded.name, record, location));
		return {
			events: [...additions, ...changes].filter(({ event }) => settings.events.has(event)),
			memory: { ...memory, posts: [...now, ...missing] },
		};
	},
};
