import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { ProcessMemory } from '../../nodes/LocalSeo/trigger/memory';
import { readState, writeState } from '../../nodes/LocalSeo/trigger/state';
import type { State } from '../../nodes/LocalSeo/trigger/remembered';
import { watching } from '../support/trigger';

const DAY = 24 * 3_600_000;
const clock = { time: 0, now: () => clock.time, sleep: async () => {} };
const lastState = { stamp: 'a', text: '{}' };

test('a second poll of a trigger is left out while the first is under way', async () => {
	const memory = new ProcessMemory(clock);
	let end = () => {};
	const first = memory.unlessPolling('trigger', async () => {
		await new Promise<void>((resolve) => (end = resolve));
		return 'first';
	});
	expect(await memory.unlessPolling('trigger', async () => 'second')).toBeNull();
	expect(await memory.unlessPolling('other', async () => 'other')).toBe('other');
	end();
	expect(await first).toBe('first');
	expect(await memory.unlessPolling('trigger', async () => 'third')).toBe('third');
});

test('a poll that fails does not hold up the next one', async () => {
	const memory = new ProcessMemory(clock);
	const failing = memory.unlessPolling('trigger', async () => {
		throw new Error('no');
	});
	await expect(failing).rejects.toThrow('no');
	expect(await memory.unlessPolling('trigger', async () => 'next')).toBe('next');
});

test('the state of quiet polls is there after a quarter of a year, and goes in the end', () => {
	const { lastStates } = new ProcessMemory(clock);
	lastStates.set('trigger', lastState, lastState.text.length);
	clock.time += 92 * DAY;
	expect(lastStates.get('trigger')).toEqual(lastState);
	clock.time += 101 * DAY;
	expect(lastStates.get('trigger')).toBeUndefined();
});

