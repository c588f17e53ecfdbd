import { instantOfNumber, type JsonObject, timeOf } from '../client';
import { addedFields, type KnownFields, memoryKey, rememberedFields } from './records';
import { sampleChange } from './sampleChange';
import {
	addedEvent,
	changedEvents,
	CLOCK_ERROR,
	compareIds,
	type EventType,
	type KnownRecord,
	type ListSubject,
} from './subject';

/** The statuses of a published post, and the fields that show them; an assumption (docs/assumptions.md). */
const PUBLISHED = /^\s*(published|live|posted)\s*$/i;
/** A status that denies it, whatever date beside it was planned. */
const UNPUBLISHED =
	/^\s*(draft|scheduled|planned|future|pending|queued|processing|publishing|failed|error|rejected|unpublished)\s*$/i;
const PUBLICATION_FIELDS = ['status', 'published_at'];

/** @param now by the service's clock (ms); absent: a date counts even if it is still to come */
export function isPublished(
	{ status, published_at: at }: JsonObject,
	now = Number.POSITIVE_INFINITY,
): boolean {
	if (typeof status === 'string' && PUBLISHED.test(status)) return true;
	if (typeof status === 'string' && UNPUBLISHED.test(status)) return false;
	// A text may be MySQL's zero date, which stands for none. Other numbers may count from any day.
	const time = typeof at === 'number' && at > 0 ? (instantOfNumber(at) ?? 0) : timeOf(at);
	return time !== undefined && time <= now + CLOCK_ERROR;
}

const NO_PUBLICATION =
	"Content posts have neither 'status' nor 'published_at', so Content Post Published can't be recognized";

/** True if Content Post Published can't happen to any of the posts. */
export function lackPublication(posts: JsonObject[]): boolean {
	const shows = (post: JsonObject) => PUBLICATION_FIELDS.some((name) => Object.hasOwn(post, name));
	return posts.length > 0 && !posts.some(shows);
}

function publicationOf(fields: KnownFields): KnownFields {
	const known = PUBLICATION_FIELDS.filter((name) => Object.hasOwn(fields, name));
	return Object.fromEntries(known.map((name) => [name, fields[name]]));
}

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
	description: 'Any field of a content post changed',
	records: 'content posts',
	sample: ({ location, posts: [post] }) =>
		post && sampleChange('postChanged', post, location, ['status', 'title']),
};

const postPublished: EventType = {
	name: 'postPublished',
	label: 'Content Post Published',
	description:
		'A content post went live: its status became published, live or posted, or published_at was filled in',
	records: 'content posts',
	sample: ({ location, posts }) => {
		const published = posts.find((post) => isPublished(post));
		const [post] = published ? [published] : posts;
		if (!post) return undefined;
		const record = published ?? { ...post, status: 'published' };
		return sampleChange('postPublished', record, location, PUBLICATION_FIELDS);
	},
	lacks: ({ posts }) => (lackPublication(posts) ? NO_PUBLICATION : undefined),
};

export const postSubject: ListSubject = {
	events: [postAdded, postChanged, postPublished],
	lists: ['posts'],
	// A location does not show whether its posts changed.
	mayHaveChanged: () => true,

	compare(memory, { location, posts: listed }, { settings, account }) {
		const { posts } = memory;
		// A location does not lose all its posts at once, so an empty list is ignored.
		if (listed.length === 0 && posts) return { events: [], memory };

		const { added, missing } = compareIds(posts, listed, account);
		const isChangeWatched = settings.events.has(postChanged.name);
		const isPublicationWatched = settings.events.has(postPublished.name);
		const wanted = isChangeWatched ? [] : PUBLICATION_FIELDS;
		const isWatched = isChangeWatched || isPublicationWatched;
		const now = listed.map(
			(record): KnownRecord => ({
				id: memoryKey(record),
				fields: isWatched ? rememberedFields(record, wanted) : undefined,
				isPublished: isPublicationWatched ? isPublished(record, account.polledAt) : undefined,
			}),
		);
		const earlier = new Map((posts ?? []).map((post) => [post.id, post] as const));
		const addedToAll = addedFields(
			[...earlier.values()].map(({ fields }) => fields),
			listed,
		);
		const isNewField = addedToAll.includes('published_at');
		const changes = listed.flatMap((record, index) => {
			const { id, fields, isPublished: isLive } = now[index];
			const { fields: before, isPublished: wasLive } = earlier.get(id) ?? {};
			if (!before || !fields) return [];
			const changesOf = (event: string, both: [KnownFields, KnownFields]) =>
				changedEvents(event, record, location, both, addedToAll);
			const publicationFields: [KnownFields, KnownFields] = [
				publicationOf(before),
				publicationOf(fields),
			];
			const [publication] = changesOf(postPublished.name, publicationFields);
			// A field that the service has just added to all its posts says nothing of this one.
			const hasGoneLive = wasLive === false && isLive && (publication || !isNewField);
			return [
				...(isChangeWatched ? changesOf(postChanged.name, [before, fields]) : []),
				...(hasGoneLive ? [publication ?? addedEvent(postPublished.name, record, location)] : []),
			];
		});
		const additions = added.flatMap((record) => [
			addedEvent(postAdded.name, record, location),
			...(isPublished(record, account.polledAt)
				? [addedEvent(postPublished.name, record, location)]
				: []),
		]);
		return {
			events: [...additions, ...changes].filter(({ event }) => settings.events.has(event)),
			memory: { ...memory, posts: [...now, ...missing] },
		};
	},
};
