import { setMaxListeners } from 'node:events';

import type { IDataObject, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { ObservableObject } from 'n8n-workflow';

import { Account, DEFAULT_PAGING } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/events';
import { ProcessMemory } from '../../../../nodes/LocalSeo/trigger/memory';
import { poll } from '../../../../nodes/LocalSeo/trigger/poll';
import { seededRandom } from '../../../support/random';
import { VirtualClock } from '../../../support/virtualClock';
import type { Simulation } from '../simulation';
import { CHANGES } from './changes';
import { type Life, type Step, TROUBLES, type World, worlds } from './dimensions';
import { Judge } from './judge';
import { Service } from './service';

// The simulated clock waits with the poll's own signal, in all requests at once.
setMaxListeners(100);

/** Enough polls for the turn of each location. */
const QUIET_POLLS = 14;
/** The longest poll: 90% of 45 s. */
const LONGEST_POLL = 40_600;
const CALM: Step = { pause: 600_000, life: 'none', changes: [], outcomes: [] };

export const simulation: Simulation<World> = { worlds, play };

async function play(world: World) {
	const n8n = new N8n(world);
	const { judge, service } = n8n;
	for (const [round, steps] of [[], ...world.rounds, []].entries()) {
		service.trouble = round <= world.troubledRounds ? TROUBLES[world.trouble] : undefined;
		service.latency = world.latency;
		for (const step of steps) await n8n.step(step);
		// A service that calms down is quick, and nothing happens any more.
		service.latency = Math.min(20, world.latency);
		let hasWorked = false;
		for (let polls = 0; polls < QUIET_POLLS; polls++) {
			hasWorked = (await n8n.step(CALM)) || hasWorked;
		}
		// An activation is refused if none of the picked locations is there any more.
		if (!hasWorked && !service.trouble && n8n.hasLocations) judge.flaw('The trigger is stuck');
		// A trigger that could not be activated knows nothing.
		if (hasWorked) judge.endRound();
		else break;
	}
	return judge;
}

interface Process {
	/** True until a poll has worked. */
	isNew: boolean;
	memory: ProcessMemory;
	account: Account;
}

/** The workflow with the trigger in n8n: when it polls, and what n8n keeps of its state. */
class N8n {
	private readonly clock = new VirtualClock();
	readonly service: Service;
	readonly judge: Judge;
	private process = this.newProcess();
	private readonly parameters: { events: string[]; locationIds: unknown[]; options: IDataObject };
	private database = '{}';
	private staticData!: IDataObject;
	private context!: IPollFunctions;
	/** n8n saves after the poll of an activation, whatever it found. */
	private isActivating = true;
	private startedAt = this.clock.now();

	constructor(private readonly world: World) {
		const { events, minimumChange, fieldsToWatch, picked } = world;
		this.service = new Service(world, this.clock);
		const locations = this.service.list('locations').slice(0, picked);
		this.parameters = {
			events,
			locationIds: locations.map(({ id }) => id),
			options: { minimumChange, fieldsToWatch },
		};
		const { parameters } = this;
		this.judge = new Judge(
			world,
			this.service,
			() => parameters.locationIds,
			() => parameters.events,
		);
		this.activate('activate');
	}

	/** True if a location that is watched is there. */
	get hasLocations(): boolean {
		const { locationIds } = this.parameters;
		const there = this.service.list('locations');
		return locationIds.length === 0 || there.some(({ id }) => locationIds.includes(id));
	}

	/** @returns whether the poll worked */
	async step({ pause, life, changes, outcomes }: Step): Promise<boolean> {
		const { clock, service } = this;
		const nextAt = Math.max(clock.now(), this.startedAt + pause);
		for (const { at: drawnAt, what, pick } of changes.toSorted((a, b) => a.at - b.at)) {
			// A list that changes while it is read can't be told from a whole one without a total.
			const at = this.world.hasTotal ? drawnAt : Math.min(drawnAt, -1);
			const apply = () => service.apply(CHANGES[what], pick);
			const wait = nextAt + at - clock.now();
			if (at < 0) await clock.pass(wait).then(apply);
			else void clock.sleep(wait).then(apply);
		}
		await clock.pass(nextAt - clock.now());
		this.live(life);
		service.beginPoll(outcomes);
		return await this.poll();
	}

	private live(life: Life): void {
		const { judge, service, world, parameters } = this;
		if (life === 'overwritten') {
			this.database = '{}';
			judge.noteSaved(true);
			if (this.process.isNew) this.startAnew();
		} else if (life === 'killed') {
			this.process = this.newProcess();
			judge.restart();
			service.shownAt.clear();
			this.activate('init');
		} else if (life === 'other events' && world.events.length > 1) {
			const [, ...less] = world.events;
			parameters.events = parameters.events.length < world.events.length ? world.events : less;
			this.startAnew();
			this.activate('update');
		}
	}

	private startAnew(): void {
		this.judge.startAnew();
		this.service.shownAt.clear();
	}

	private newProcess(): Process {
		const { clock } = this;
		const account = new Account(clock, seededRandom(7));
		return { isNew: true, memory: new ProcessMemory(), account };
	}

	private activate(mode: WorkflowActivateMode): void {
		this.isActivating = true;
		this.context = this.contextFor(mode);
		this.load();
	}

	private load(): void {
		this.staticData = ObservableObject.create(JSON.parse(this.database)) as IDataObject;
	}

	private contextFor(mode: WorkflowActivateMode): IPollFunctions {
		const parameters = structuredClone(this.parameters);
		return {
			getNode: () => ({ id: 'node', name: 'Watch', type: 'localSeoTrigger', parameters }),
			getWorkflow: () => ({ id: 'workflow' }),
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: keyof typeof parameters) => parameters[name],
			getWorkflowStaticData: () => this.staticData,
			getPollBudgetMs: () => this.world.budget,
			logger: { warn: () => {} },
		} as unknown as IPollFunctions;
	}

	/** @returns whether the poll worked */
	private async poll(): Promise<boolean> {
		const { clock, service, judge, world, process } = this;
		if (world.host !== 'keeps') {
			// n8n's durable scheduler makes a context for each poll.
			if (!this.isActivating) this.context = this.contextFor('update');
			this.load();
		}
		this.startedAt = clock.now();
		judge.count.polls++;
		let events: TriggerEvent[] | undefined;
		try {
			const { account, memory } = process;
			const { transport } = service;
			const connect = async (_: unknown, waits: { patienceMs: number; timeoutMs?: number }) =>
				await Promise.resolve({ account, paging: DEFAULT_PAGING, transport, ...waits });
			const output = await clock.run(poll(this.context, { clock, memory, connect }));
			events = (output ?? []).flat().map(({ json }) => json as unknown as TriggerEvent);
			process.isNew = false;
		} catch (thrown) {
			const { message, cause } = thrown as Error & { cause?: Error };
			if (['TypeError', 'RangeError'].includes(cause?.name ?? '')) judge.flaw(message);
			judge.count.failed++;
		}
		const tookMs = clock.now() - this.startedAt;
		if (tookMs > LONGEST_POLL) judge.flaw(`A poll took ${tookMs} ms`);
		judge.take(events ?? []);
		const isSaved = (events ?? []).length > 0 || this.isActivating || world.host === 'saves all';
		if (events && isSaved) {
			this.database = JSON.stringify(this.staticData);
			judge.noteSaved();
			this.isActivating = false;
		}
		return events !== undefined;
	}
}