test('the states of many large triggers together stay within their bound', () => {
	const { lastStates } = new ProcessMemory(clock);
	const bytes = 2 * 1024 * 1024;
	for (let index = 0; index < 100; index++) lastStates.set(`${index}`, lastState, bytes);
	expect(lastStates.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
	expect(lastStates.get('99')).toEqual(lastState);
	expect(lastStates.get('0')).toBeUndefined();
});

describe('what n8n stores', () => {
	let triggers = 0;
	/** A trigger for which n8n has stored this. */
	function contextWith(state: unknown, activation = 'update'): IPollFunctions {
		const id = `stored ${triggers++}`;
		const data = { state } as IDataObject;
		return {
			getWorkflow: () => ({ id }),
			getNode: () => ({ id: 'node' }),
			getWorkflowStaticData: () => data,
			getActivationMode: () => activation,
		} as unknown as IPollFunctions;
	}
	const memory = new ProcessMemory(clock);
	const settings = watching(['rankScoreChanged', 'keywordAdded', 'postChanged']);
	const stored = {
		watch: '[["keywordAdded","postChanged","rankScoreChanged"],[],[]]',
		stamp: '1d0f2c9e',
		memo: {
			polls: 7,
			polledAt: 1_772_442_000_000,
			since: 1_772_438_400_000,
			newest: 1_772_441_000_000,
			fields: { names: ['name', 'phone'], late: ['phone'] },
			postFields: { names: ['title'], late: [] },
		},
		locations: {
			'1o328zp': [
				['Marlow', null],
				[47, null, null],
				'2026-03-02T08:00:00Z',
				2,
				1_772_438_400_999,
				'abcdefgh',
				[['1yhde62', '@own'], ['dentist', 'dentist near me'], []],
				{ post_1: ['A'] },
				0,
				3,
			],
			'@own': [[], [null, null, null], null, null, 0, '', null, null, 7, 0],
		},
	};

	test('is read in the form in which it is stored', () => {
		const state = readState(contextWith(stored), memory, settings);
		expect(state?.account).toEqual(stored.memo);
		expect([...state!.locations]).toEqual([
			[
				'loc_1o328zp',
				{
					fingerprints: ['Marlow', null],
					rankScores: { rankScoreChanged: 47 },
					lastScanAt: '2026-03-02T08:00:00Z',
					keywordsCount: 2,
					scansAfter: 1_772_438_400_999,
					knownScans: ['abcd', 'efgh'],
					unlistedKeywords: new Set(),
					keywords: new Map([
						['kw_1yhde62', 'dentist'],
						['own', 'dentist near me'],
					]),
					posts: new Map([['post_1', ['A']]]),
					checkedAt: 0,
					missing: 3,
				},
			],
			['own', expect.objectContaining({ rankScores: {}, keywords: undefined, checkedAt: 7 })],
		]);
	});

	test('is written in the same form', () => {
		const context = contextWith(stored);
		writeState(context, memory, settings, readState(context, memory, settings)!, false);
		const { state } = context.getWorkflowStaticData('node');
		expect(state).toEqual({ ...stored, stamp: expect.not.stringContaining(stored.stamp) });
	});

	test('is of no use where other things are watched by now', () => {
		expect(readState(contextWith(stored), memory, watching(['keywordAdded']))).toBeUndefined();
		expect(readState(contextWith(undefined), memory, settings)).toBeUndefined();
	});

	test.each([
		'',
		'.',
		'a\nb',
		'a\tb',
		'!a',
		'=a',
		'="\\',
		'@a',
		'kw_',
		'kw_!a',
		'kw_@a',
		'__proto__',
		'\ud800',
	])('a keyword with the ID %p comes back as it was', (id) => {
		const context = contextWith(undefined);
		const state = readState(contextWith(stored), memory, settings)!;
		const [[locationId, location]] = state.locations;
		const keywords = new Map([
			['kw_1', 'dentist'],
			[id, 'dentist near me'],
		]);
		for (const unlistedKeywords of [new Set<string>(), new Set([id])]) {
			const changed = { ...location, keywords, unlistedKeywords };
			const locations = new Map([[locationId, changed]]);
			writeState(context, memory, settings, { ...state, locations }, false);
			const data = context.getWorkflowStaticData('node');
			data.state = JSON.parse(JSON.stringify(data.state)) as IDataObject;
			expect(readState(context, memory, settings)?.locations.get(locationId)).toEqual(changed);
		}
	});

	describe('and what this process knows beside that', () => {
		const state = (polls: number): State => {
			const { account, locations } = readState(contextWith(stored), memory, settings)!;
			return { account: { ...account, polls }, locations };
		};
		const pollsOf = (context: IPollFunctions) =>
			readState(context, memory, settings)?.account.polls;
		/** n8n reads what it saved, for each poll. */
		const saveNow = (context: IPollFunctions) =>
			JSON.stringify(context.getWorkflowStaticData('node').state ?? null);
		const load = (context: IPollFunctions, text: string) => {
			context.getWorkflowStaticData('node').state = JSON.parse(text) ?? undefined;
		};

		test('quiet polls are known from the activation on', () => {
			const context = contextWith(undefined);
			writeState(context, memory, settings, state(1), true);
			const saved = saveNow(context);
			for (let polls = 2; polls < 5; polls++) {
				load(context, saved);
				expect(pollsOf(context)).toBe(polls - 1);
				writeState(context, memory, settings, state(polls), true);
			}
		});

		test('where another execution has saved over it, nothing is forgotten', () => {
			const context = contextWith(undefined);
			writeState(context, memory, settings, state(1), true);
			writeState(context, memory, settings, state(2), false);
			load(context, 'null');
			expect(pollsOf(context)).toBe(2);
		});

		test('unless this process takes over again from another one', () => {
			const context = contextWith(undefined, 'leadershipChange');
			writeState(context, memory, settings, state(1), true);
			load(context, 'null');
			expect(pollsOf(context)).toBeUndefined();
		});

		test('what a poll reported that n8n did not save is reported again', () => {
			const context = contextWith(undefined);
			writeState(context, memory, settings, state(1), true);
			const saved = saveNow(context);
			writeState(context, memory, settings, state(2), false);
			load(context, saved);
			expect(pollsOf(context)).toBe(1);
		});

		test('what another process has saved counts', () => {
			const context = contextWith(undefined);
			writeState(context, memory, settings, state(1), true);
			writeState(context, memory, settings, state(2), true);
			load(context, JSON.stringify({ ...stored, stamp: 'of another process' }));
			expect(pollsOf(context)).toBe(stored.memo.polls);
		});
	});
});
