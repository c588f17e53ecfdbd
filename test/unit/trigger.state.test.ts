import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import {
	ProcessMemory,
	readState,
	type State,
	writeState,
} from '../../nodes/LocalSeo/trigger/state';
import { accountMemory, locationMemory } from '../support/trigger';

const DAY = 24 * 3_600_000;
const clock = { time: 0, now: () => clock.time, sleep: async () => {} };

let triggers = 0;
function contextOf(activation = 'update'): IPollFunctions {
	const id = `workflow ${triggers++}`;
	const data: IDataObject = {};
	return {
		getWorkflow: () => ({ id }),
		getNode: () => ({ id: 'node' }),
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
	const pollsOf = (context: IPollFunctions) => readState(context, memory)?.account.polls;
	const write = (context: IPollFunctions, polls: number, isQuiet: boolean) =>
		writeState(context, memory, stateOf(polls), isQuiet);
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
		expect(readState(context, new ProcessMemory(clock))).toEqual(stateOf(7));
	});

	test('quiet polls are known from the activation on', () => {
		const context = contextOf();
		write(context, 1, true);
		const atFirst = saved(context);
		for (let polls = 2; polls < 5; polls++) {
			load(context, atFirst);
			expect(pollsOf(context)).toBe(polls - 1);
			write(context, polls, true);
		}
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

	test('what another process has saved counts', () => {
		const context = contextOf();
		write(context, 1, true);
		const other = contextOf();
		write(other, 9, false);
		load(context, saved(other));
		expect(pollsOf(context)).toBe(9);
	});
});
