import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ledgerOf, listLedgerOf } from '../n8n/ledger';
import { until as untilThere } from '../n8n/until';
import type { FaultCondition, RecordedRequest, Sandbox } from '../sandbox';
import { type Row, rowsFor } from '../n8n/rows';
import { byId, PACKAGE, Workflows } from './soakWorkflows';
import type { Stage } from './stage';

/** What the traffic did, and what was wrong with it. */
export interface Tally {
	/** How often each kind of traffic went round. */
	rounds: Record<string, number>;
	rows: number;
	/** Rows that the node reported as failed. */
	failedRows: number;
	/** Everything that should not have been, in words. */
	unexpected: string[];
}

/** How many locations the account has to have. */
export const LOCATIONS = 300;
const ROWS = 40;
/** Rows are spread over so many locations, each time others. */
const PLACES = 10;
/** Milliseconds between two rounds of the same kind. */
const PAUSE = 500;
/** Milliseconds for which the service does not respond to rows that are stopped meanwhile. */
const STUCK_FOR = 8_000;
const STUCK = 'Stopped:';
const CHANGE_EVERY = 10_000;

type Places = Array<{ id: string }>;

/** Drives one n8n as its users would, all at once, against a sandbox that fails now and then. */
export class Traffic {
	readonly tally: Tally = { rounds: {}, rows: 0, failedRows: 0, unexpected: [] };

	private constructor(
		private readonly stage: Stage,
		private readonly sandbox: Sandbox,
		private readonly workflows: Workflows,
	) {
		sandbox.faults.add({
			when: { body: ({ title }) => String(title).startsWith(STUCK) },
			delayMs: STUCK_FOR,
		});
	}

	/** Creates the workflows, and runs each once: what n8n loads on first use is no leak. */
	static async prepare(stage: Stage, sandbox: Sandbox): Promise<Traffic> {
		const watched = sandbox.account.locations.slice(250).map(({ id }) => id);
		const workflows = await Workflows.create(stage, sandbox, watched);
		const traffic = new Traffic(stage, sandbox, workflows);
		await traffic.list();
		await traffic.insights();
		await traffic.rows('Rows', traffic.places(0));
		await traffic.stopped(traffic.places(200));
		await traffic.pickers();
		await workflows.activate('Trigger');
		await workflows.deactivate('Trigger');
		return traffic;
	}

	/** All kinds of traffic until the time is over; a round that has begun is finished. */
	async run(until: number): Promise<void> {
		const repeat = async (name: string, round: (index: number) => Promise<void>) => {
			for (let index = 0; Date.now() < until; index++) {
				await round(index).catch((error: Error) => this.wrong(`${name}: ${error.message}`));
				this.tally.rounds[name] = index + 1;
				await wait(PAUSE);
			}
		};
		await this.workflows.activate('Trigger');
		await Promise.all([
			repeat('List', async () => await this.list()),
			repeat('Insights', async () => await this.insights()),
			repeat('Rows', async (index) => {
				const places = this.places(PLACES * (index % 10));
				this.addLosses(places);
				await this.rows('Rows', places);
			}),
			repeat('Slow rows', async (index) => {
				const places = this.places(100 + PLACES * (index % 10));
				this.addErrors(places);
				await this.rows('Slow rows', places);
			}),
			repeat('Stopped', async (index) => {
				await this.stopped(this.places(200 + PLACES * (index % 5)));
			}),
			repeat('Pickers', async () => await this.pickers()),
			repeat('Changes', async (index) => await this.change(index)),
		]);
		await this.workflows.deactivate('Trigger');
	}

	private wrong(what: string): void {
		this.tally.unexpected.push(what);
	}

	private places(from: number): Places {
		return this.sandbox.account.locations.slice(from, from + PLACES);
	}

	/** Responses that are lost, and refusals: settled within a second or two. */
	private addLosses(places: Places): void {
		const when = createsAt(places);
		this.sandbox.faults.add({ when, times: 2, actFirst: true, dropConnection: true });
		const refusal = { status: 429, headers: { 'retry-after': '1' } };
		this.sandbox.faults.add({ when, times: 1, response: refusal });
	}

	/** Errors of the service: the list is watched for half a minute before a row is sent again. */
	private addErrors(places: Places): void {
		this.sandbox.faults.add({
			when: createsAt(places),
			times: 2,
			response: { status: 500 },
		});
	}

