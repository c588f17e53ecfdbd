import {
	Account,
	type Connection,
	concurrently,
	create,
	DEFAULT_PAGING,
	type JsonObject,
	MAX_IN_FLIGHT,
	ServiceError,
} from '../../nodes/LocalSeo/client';
import { seededRandom, VirtualClock } from '../support/virtualClock';
import { type Abilities, WorkingService } from './service';

/** Milliseconds. */
export const PATIENCE = 300_000;
export const TIMEOUT = 60_000;

/** What became of the rows of one process; milliseconds since the world began. */
export interface Run {
	done: number;
	errors: ServiceError[];
	startedAt: number;
	/** When each row ended. */
	ends: number[];
	endedAt: number;
	seconds: number;
}

/** A service and the processes that use it, in virtual time. */
export class World {
	readonly clock;
	readonly random;
	readonly service: WorkingService;
	private rows = 0;

	constructor(can: Abilities, seed = 1) {
		// Where in a second of the service's clock one begins makes a difference.
		const millisecond = (39 + 211 * seed) % 1_000;
		this.clock = new VirtualClock(Date.UTC(2026, 0, 1, 9, 30, 17, millisecond));
		this.random = seededRandom(seed * 7_919);
		for (let turns = 0; turns < 10; turns++) this.random();
		this.service = new WorkingService(can, this.clock, this.random);
	}

	/** One n8n process with the key. */
	process(): Account {
		return new Account(this.clock, this.random);
	}

	connect(account: Account, more: Partial<Connection> = {}): Connection {
		const { transport } = this.service;
		return { account, transport, patienceMs: PATIENCE, timeoutMs: TIMEOUT, ...more };
	}

	/** Posts so many rows as the node does: some hundred of them wait at the same time. */
	async post(account: Account, count: number, more: Partial<Connection> = {}): Promise<Run> {
		const startedAt = this.clock.now();
		const run: Run = { done: 0, errors: [], startedAt, ends: [], endedAt: 0, seconds: 0 };
		let begun = 0;
		const rows = Array.from({ length: count }, () => async () => {
			const title = `Row ${++this.rows}`;
			const request = {
				method: 'POST' as const,
				path: '/locations/{locationId}/posts',
				ids: { locationId: 'loc_1' },
				query: {},
				body: { title, content: `What ${title} has to say` } as JsonObject,
				noun: 'content post',
			};
			begun++;
			// Fewer are left than may be in flight: from here on nothing is waiting.
			if (begun >= count) this.service.isEnding = true;
			try {
				await create(this.connect(account, more), request, DEFAULT_PAGING, {
					run: `run ${startedAt}`,
					row: this.rows,
				});
				run.done++;
			} catch (error) {
				if (!(error instanceof ServiceError)) throw error;
				run.errors.push(error);
			}
			run.ends.push(this.clock.now());
		});
		await concurrently(rows, 2 * MAX_IN_FLIGHT);
		run.endedAt = this.clock.now();
		run.seconds = (run.endedAt - startedAt) / 1000;
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
}
