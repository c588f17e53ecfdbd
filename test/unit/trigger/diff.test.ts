import mapValues from 'lodash/mapValues';
import pickBy from 'lodash/pickBy';

import type { JsonObject } from '../../../nodes/LocalSeo/client';
import {
	diff,
	type Difference,
	type KnownList,
	type Watch,
} from '../../../nodes/LocalSeo/trigger/diff';

const ALL: Watch = { fields: [] };

/** What each reading of a list comes to: its changes, as IDs with what is said of them. */
function changesOf(watch: Watch, ...lists: JsonObject[][]) {
	let known: KnownList | undefined;
	return lists.map((records) => {
		// As n8n stores it.
		const earlier = known && (JSON.parse(JSON.stringify(known)) as KnownList);
		const { found, list }: Difference = diff(earlier, records, watch);
		known = list;
		const texts = mapValues(found, (all) =>
			all.map(({ record, changed = [], change }) => {
				return [record.id, ...changed, ...(change === undefined ? [] : [change])].join(' ');
			}),
		);
		return pickBy(texts, (all) => all.length > 0);
	});
}

const ids = (...all: string[]) => all.map((id) => ({ id }));

test('records that are new, and those that are no longer there; the first reading learns', () => {
	const lists = [ids('a', 'b'), ids('b', 'c'), ids('a', 'c')];
	expect(changesOf({ keeps: ['id'] }, ...lists)).toEqual([
		{},
		{ added: ['c'], removed: ['a'] },
		{ added: ['a'], removed: ['b'] },
	]);
});

test('an empty list counts the second time in a row', () => {
	const lists = [ids('a'), [], ids('a'), [], [], ids('b')];
	const reported = [{}, {}, {}, {}, { removed: ['a'] }, { added: ['b'] }];
	expect(changesOf({ keeps: ['id'] }, ...lists)).toEqual(reported);
});

test('a removed record is reported with what is kept of it', () => {
	const { list } = diff(undefined, [{ id: 7, keyword: 'dentist', city: 'York' }, { id: 8 }], {
		keeps: ['id', 'keyword'],
	});
	const { found } = diff(list, [{ id: 8 }], {});
	expect(found.removed).toEqual([{ record: { id: 7, keyword: 'dentist' } }]);
});

test.each<[string, JsonObject, JsonObject, string[]]>([
	['another value', { title: 'x' }, { title: 'y' }, ['title']],
	['none any more', { title: 'x' }, {}, ['title']],
	['null for a field that was not there', {}, { title: null }, []],
	['what the service sets', { last_scan_at: 1, keywords_count: 1 }, { last_scan_at: 2 }, []],
	['a name that objects inherit', { constructor: 'x' }, { constructor: 'y' }, ['constructor']],
])('fields that changed: %s', (_, was, is, changed) => {
	// The other record has all fields, so that none is new to the list.
	const other = { id: 'b', title: 'x', tags: [], constructor: 'x' };
	const lists = [was, is].map((fields) => [{ id: 'a', ...fields }, other]);
	const reported = changed.length > 0 ? { changed: [`a ${changed.join(' ')}`] } : {};
	expect(changesOf(ALL, ...lists)).toEqual([{}, reported]);
});

test('a field that no record of the list had before is learned, and watched from then on', () => {
	const lists = [{}, { image: 'x' }, { image: 'y' }].map((more) => [{ id: 'a', ...more }]);
	expect(changesOf(ALL, ...lists)).toEqual([{}, {}, { changed: ['a image'] }]);
	expect(changesOf({ fields: ['image'] }, ...lists)).toEqual([
		...[{}, { changed: ['a image'] }, { changed: ['a image'] }],
	]);
});

test('a status that becomes the one that means published, also of a new record', () => {
	const lists = [
		[{ id: 'a', status: 'scheduled' }],
		[
			{ id: 'a', status: 'live' },
			{ id: 'b', status: 'live' },
		],
		// A status that is not shown says nothing.
		[{ id: 'a', status: 'scheduled' }, { id: 'b' }],
		[
			{ id: 'a', status: 'live' },
			{ id: 'b', status: 'live' },
		],
	];
	const became = changesOf({ publishedStatus: 'live' }, ...lists).map((all) => all.became);
	expect(became).toEqual([undefined, ['a', 'b'], undefined, ['a']]);
});

test.each<[string, unknown[], up: unknown[], down: unknown[], moved: unknown[]]>([
	['small steps add up', [50, 52, 54, 56], [6], [], [6]],
	['a drop counts from the highest score', [50, 58, 54, 52], [8], [-6], [8, -6]],
	['a rise counts from the lowest', [50, 42, 44, 47], [5], [-8], [-8, 5]],
	['what is none is left out', [50, null, 'n/a', undefined, 55], [5], [], [5]],
])('scores: %s', (_, scores, up, down, moved) => {
	const lists = scores.map((rank_score) => [{ id: 'a', rank_score }]);
	const watch: Watch = { scores: { directions: ['up', 'down', 'moved'], minimumChange: 5 } };
	const changes = changesOf(watch, ...lists);
	const told = (['up', 'down', 'moved'] as const).map((direction) =>
		changes.flatMap((one) => one[direction] ?? []).map((text) => Number(text.split(' ').at(-1))),
	);
	expect(told).toEqual([up, down, moved]);
});
