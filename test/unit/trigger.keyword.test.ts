import { keywordSubject } from '../../nodes/LocalSeo/trigger/keyword';
import { compare, LOCATION, locationMemory, reported, timeAt, watching } from '../support/trigger';

const BOTH = watching(['keywordAdded', 'keywordRemoved']);
const keywords = (...ids: string[]) => ids.map((id) => ({ id, keyword: `text of ${id}` }));
const known = (...ids: string[]) =>
	locationMemory({
		keywords: ids.map((id) => ({ id, text: `text of ${id}` })),
		keywordsCount: ids.length,
	});
const counting = (keywords_count: unknown) => ({ ...LOCATION, keywords_count });

test('one that was not listed before was added, one that is not listed any more was removed', () => {
	const lists = { location: counting(2), keywords: keywords('kw_2', 'kw_3') };
	const { events, memory } = compare(keywordSubject, known('kw_1', 'kw_2'), lists, BOTH);
	expect(reported(events)).toEqual([
		['keywordAdded', 'kw_3'],
		['keywordRemoved', 'kw_1'],
	]);
	const record = { id: 'kw_1', location_id: LOCATION.id, keyword: 'text of kw_1' };
	expect(events[1]).toMatchObject({ record, before: record });
	expect(memory).toEqual(known('kw_2', 'kw_3'));
});

test.each([3, 2, undefined])(
	'where the count (%p) does not confirm a removal, the second list decides; additions do not wait',
	(count) => {
		const lists = { location: counting(count), keywords: keywords('kw_4') };
		const first = compare(keywordSubject, known('kw_1', 'kw_2'), lists, BOTH);
		expect(reported(first.events)).toEqual([['keywordAdded', 'kw_4']]);
		expect(keywordSubject.mayHaveChanged(first.memory, lists.location)).toBe(true);
		// One that is there again was only missing.
		const again = { ...lists, keywords: keywords('kw_1', 'kw_2', 'kw_4') };
		expect(compare(keywordSubject, first.memory, again, BOTH).events).toEqual([]);
		const second = compare(keywordSubject, first.memory, lists, BOTH);
		expect(reported(second.events)).toEqual([
			['keywordRemoved', 'kw_1'],
			['keywordRemoved', 'kw_2'],
		]);
		expect(keywordSubject.mayHaveChanged(second.memory, lists.location)).toBe(false);
	},
);

test.each([
	['before the first list, one that was created since the first poll', undefined, ['kw_2']],
	['at an added location, every one', [], ['kw_1', 'kw_2', 'kw_3', 'kw_4']],
])('%s is new', (_, earlier, expected) => {
	const listed = [
		{ id: 'kw_1', created_at: timeAt(-1) },
		{ id: 'kw_2', created_at: timeAt(1) },
		{ id: 'kw_3' },
		{ id: 'kw_4', created_at: '3026-01-01T00:00:00Z' },
	];
	const memory = locationMemory({ keywords: earlier });
	const { events } = compare(keywordSubject, memory, { keywords: listed }, BOTH);
	expect(reported(events)).toEqual(expected.map((id) => ['keywordAdded', id]));
});

test.each(['2', ' 2 '])('a count is a number, also as text: %j', (count) => {
	const lists = { location: counting(count), keywords: keywords('kw_2', 'kw_3') };
	const { memory } = compare(keywordSubject, known('kw_1', 'kw_2'), lists, BOTH);
	expect(memory).toEqual(known('kw_2', 'kw_3'));
});

test('of a long text, the beginning is remembered', () => {
	const text = `${'best dentist '.repeat(4)}in town 👩‍⚕️👩‍⚕️👩‍⚕️`;
	const { memory } = compare(
		keywordSubject,
		known(),
		{ keywords: [{ id: 'kw_1', keyword: text }] },
		BOTH,
	);
	expect(memory.keywords).toEqual([{ id: 'kw_1', text: expect.stringMatching(/^best .{50,}…$/) }]);
	expect(memory.keywords![0].text).toHaveLength(64);
});

test('a removed keyword without a known text has its ID and location alone', () => {
	const memory = locationMemory({ keywords: [{ id: 'kw_1' }] });
	const { events } = compare(keywordSubject, memory, { location: counting(0) }, BOTH);
	expect(events[0].record).toEqual({ id: 'kw_1', location_id: LOCATION.id });
});
