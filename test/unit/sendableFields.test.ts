import { isSetByUser } from '../../nodes/LocalSeo/resources';

test.each([
	['title', true],
	['publish_at', true],
	['publishAt', true],
	['event_starts_at', true],
	['created_at', false],
	['updatedAt', false],
	['id', false],
	['locationId', false],
	['review_count', false],
	['viewCount', false],
	['format', true],
])('%s is set by the user: %p', (name, isUsers) => {
	expect(isSetByUser(name)).toBe(isUsers);
});
