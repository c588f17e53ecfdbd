import { setMaxListeners } from 'node:events';

import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { ObservableObject } from 'n8n-workflow';

import { Account, DEFAULT_PAGING } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import { poll } from '../../../../nodes/LocalSeo/trigger/poll';
import { ProcessMemory } from '../../../../nodes/LocalSeo/trigger/state';
import { seededRandom } from '../../../support/random';
import { VirtualClock } from '../../../support/virtualClock';
import type { Simulation } from '../simulation';
import { type Life, type Step, type World, worlds } from './dimensions';
import { Judge } from './judge';
import type { Memory } from './memory';
import { Service } from './service';

// The simulated clock waits with the poll's own signal, in all requests at once.
setMaxListeners(100);

/** Enough polls for the turn of each location, and for a second list without what is gone. */
const LAST_POLLS = 16;
/** The longest poll: 90% of 45 s, and a second for requests to end. */
const LONGEST_POLL = 41_600;
const CALM: Step = { pause: 600_000, life: 'none', changes: [], outcomes: [] };

export const simulation: Simulation<World> = { worlds, play };

async function play(world: World) {
	const n8n = new N8n(world);
	const { judge, service } = n8n;
	for (const step of world.steps) await n8n.step(step);
	// A service that calms down is quick, and nothing happens any more.
	service.latency = Math.min(20, world.latency);
	// By then, the times of scans are over for every clock.
	await n8n.step({ ...CALM, pause: 2 * 3_600_000 });
	let hasWorked = false;
	for (let polls = 0; polls < LAST_POLLS; polls++) hasWorked = (await n8n.step(CALM)) || hasWorked;
	if (hasWorked) judge.finish();
	else if (!service.isTroubled) judge.flaw('The trigger is stuck');
	return judge;
}

interface Process {
	memory: ProcessMemory;
	account: Account;
	/** When another process took over: what this one knew, and how often n8n had saved until then. */
	left?: { memory?: Memory; saves: number };
}

/** The workflow with the trigger in n8n: when it polls, and what n8n keeps of its state. */
class N8n {
	private readonly clock = new VirtualClock();
	readonly service: Service;
	readonly judge: Judge;
	private process = this.newProcess();
	private otherProcess?: Process;
	private readonly parameters: IDataObject;
	private database = '{}';
	private saves = 0;
	private staticData!: IDataObject;
	private context!: IPollFunctions;
	/** n8n saves after the poll of an activation, whatever it found. */
	private isActivating = true;
	/** True while somebody activates the workflow, who reads what is said. */
	private isAttended = true;
	private startedAt = this.clock.now();
	private polls = 0;

	constructor(private readonly world: World) {
		const { events, minimumChange, fieldsToWatch, picked } = world;
		this.service = new Service(world, this.clock);
		this.judge = new Judge(world, this.service);
		this.parameters = {
			events,
			locationIds: this.service
				.list('locations')
				.slice(0, picked)
				.map(({ id }) => id),
			options: { minimumChange, fieldsToWatch },
		};
		this.activate('activate');
	}

	/** @returns whether the poll worked */
	async step({ pause, life, changes, outcomes }: Step): Promise<boolean> {
		const { clock, judge, service, world } = this;
		const nextAt = Math.max(clock.now(), this.startedAt + pause);
		for (const { at, what, pick } of changes.toSorted((a, b) => a.at - b.at)) {
			if (at < 0) await clock.pass(nextAt + at - clock.now());
			else void clock.sleep(nextAt + at - clock.now()).then(() => service.apply(what, pick));
			if (at < 0) service.apply(what, pick);
		}
		await clock.pass(nextAt - clock.now());
		// An event that was left out is chosen again soon, so that it has to learn.
		const isLess = judge.chosen.length < world.events.length;
		this.live(isLess && life === 'none' ? 'event-changed' : life);
		service.isTroubled = world.trouble !== 'none' && this.polls < world.troubledPolls;
		service.beginPoll(outcomes);
		return await this.poll();
	}