	private async list(): Promise<void> {
		const { faults } = this.sandbox;
		const when = { method: 'GET', path: '/locations' };
		faults.add({ when: { ...when, page: 3 }, times: 1, response: { status: 500 } });
		faults.add({ when: { ...when, page: 5 }, times: 1, dropConnection: true });
		const items = await this.workflows.call('List', {});
		const ids = items.map(({ id }) => String(id));
		const { lost, twice } = listLedgerOf(this.sandbox, ids);
		if (lost.length + twice.length === 0) return;
		this.wrong(`List: ${lost.length} locations missing, ${twice.length} twice`);
	}

	private async insights(): Promise<void> {
		const when = { path: '/locations/*/insights' };
		this.sandbox.faults.add({ when, times: 1, response: { status: 503 } });
		const items = await this.workflows.call('Insights', {});
		if (items.length < 20) this.wrong(`Insights: ${items.length} items of 20 locations`);
	}

	private async rows(name: string, places: Places): Promise<void> {
		const rows = newRows(places);
		const items = await this.workflows.call(name, { rows });
		const { lost, twice, failed } = ledgerOf(this.sandbox, rows, items);
		this.tally.rows += rows.length;
		this.tally.failedRows += failed.length;
		for (const row of failed) this.wrong(`${name}: a row failed: ${reasonOf(row)}`);
		if (lost.length + twice.length === 0) return;
		this.wrong(`${name}: ${lost.length} rows lost, ${twice.length} twice`);
	}

	/** Rows that get no response, in an execution that someone stops meanwhile. */
	private async stopped(places: Places): Promise<void> {
		const { requests } = this.sandbox;
		const rows = newRows(places).map((row) => ({ ...row, title: `${STUCK} ${row.title}` }));
		// Not its index: the sandbox keeps the latest requests only.
		const before = requests.at(-1);
		await this.workflows.call('Stopped', { rows });
		await untilThere('the rows to be stopped', () =>
			requests
				.slice(requests.lastIndexOf(before as RecordedRequest) + 1)
				.some(({ body }) => String(Object(body).title).startsWith(STUCK)),
		);
		const stopped = await this.workflows.stopAll('Stopped');
		if (stopped === 0) this.wrong('Stopped: no execution was running');
		await wait(STUCK_FOR);
	}

	/** What the editor asks for when someone opens the list of locations and the columns of a post. */
	private async pickers(): Promise<void> {
		const { rest } = this.stage;
		const path = '/dynamic-node-parameters';
		const node = {
			nodeTypeAndVersion: { name: `${PACKAGE}.localSeo`, version: 1 },
			currentNodeParameters: {
				resource: 'post',
				operation: 'create',
				locationId: byId(this.sandbox.account.locations[0].id),
				options: {},
			},
			credentials: { localSeoApi: this.workflows.credential },
		};
		const { results } = await rest.post<{ results: object[] }>(`${path}/resource-locator-results`, {
			...node,
			path: 'parameters.locationId',
			methodName: 'searchLocations',
			filter: '',
		});
		const { fields } = await rest.post<{ fields: object[] }>(`${path}/resource-mapper-fields`, {
			...node,
			path: 'parameters.fields',
			methodName: 'getFields',
		});
		if (results.length === 0 || fields.length === 0) this.wrong('Pickers: an empty list');
	}

	/** Something for the trigger to report. */
	private async change(index: number): Promise<void> {
		const { account } = this.sandbox;
		account.updateLocation(account.locations[LOCATIONS - 1], { city: `City ${index}` });
		await wait(CHANGE_EVERY);
	}
}

/** The creates of one round, so that each kind of rows meets its own faults. */
function createsAt(places: Places): FaultCondition {
	const ids = places.map(({ id }) => id).join('|');
	return { method: 'POST', path: new RegExp(`/(${ids})/posts$`) };
}

/** The message of a row of the ledger that failed. */
function reasonOf(failed: unknown): string {
	const { message, description } = (failed as { error: Record<string, unknown> }).error;
	return `${String(message)}. ${String(description)}`;
}

/** Rows that no round had before. */
function newRows(places: Places): Row[] {
	const round = randomUUID();
	return rowsFor(places, ROWS).map((row) => ({ ...row, title: `${row.title} ${round}` }));
}
