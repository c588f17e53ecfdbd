import { type KeywordMemory, keywordSubject } from '../../nodes/LocalSeo/trigger/keyword';
import { compare, LOCATION, reported, timeAt, watching } from '../support/trigger';

const BOTH = watching(['keywordAdded', 'keywordRemoved']);
const known = (...ids: string[]): KeywordMemory => ({
	unlistedKeywords: new Set(),
	keywords: new Map(ids.map((id) => [id, `text of ${id}`])),
	keywordsCount: ids.length,
});
const NEVER_LISTED = { unlistedKeywords: new Set<string>(), keywordsCount: 3 };
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

test('a list that is shorter than the count of the location removes nothing at once', () => {
	const before = known('kw_1', 'kw_2');
	const lists = { location: counting(2), keywords: keywords('kw_1') };
	const { events, memory } = compare(keywordSubject, before, lists, BOTH);
	expect(events).toEqual([]);
	const complete = { location: counting(2), keywords: keywords('kw_1', 'kw_2') };
	const after = compare(keywordSubject, memory, complete, BOTH);
	expect(after.events).toEqual([]);
	expect(after.memory).toEqual(before);
});

test.each([3, 2, undefined])(
	'where the count (%p) does not confirm a removal, the second list decides',
	(count) => {
		const lists = { location: counting(count), keywords: keywords('kw_1', 'kw_4').slice(0, 1) };
		const first = compare(keywordSubject, known('kw_1', 'kw_2', 'kw_3'), lists, BOTH);
		expect(first.events).toEqual([]);
		expect(keywordSubject.mayHaveChanged(first.memory, lists.location)).toBe(true);
		const second = compare(keywordSubject, first.memory, lists, BOTH);
		expect(reported(second.events)).toEqual([
			['keywordRemoved', 'kw_2'],
			['keywordRemoved', 'kw_3'],
		]);
		expect(keywordSubject.mayHaveChanged(second.memory, lists.location)).toBe(false);
	},
);

test('a removal that nothing confirms does not hold back keywords that were added', () => {
	const lists = { location: counting(9), keywords: keywords('kw_1', 'kw_3') };
	const { events } = compare(keywordSubject, known('kw_1', 'kw_2'), lists, BOTH);
	expect(reported(events)).toEqual([['keywordAdded', 'kw_3']]);
});

test('before the first list, a keyword is new if it was created since the first poll', () => {
	const lists = {
		keywords: [
			{ id: 'kw_1', created_at: timeAt(-1) },
			{ id: 'kw_2', created_at: timeAt(1) },
			{ id: 'kw_3' },
		],
	};
	const { events } = compare(keywordSubject, NEVER_LISTED, lists, BOTH);
	expect(reported(events)).toEqual([['keywordAdded', 'kw_2']]);
});

test('every keyword of an added location is new', () => {
	const memory = { ...NEVER_LISTED, ...keywordSubject.learnEmpty() };
	const { events } = compare(keywordSubject, memory, { keywords: keywords('kw_1') }, BOTH);
	expect(reported(events)).toEqual([['keywordAdded', 'kw_1']]);
});

test('an event that is not selected is not reported, but remembered', () => {
	const lists = { location: counting(1), keywords: keywords('kw_2') };
	const settings = watching(['keywordRemoved']);
	const { events, memory } = compare(keywordSubject, known('kw_1'), lists, settings);
	expect(reported(events)).toEqual([['keywordRemoved', 'kw_1']]);
	expect(compare(keywordSubject, memory, lists, BOTH).events).toEqual([]);
});

test('a removed keyword without a known text has its ID and location alone', () => {
	const memory = { ...known('kw_1'), keywords: new Map([['kw_1', '']]) };
	const { events } = compare(keywordSubject, memory, { location: counting(0) }, BOTH);
	expect(events[0].record).toEqual({ id: 'kw_1', location_id: LOCATION.id });
});

test('keywords are listed if they never were, or if the count changed', () => {
	const { mayHaveChanged } = keywordSubject;
	expect(mayHaveChanged(NEVER_LISTED, counting(3))).toBe(true);
	expect(mayHaveChanged(known('kw_1'), counting(2))).toBe(true);
	expect(mayHaveChanged(known('kw_1'), counting(1))).toBe(false);
});
