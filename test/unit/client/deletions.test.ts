import { change, create, madeBefore, type ServiceRequest } from '../../../nodes/LocalSeo/client';
import { createNew, postOf, serviceOfPosts, UNREAD } from '../../support/creation';

// IDs count up in each table of a database: the keyword 1 is not the post 1.

const post = postOf({ title: 'Summer offer', content: 'All of July' });
const keyword: ServiceRequest = {
	...{ method: 'POST', path: '/locations/{locationId}/keywords', ids: { locationId: 'loc_1' } },
	...{ query: {}, noun: 'keyword', body: { keyword: 'plumber leeds' } },
};
const deletion: ServiceRequest = {
	...{ method: 'DELETE', path: '/keywords/{keywordId}', ids: { keywordId: '1' } },
	...{ query: {}, noun: 'keyword' },
};
const matching = { fields: ['keyword'], isTerm: true };

/** Each list counts its IDs by itself. */
const serviceWithNumbers = () =>
	serviceOfPosts(undefined, { id: (_, __, records) => ({ id: records.length + 1 }) });

test('a deletion of the keyword 1 does not make the post 1 forgotten', async () => {
	const { connection, run, posts } = serviceWithNumbers();
	const made = await run(createNew(connection, post));
	await run(createNew(connection, keyword, { matching }));
	expect(made.id).toBe(1);
	await run(change(connection, deletion));
	expect(madeBefore(connection.account, post)).toEqual(made);
	const again = await run(create(connection, post, { ...UNREAD, unlessMade: true }));
	expect(again).toEqual({ record: made, isShown: false, wasMade: true });
	expect(posts).toHaveLength(1);
});

test('what was deleted is no longer made: the same content makes a new record', async () => {
	const { connection, run, service } = serviceWithNumbers();
	await run(createNew(connection, keyword, { matching }));
	await run(change(connection, deletion));
	expect(madeBefore(connection.account, keyword)).toBeUndefined();
	const how = { ...UNREAD, matching, unlessMade: true };
	expect(await run(create(connection, keyword, how))).toMatchObject({ wasMade: false });
	expect(service.list('keywords', 'loc_1')).toHaveLength(1);
});
