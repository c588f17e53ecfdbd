import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { keywordSubject } from '../../nodes/LocalSeo/trigger/keyword';
import { compareListing } from '../../nodes/LocalSeo/trigger/location';
import { postSubject } from '../../nodes/LocalSeo/trigger/post';
import { scanSubject } from '../../nodes/LocalSeo/trigger/scan';
import { ProcessMemory, type State } from '../../nodes/LocalSeo/trigger/state';
import {
	accountMemory,
	EVENTS,
	locationMemory,
	NOTHING,
	timeAt,
	watching,
} from '../support/trigger';

const DAY = 24 * 3_600_000;
const clock = { time: 0, now: () => clock.time, sleep: async () => {} };

let triggers = 0;
function contextOf(
	activation = 'update',
	id = `workflow ${triggers++}`,
	name = 'Watch',
): IPollFunctions {
	const data: IDataObject = {};
	return {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node', name }),
		getWorkflowStaticData: () => data,
		getActivationMode: () => activation,
	} as unknown as IPollFunctions;
}

test('a second poll of a trigger is left out while the first is under way', async () => {
	const memory = new ProcessMemory(clock);
	const [one, other] = [contextOf(), contextOf()];
	let end = () => {};
	const first = memory.unlessPolling(one, async () => {
		await new Promise<void>((resolve) => (end = resolve));
		throw new Error('failed');
	});
	expect(await memory.unlessPolling(one, async () => 'second')).toBeNull();
	expect(await memory.unlessPolling(other, async () => 'other')).toBe('other');
	end();
	await expect(first).rejects.toThrow('failed');
	expect(await memory.unlessPolling(one, async () => 'third')).toBe('third');
});

test('two triggers with the same node ID, as copies have it, poll side by side and remember apart', async () => {
	const memory = new ProcessMemory(clock);
	const [one, other] = ['Watch', 'Watch1'].map((name) => contextOf('update', 'one workflow', name));
	const both = memory.unlessPolling(one, async () => {
		return await memory.unlessPolling(other, async () => await Promise.resolve('polled'));
	});
	expect(await both).toBe('polled');
	memory.write(one, { account: accountMemory({ polls: 7 }), locations: new Map() }, true);
	expect(memory.read(other)).toBeUndefined();
	expect(memory.read(one)?.account.polls).toBe(7);
});

test('the state of quiet polls is there after a quarter of a year, and has a bound', () => {
	const { lastStates } = new ProcessMemory(clock);
	const state = { stamp: 'a', text: '' };
	lastStates.set('0', state, 6_000_000);
	clock.time += 92 * DAY;
	expect(lastStates.get('0')).toEqual(state);
	clock.time += 101 * DAY;
	expect(lastStates.get('0')).toBeUndefined();
	for (let index = 1; index < 100; index++) lastStates.set(`${index}`, state, 6_000_000);
	expect(lastStates.bytes).toBeLessThanOrEqual(64 * 1024 * 1024);
	expect(lastStates.get('99')).toEqual(state);
});

describe('what n8n stores, and what this process knows beside it', () => {
	const memory = new ProcessMemory(clock);
	const stateOf = (polls: number): State => ({
		account: accountMemory({ polls }),
		locations: new Map(
			['loc_1', '__proto__', '__dataChanged', '', 'a\nb'].map((id) => [
				id,
				locationMemory({
					fields: JSON.parse('{"name":"Marlow","__proto__":null}'),
					keywords: [{ id }, { id: 'kw_1', text: 'dentist', isMissing: true }],
					posts: [{ id, fields: { title: '#1d0f2c' } }],
					knownScans: ['abcdef'],
				}),
			]),
		),
	});
	const pollsOf = (context: IPollFunctions) => memory.read(context)?.account.polls;
	const write = (context: IPollFunctions, polls: number, isQuiet: boolean) =>
		memory.write(context, stateOf(polls), isQuiet);
	/** n8n reads what it saved, for each poll. */
	const saved = (context: IPollFunctions) =>
		JSON.stringify(context.getWorkflowStaticData('node').state ?? null);
	const load = (context: IPollFunctions, text: string) => {
		context.getWorkflowStaticData('node').state = JSON.parse(text) ?? undefined;
	};

	test('a state comes back as it was, whatever the IDs', () => {
		const context = contextOf();
		write(context, 7, false);
		load(context, saved(context));
		expect(new ProcessMemory(clock).read(context)).toEqual(stateOf(7));
	});

	test.each([
		['where another execution has saved over it, nothing is forgotten', 'update', 2],
		['unless this process takes over again from another one', 'leadershipChange', undefined],
	])('%s', (_, activation, polls) => {
		const context = contextOf(activation);
		write(context, 1, true);
		write(context, 2, false);
		load(context, 'null');
		expect(pollsOf(context)).toBe(polls);
	});

	test('what a poll reported that n8n did not save is reported again', () => {
		const context = contextOf();
		write(context, 1, true);
		const before = saved(context);
		write(context, 2, false);
		load(context, before);
		expect(pollsOf(context)).toBe(1);
	});
});

