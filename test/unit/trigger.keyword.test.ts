import { keywordSubject } from '../../nodes/LocalSeo/trigger/keyword';
import { compare, LOCATION, reported, timeAt, watching } from '../support/trigger';

const BOTH = watching(['keywordAdded', 'keywordRemoved']);
const known = (...ids: string[]) => ({
	keywords: new Map(ids.map((id) => [id, `text of ${id}`])),
	keywordsCount: ids.length,
});
const keywords = (...ids: string[]) => ids.map((id) => ({ id, keyword: `text of ${id}` }));
const counting = (keywords_count: unknown) => ({ ...LOCATION, keywords_count });

test('a keyword that was not listed before was added, one that is not listed any more was removed', () => {
	const lists = { location: counting(2), keywords: keywords('kw_2', 'kw_3') };
	const { events, memory } = compare(keywordSubject, known('kw_1', 'kw_2'), lists, BOTH);
	expect(reported(events)).toEqual([
		['keywordAdded', 'kw_3'],
		['keywordRemoved', 'kw_1'],
	]);
	expect(events[1].before).toEqual({
		id: 'kw_1',
		location_id: LOCATION.id,
		keyword: 'text of kw_1',
	});
	expect([...memory.keywords!.keys()]).toEqual(['kw_2', 'kw_3']);
});

test('a list that is shorter than the count of the location is ignored', () => {
	const before = known('kw_1', 'kw_2');
	const lists = { location: counting(2), keywords: keywords('kw_1') };
	const { events, memory } = compare(keywordSubject, before, lists, BOTH);
	expect(events).toEqual([]);
	expect(memory).toEqual(before);
});

test('unless the count has gone down, or there is none', () => {
	for (const count of [2, undefined]) {
		const lists = { location: counting(count), keywords: keywords('kw_1') };
		const { events } = compare(keywordSubject, known('kw_1', 'kw_2', 'kw_3'), lists, BOTH);
		expect(events).toHaveLength(2);
	}
});

test('before the first list, a keyword is new if it was created since the first poll', () => {
	const lists = {
		keywords: [
			{ id: 'kw_1', created_at: timeAt(-1) },
			{ id: 'kw_2', created_at: timeAt(1) },
			{ id: 'kw_3' },
		],
	};
	const { events } = compare(keywordSubject, { keywordsCount: 3 }, lists, BOTH);
	expect(reported(events)).toEqual([['keywordAdded', 'kw_2']]);
});

test('every keyword of an added location is new', () => {
	const memory = { keywordsCount: null, ...keywordSubject.learnEmpty() };
	const { events } = compare(keywordSubject, memory, { keywords: keywords('kw_1') }, BOTH);
	expect(reported(events)).toEqual([['keywordAdded', 'kw_1']]);
});

test('an event that is not selected is not reported, but remembered', () => {
	const lists = { keywords: keywords('kw_2') };
	const settings = watching(['keywordRemoved']);
	const { events, memory } = compare(keywordSubject, known('kw_1'), lists, settings);
	expect(reported(events)).toEqual([['keywordRemoved', 'kw_1']]);
	expect(compare(keywordSubject, memory, lists, BOTH).events).toEqual([]);
});

test('a removed keyword without a known text has its ID and location alone', () => {
	const memory = { keywords: new Map([['kw_1', '']]), keywordsCount: 1 };
	const { events } = compare(keywordSubject, memory, {}, BOTH);
	expect(events[0].record).toEqual({ id: 'kw_1', location_id: LOCATION.id });
});

test('keywords are listed if they never were, or if the count changed', () => {
	const { mayHaveChanged } = keywordSubject;
	expect(mayHaveChanged({ keywordsCount: 2 }, counting(2))).toBe(true);
	expect(mayHaveChanged(known('kw_1'), counting(2))).toBe(true);
	expect(mayHaveChanged(known('kw_1'), counting(1))).toBe(false);
});
