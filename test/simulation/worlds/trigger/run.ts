import { setMaxListeners } from 'node:events';

import type { IDataObject, INode, IPollFunctions, WorkflowActivateMode } from 'n8n-workflow';
import { ObservableObject } from 'n8n-workflow';

import { Account, DEFAULT_PAGING, idOf } from '../../../../nodes/LocalSeo/client';
import type { TriggerEvent } from '../../../../nodes/LocalSeo/trigger/subject';
import { poll } from '../../../../nodes/LocalSeo/trigger/poll';
import { ProcessMemory } from '../../../../nodes/LocalSeo/trigger/state';
import { seededRandom, VirtualClock } from '../../../support/virtualClock';
import { START } from './account';
import { EVENTS, type Life, type Step, type World } from './dimensions';
import { Judge, type Poll } from './judge';
import { Service } from './service';

// The simulated clock waits with the poll's own signal, in all requests at once.
setMaxListeners(100);

/** Enough polls for a check of everything, and for a second look where the first leaves a doubt. */
const LAST_POLLS = 15;
/** A poll may wait for 90% of its time; then a request in flight gets a second, and another one to end. */
const endOf = (budget: number) => Math.max(budget, 0.9 * budget + 2_000);
/** Characters of what the trigger remembers: of the account, and of each record that ever was. */
const STATE_BASE = 300;
const STATE_PER_RECORD = 400;

export interface Verdict {
	/** What is wrong; empty where nothing is. */
	wrong: string[];
	count: Judge['count'];
	service: Service;
}

/** Plays a world, and judges what the trigger reported. */
export async function play(world: World): Promise<Verdict> {
	const clock = new VirtualClock(START);
	const service = new Service(world, clock);
	const judge = new Judge(world, service, new Set(EVENTS[world.events]));
	const n8n = new N8n(world, clock, service, judge);
	const troubleEnds = world.trouble === 'none' ? 0 : world.troubledPolls;
	let index = 0;
	const next = async (step: Step) => {
		service.isTroubled = index++ < troubleEnds;
		return await n8n.step(step);
	};
	await next(CALM);
	for (const step of world.steps) await next(step);

	service.latency = Math.min(service.latency, 20);
	let last: Poll | undefined;
	for (let polls = 0; polls < LAST_POLLS; polls++) {
		// So much time that nothing is cut by its end, but what never ends.
		last = await next({ ...CALM, pause: 600_000 });
	}
	if (last && n8n.hasLearned) judge.finish(last);
	if (!last?.events && !service.isTroubled) judge.flaw('The trigger is stuck');
	const bound = STATE_BASE + STATE_PER_RECORD * service.account.slots.length;
	if (n8n.stateSize > bound) judge.flaw(`The state takes ${n8n.stateSize} characters`);
	return { wrong: judge.wrong, count: judge.count, service };
}

const CALM: Step = { pause: 60_000, jump: 0, life: 'none', changes: [], outcomes: [] };

/** The part of what the trigger remembers that shows how far it came. */
interface StoredState {
	account: { polls: number; resumeAt?: string };
}

/** One process of n8n. */
interface Process {
	memory: ProcessMemory;
	account: Account;
}