	private live(life: Life): void {
		const { judge, process } = this;
		if (life.startsWith('overwritten')) this.save('{}', undefined);
		if (life === 'killed') {
			this.process = this.newProcess();
			judge.memory = judge.saved;
			this.activate('init');
		} else if (life.endsWith('elsewhere')) {
			process.left = { memory: judge.memory, saves: this.saves };
			this.process = this.otherProcess ?? this.newProcess();
			this.otherProcess = process;
			// As long as n8n has saved nothing since, a process goes on with what it knows.
			const { left } = this.process;
			judge.memory = left?.saves === this.saves ? left.memory : judge.saved;
			this.activate('leadershipChange');
		} else if (life === 'event-changed') {
			const all = this.world.events;
			const others = all.filter((_, index) => index !== this.polls % all.length);
			// One less, then all again: what happened meanwhile must not be told.
			judge.chosen = judge.chosen.length < all.length || others.length === 0 ? all : others;
			this.parameters.events = judge.chosen;
			this.isAttended = true;
			this.activate('update');
		}
	}

	private newProcess(): Process {
		const { clock } = this;
		return { memory: new ProcessMemory(), account: new Account(clock, seededRandom(7)) };
	}

	private activate(mode: WorkflowActivateMode): void {
		this.isActivating = true;
		this.context = this.contextFor(mode);
		this.load();
	}

	private load(): void {
		const parsed = JSON.parse(this.database) as IDataObject;
		this.staticData = ObservableObject.create(parsed) as IDataObject;
		// Where n8n has lost the state, only a process goes on that knows it, and knows that nobody else went on.
		const isTakeover = this.context.getActivationMode?.() === 'leadershipChange';
		const knowsNothing = isTakeover || this.process.memory.lastStates.size === 0;
		if (this.database === '{}' && knowsNothing) this.judge.memory = undefined;
	}

	private save(state: string, memory: Memory | undefined): void {
		this.database = state;
		this.saves++;
		this.judge.saved = memory;
	}

	private contextFor(mode: WorkflowActivateMode): IPollFunctions {
		const parameters = structuredClone(this.parameters);
		return {
			getNode: () => ({ id: 'node', name: 'Watch', type: 'localSeoTrigger', parameters }),
			getWorkflow: () => ({ id: 'workflow' }),
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string) => parameters[name],
			getWorkflowStaticData: () => this.staticData,
			getPollBudgetMs: () => this.world.budget,
			logger: { warn: () => {} },
		} as unknown as IPollFunctions;
	}

	/** Whoever activates a workflow is told of locations that are gone; later, they stop nothing. */
	private correctLocations(message: string): void {
		if (!this.isAttended) this.judge.flaw(message);
		const there = this.service.list('locations').map(({ id }) => id);
		const { locationIds } = this.parameters as { locationIds: unknown[] };
		this.parameters.locationIds = locationIds.filter((id) => there.includes(id));
		this.activate('update');
	}

	/** @returns whether the poll worked */
	private async poll(): Promise<boolean> {
		const { clock, service, judge, world, process } = this;
		if (world.host !== 'keeps') {
			// n8n's durable scheduler makes a context for each poll.
			if (!this.isActivating) this.context = this.contextFor('update');
			this.load();
		}
		this.polls++;
		this.startedAt = clock.now();
		let events: TriggerEvent[] | undefined;
		const before = JSON.stringify(this.staticData.state);
		try {
			const { account, memory } = process;
			const { transport } = service;
			const connect = async (_: unknown, waits: { patienceMs: number; timeoutMs?: number }) =>
				await Promise.resolve({ account, paging: DEFAULT_PAGING, transport, ...waits });
			const output = await clock.run(poll(this.context, { clock, memory, connect }));
			// Where the record is the location, the item has it once.
			events = (output ?? [])
				.flat()
				.map(({ json }) => ({ location: json.record, ...json }) as unknown as TriggerEvent);
		} catch (thrown) {
			const { message, cause } = thrown as Error & { cause?: Error };
			if (['TypeError', 'RangeError'].includes(cause?.name ?? '')) judge.flaw(message);
			if (message.startsWith('No location')) this.correctLocations(message);
		}
		const tookMs = clock.now() - this.startedAt;
		if (tookMs > LONGEST_POLL) judge.flaw(`A poll took ${tookMs} ms`);
		// A poll that fails may have written a state all the same.
		const isRemembered = JSON.stringify(this.staticData.state) !== before;
		judge.take(events ?? [], tookMs, isRemembered, this.parameters.locationIds as unknown[]);
		const isSaved = (events ?? []).length > 0 || this.isActivating || world.host === 'saves-all';
		if (events) this.isAttended = false;
		if (events && isSaved) {
			this.save(JSON.stringify(this.staticData), judge.memory);
			this.isActivating = false;
		}
		return events !== undefined;
	}
}
