import { type Soak, soakFlawsIn } from '../../bench/soakPage';
import type { Look } from '../../bench/soakProbe';

const ROUNDS = ['List', 'Insights', 'Rows', 'Slow rows', 'Stopped', 'Pickers', 'Changes'];

const look = (more: Partial<Look> = {}): Look => ({
	at: 0,
	heapUsed: 200e6,
	rss: 700e6,
	resources: { TCPServerWrap: 2, Timeout: 16 },
	socketsToService: 0,
	timers: 0,
	listeners: { exit: 1 },
	warnings: [],
	executions: { List: { success: 3 }, Trigger: { success: 1 }, Stopped: { canceled: 1 } },
	...more,
});

/** A soak as it should be. */
function soak(more: Partial<Soak> = {}): Soak {
	const statuses = [200, 429, 500, undefined];
	return {
		minutes: 3,
		tally: {
			rounds: Object.fromEntries(ROUNDS.map((kind) => [kind, 2])),
			rows: 80,
			failedRows: 0,
			unexpected: [],
		},
		requests: statuses.map((status) => ({ status })) as Soak['requests'],
		looks: [0, 1, 2, 3].map((minute) => look({ at: 60_000 * minute })),
		start: look(),
		end: look(),
		log: '',
		...more,
	};
}

test('a soak in which all went well has no flaw', () => {
	expect(soakFlawsIn(soak())).toEqual([]);
});

const warning = { name: 'MaxListenersExceededWarning', message: '', stack: 'Too many listeners' };
const leaking = [0, 1, 2, 3].map((at) => look({ at, heapUsed: 200e6 * (1 + at) }));

test.each<[string, Partial<Soak>, RegExp]>([
	['a connection', { end: look({ socketsToService: 1 }) }, /1 connections .* are left/],
	['a timer', { end: look({ timers: 3 }) }, /Timers are left: 0 → 3/],
	['a handle', { end: look({ resources: { PipeWrap: 1 } }) }, /PipeWrap \(0 → 1\)/],
	['a listener', { end: look({ listeners: { exit: 2 } }) }, /exit \(1 → 2\)/],
	['a warning', { end: look({ warnings: [warning] }) }, /Too many listeners/],
	['a warning in the log', { log: '(node:1) MaxListenersExceededWarning: 11' }, /Exceeded.*11/],
	['memory', { looks: leaking }, /The heap rises/],
	['no looks at the memory', { looks: [] }, /The heap rises/],
	['a failed execution', { end: look({ executions: { List: { error: 1 } } }) }, /1 executions/],
	['no faults', { requests: [] }, /There were no lost responses/],
])('%s is a flaw', (_, more, flaw) => {
	expect(soakFlawsIn(soak(more))).toContainEqual(expect.stringMatching(flaw));
});