/** The workflow with the trigger in n8n: when it polls, and what n8n keeps of what the trigger remembers. */
class N8n {
	private process: Process;
	private otherProcess?: Process;
	private events: string[];
	/** The ID of the location that is picked, where one is. */
	private readonly picked?: string;
	/** What n8n has saved. */
	private database = '{}';
	private staticData!: IDataObject;
	private context!: IPollFunctions;
	/** n8n saves after the poll of an activation, whatever it found. */
	private isActivating = true;
	/** Whether the trigger has a reason to start from scratch. */
	private mayLearn = true;
	/** A quiet poll may start from scratch as well, which n8n does not save. */
	private isLearningSaved = true;
	private startedAt = START;
	private readonly warnings: string[] = [];

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
		private readonly service: Service,
		private readonly judge: Judge,
	) {
		this.events = EVENTS[world.events];
		this.picked = idOf(service.account.present('location')[0]);
		this.process = this.newProcess();
		this.activate('activate');
	}

	/** Whether the trigger has polled since it last had to start from scratch. */
	get hasLearned(): boolean {
		return !this.mayLearn;
	}

	get stateSize(): number {
		return JSON.stringify(this.state ?? {}).length;
	}

	private get state(): StoredState | undefined {
		const { state } = this.staticData as { state?: { text: string } };
		return state && (JSON.parse(state.text) as StoredState);
	}

	async step({ pause, jump, life, changes, outcomes }: Step): Promise<Poll> {
		const { clock, service } = this;
		const nextAt = Math.max(clock.now(), this.startedAt + pause);
		const before = changes.filter(({ at }) => at < 0).sort((a, b) => a.at - b.at);
		for (const change of before) {
			await this.pass(Math.max(0, nextAt + change.at - clock.now()));
			service.account.apply(change);
		}
		await this.pass(nextAt - clock.now());
		if (jump !== 0) {
			service.account.offset += jump;
			this.judge.noteJump();
		}
		for (const change of changes.filter(({ at }) => at >= 0)) {
			void clock.sleep(change.at).then(() => service.account.apply(change));
		}
		this.live(life);
		service.beginPoll(outcomes);
		return await this.poll();
	}

	private async pass(milliseconds: number): Promise<void> {
		await this.clock.run(this.clock.sleep(milliseconds));
	}

	private live(life: Life): void {
		if (life !== 'none') this.service.log(`n8n: ${life}`);
		switch (life) {
			case 'none':
				return;
			case 'restarted':
				this.process = this.newProcess();
				return this.activate('init');
			case 'overwritten':
				this.database = '{}';
				return;
			case 'elsewhere': {
				const { process } = this;
				this.process = this.otherProcess ?? this.newProcess();
				this.otherProcess = process;
				return this.activate('leadershipChange');
			}
			case 'reactivated':
				return this.activate('activate', this.process.memory);
			case 'events-changed':
				this.events = this.events === EVENTS.posts ? EVENTS.everything : EVENTS.posts;
				this.mayLearn = true;
				this.judge.watch(new Set(this.events));
				return this.activate('update', this.process.memory);
		}
	}

	private newProcess(): Process {
		return {
			memory: new ProcessMemory(this.clock),
			account: new Account(this.clock, seededRandom(7)),
		};
	}

	/** @param memory of the process, where it goes on */
	private activate(mode: WorkflowActivateMode, memory?: ProcessMemory): void {
		this.isActivating = true;
		if (memory !== this.process.memory) {
			this.judge.forgetQuietly();
			this.mayLearn ||= !this.isLearningSaved;
		}
		this.load();
		this.mayLearn ||= memory === undefined && !('state' in this.staticData);
		this.context = this.contextFor(mode);
	}

	private load(): void {
		const parsed = JSON.parse(this.database) as IDataObject;
		this.staticData = ObservableObject.create(parsed) as IDataObject;
	}

	/** @param isScheduled whether n8n's durable scheduler makes it, for one poll of less than a minute */
	private contextFor(mode: WorkflowActivateMode, isScheduled = false): IPollFunctions {
		const parameters: IDataObject = {
			events: this.events,
			locationIds: this.world.isPicked && this.picked !== undefined ? [this.picked] : [],
			options: {},
		};
		const node = {
			id: 'node',
			name: 'Watch',
			type: 'localSeoTrigger',
			parameters,
		} as unknown as INode;
		return {
			getNode: () => node,
			getWorkflow: () => ({ id: 'workflow' }),
			getMode: () => 'trigger',
			getActivationMode: () => mode,
			getNodeParameter: (name: string) => parameters[name],
			getWorkflowStaticData: () => this.staticData,
			getPollBudgetMs: () => Math.min(this.world.budget, isScheduled ? 36_000 : Infinity),
			logger: { warn: (text: string) => this.warnings.push(text) },
		} as unknown as IPollFunctions;
	}

	private async poll(): Promise<Poll> {
		const { clock, service, judge, world } = this;
		if (world.host !== 'keeps') {
			this.load();
			if (!this.isActivating) this.context = this.contextFor('update', true);
		}
		this.startedAt = clock.now();
		// Saved over before this process knew anything, or could be sure of it.
		const knowsNothing =
			this.process.memory.lastStates.size === 0 ||
			this.context.getActivationMode?.() === 'leadershipChange';
		this.mayLearn ||= !('state' in this.staticData) && knowsNothing;
		service.log('poll begins');
		let events: TriggerEvent[] | undefined;
		let items: unknown;
		try {
			const { account, memory } = this.process;
			const output = await clock.run(
				poll(this.context, {
					clock,
					memory,
					connect: async (_, { patienceMs, timeoutMs }) => ({
						account,
						paging: DEFAULT_PAGING,
						transport: service.transport,
						patienceMs,
						timeoutMs,
					}),
				}),
			);
			items = output;
			// Where the record is the location, the item has it once.
			events = (output ?? [])
				.flat()
				.map(({ json }) => ({ location: json.record, ...json }) as unknown as TriggerEvent);
		} catch (thrown) {
			const { message, cause } = thrown as Error;
			service.log(`poll failed: ${message}`);
			const isOwnFault = ['TypeError', 'RangeError'].includes(
				(cause as Error | undefined)?.name ?? '',
			);
			if (isOwnFault || !message) judge.flaw(`The poll failed: ${message}`);
		}
		for (const warning of this.warnings.splice(0)) service.log(`warning: ${warning}`);
		const endedAt = clock.now();
		if (endedAt - this.startedAt > endOf(world.budget)) {
			judge.flaw(`A poll took ${endedAt - this.startedAt} ms`);
		}
		const { state } = this;
		const hasLearned = events !== undefined && state?.account.polls === 1;
		const isCut = state?.account.resumeAt !== undefined;
		const result: Poll = { startedAt: this.startedAt, endedAt, events, hasLearned, isCut };
		service.log(`poll ends${hasLearned ? ', has learned' : ''}${isCut ? ', cut' : ''}`);
		if (hasLearned && !this.mayLearn && !judge.isOtherAccount(result)) {
			judge.flaw('The trigger starts from scratch for no reason');
		}
		if (events) {
			this.mayLearn = false;
			if (hasLearned) this.isLearningSaved = false;
		}
		judge.take(result);
		if (events && (items || this.isActivating || world.host === 'saves-all')) {
			this.database = JSON.stringify(this.staticData);
			judge.noteSave();
			this.isLearningSaved = true;
			this.isActivating = false;
		}
		return result;
	}
}
