import { Governor } from '../../../nodes/LocalSeo/client/pace/governor';
import { MAX_IN_FLIGHT } from '../../../nodes/LocalSeo/client/pace/gradient';
import type { Urgency } from '../../../nodes/LocalSeo/client/pace/permit';
import { concurrently } from '../../../nodes/LocalSeo/client/time';
import { VirtualClock } from '../../support/virtualClock';
import { type Abilities, Service } from './service';
import { seededRandom } from '../../support/random';

/** Milliseconds. */
export const PATIENCE = 300_000;
/** After a failure, a create is looked for so much later, twice. */
const LOOKED_AFTER = 2_000;

/** What became of the rows of one process. */
export interface Run {
	done: number;
	/** Rows that were given up, by reason. */
	failures: string[];
	startedAt: number;
	/** When each row ended, from the start on (milliseconds). */
	ends: number[];
	/** Until the last one ended. */
	seconds: number;
}

/** How requests are sent. */
export interface How {
	patienceMs?: number;
	/** Of the requests, to which the service's abilities refer. */
	kind?: string;
	/** How many wait or are under way at once. */
	abreast?: number;
}

/** A service and the processes that use it, in virtual time. */
export class World {
	readonly clock;
	readonly random;
	readonly service: Service;

	constructor(can: Abilities, seed = 1) {
		// Where in a second of the service's clock one begins makes a difference.
		const millisecond = (39 + 211 * seed) % 1_000;
		this.clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, millisecond));
		this.random = seededRandom(seed * 7_919);
		for (let turns = 0; turns < 10; turns++) this.random();
		this.service = new Service(can, this.clock, this.random);
	}

	/** One n8n process with the key. */
	process(): Governor<string> {
		return new Governor<string>(this.clock, this.random);
	}

	/** Creates so many rows as the node does: some hundred of them wait at the same time. */
	async post(governor: Governor<string>, count: number, how: How = {}): Promise<Run> {
		const { clock } = this;
		const { abreast = 2 * MAX_IN_FLIGHT } = how;
		const startedAt = clock.now();
		const run: Run = { done: 0, failures: [], startedAt, ends: [], seconds: 0 };
		const rows = Array.from({ length: count }, () => async () => {
			const failure = await this.create(governor, how);
			if (failure === undefined) run.done++;
			else run.failures.push(failure);
			run.ends.push(clock.now() - startedAt);
		});
		await concurrently(rows, abreast);
		run.seconds = (clock.now() - startedAt) / 1000;
		return run;
	}

	/** So many processes post so many rows each, at the same time; each begins a little after the one before. */
	async together(processes: number, rows: number): Promise<Run[]> {
		const start = async (index: number) => {
			await this.clock.sleep(37 * index);
			return await this.post(this.process(), rows);
		};
		return await this.run(Promise.all(Array.from({ length: processes }, (_, i) => start(i))));
	}

	async run<T>(work: Promise<T>): Promise<T> {
		return await this.clock.run(work);
	}

	/** How one request ends; text: why it was given up. */
	async send(governor: Governor<string>, urgency: Urgency, how: How = {}, since?: number) {
		const { patienceMs = PATIENCE, kind = 'write' } = how;
		const permit = await governor.acquire({ patienceMs, urgency, kind, since });
		if (!('startedAt' in permit)) return permit.failure ?? 'nothing came';
		const ending = await this.service.request(kind);
		governor.ended(permit, ending);
		return ending;
	}

	/** A row, sent until it is done; undefined, or why it was given up. */
	private async create(governor: Governor<string>, how: How): Promise<string | undefined> {
		let since: number | undefined;
		for (let urgency: Urgency = 'row'; ; urgency = 'repeat') {
			const ending = await this.send(governor, urgency, how, since);
			if (typeof ending === 'string') return ending;
			if (ending.kind === 'answered') return undefined;
			if (ending.kind === 'key-refused') return ending.failure;
			since ??= this.clock.now();
			if (ending.kind !== 'failed') continue;
			for (let looks = 0; looks < 2; looks++) {
				await this.clock.sleep(LOOKED_AFTER / 2);
				const look = await this.send(governor, 'look', how, since);
				if (typeof look === 'string') return look;
			}
		}
	}
}