test('however long the texts of the service are, the state of 300 locations stays small', () => {
	const long = (text: string) => text.repeat(Math.ceil(20_000 / text.length));
	const settings = watching(EVENTS);
	const watch = { settings, account: accountMemory({ polls: 1 }) };
	const listed = Array.from({ length: 300 }, (_, index) => ({
		id: `${long('loc')}${index}`,
		[long('field')]: long('value'),
		last_scan_at: long('2026'),
	}));
	const { memories } = compareListing(new Map(), listed, watch);
	for (const [index, [id, memory]] of [...memories].entries()) {
		const records = [1, 2].map((nth) => ({
			id: `${long('id')}${nth}`,
			keyword: long('dentist '),
			[long('name')]: long('title'),
		}));
		const location = listed[index];
		const lists = { ...NOTHING, location, keywords: records, posts: records };
		const { memory: counted } = keywordSubject.compare(memory, lists, watch);
		const { memory: posted } = postSubject.compare(counted, lists, watch);
		memories.set(id, scanSubject.compare(posted, lists, watch).memory);
	}
	const context = contextOf();
	new ProcessMemory(clock).write(context, { account: watch.account, locations: memories }, true);
	const { length } = JSON.stringify(context.getWorkflowStaticData('node'));
	expect(length).toBeLessThan(500_000);
	// They are told apart all the same.
	expect(memories.size).toBe(300);
	expect(compareListing(memories, listed, watch).events).toEqual([]);
	const changed = [{ ...listed[0], last_scan_at: `${listed[0].last_scan_at} ` }];
	expect(compareListing(memories, changed, watch).events).toMatchObject([
		{ event: 'locationChanged', changed: ['last_scan_at'] },
	]);
});

test('the state of 5,000 locations with 20 keywords each stays under 8 MB', () => {
	const settings = watching(EVENTS.filter((event) => !event.startsWith('post')));
	const watch = { settings, account: accountMemory({ polls: 1 }) };
	const listed = Array.from({ length: 5_000 }, (_, index) => ({
		id: `loc_${(1e9 + index).toString(36)}`,
		name: 'Marlow Dental Care',
		address: '21 Station Road, Marlow, SL7 1NS',
		city: 'Marlow',
		country: 'GB',
		rank_score: 61,
		status: 'active',
		keywords_count: 20,
		last_scan_at: timeAt(0),
		created_at: timeAt(0),
	}));
	const { memories } = compareListing(new Map(), listed, watch);
	const keywords = listed.slice(0, 20).map(({ id }) => ({ id, keyword: 'emergency dentist' }));
	for (const [id, memory] of memories) {
		memories.set(id, keywordSubject.compare(memory, { ...NOTHING, keywords }, watch).memory);
	}
	const context = contextOf();
	new ProcessMemory(clock).write(context, { account: watch.account, locations: memories }, true);
	const { length } = JSON.stringify(context.getWorkflowStaticData('node'));
	expect(length).toBeGreaterThan(6_000_000);
	expect(length).toBeLessThan(8_000_000);
});
