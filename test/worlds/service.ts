import type { HttpRequest, HttpResponse, JsonObject, Transport } from '../../nodes/LocalSeo/client';
import type { VirtualClock } from '../support/virtualClock';
import { type Outcome, TEXTS, type World } from './dimensions';

/** A record as the service holds it, and the row that its request came from. */
export interface Stored {
	id: number;
	row: string | undefined;
	at: number;
	fields: JsonObject;
}

/** What happened, in the order in which it did. */
export interface Entry {
	/** Milliseconds since the world began. */
	at: number;
	what: string;
}

/** A service that is made from a world, in virtual time. */
export class Service {
	readonly records: Stored[] = [];
	readonly history: Entry[] = [];
	readonly count = { creates: 0, reads: 0 };
	private readonly began: number;
	private cache?: { until: number; records: Stored[] };
	private readonly creates: Outcome[];
	private readonly reads: Outcome[];

	constructor(
		private readonly world: World,
		private readonly clock: VirtualClock,
	) {
		this.began = clock.now();
		this.creates = [...world.creates];
		this.reads = [...world.reads];
		for (let index = 0; index < world.before; index++) {
			const age = (world.before - index) * 90_000;
			this.add(undefined, fieldsOfRow(index % 5), this.began - age);
		}
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now() - this.began, what });
	}

	/** The way of one row to the service. */
	transportOf =
		(row: string): Transport =>
		async (request, signal) =>
			await this.exchange(row, request, signal);

	private async exchange(
		row: string,
		request: HttpRequest,
		signal?: AbortSignal,
	): ReturnType<Transport> {
		const { latency } = this.world;
		const isCreate = request.method === 'POST';
		const number = isCreate ? ++this.count.creates : ++this.count.reads;
		const outcome = (isCreate ? this.creates : this.reads).shift() ?? { kind: 'answered' };
		const name = `${isCreate ? 'create' : 'read'} ${number} of ${row}`;
		this.log(`${name} sent: ${JSON.stringify(outcome)}`);
		const timeout = request.timeoutMs ?? 300_000;
		try {
			await this.clock.sleep(latency / 2, signal);
			const response = await this.respond(outcome, request, row, timeout, signal);
			await this.clock.sleep(latency / 2, signal);
			this.log(`${name}: ${JSON.stringify(response).slice(0, 200)}`);
			return response;
		} catch (error) {
			this.log(`${name} cancelled`);
			return { fault: 'cancelled', cause: error as Error };
		}
	}

	private async respond(
		outcome: Outcome,
		request: HttpRequest,
		row: string,
		timeout: number,
		signal?: AbortSignal,
	): ReturnType<Transport> {
		switch (outcome.kind) {
			case 'answered':
				return this.act(request, row);
			case 'rejected':
				return this.response(outcome.status, { message: 'Not like this' });
			case 'limited': {
				const headers = outcome.retryAfter ? { 'retry-after': outcome.retryAfter } : {};
				return this.response(429, { message: 'Too many' }, headers);
			}
			case 'fault': {
				if (outcome.acts) this.act(request, row);
				if (outcome.fault === 'timeout') await this.clock.sleep(timeout, signal);
				const cause = Object.assign(new Error(outcome.code), { code: outcome.code });
				return { fault: outcome.fault, cause };
			}
			case 'status':
				if (outcome.acts) this.act(request, row);
				return this.response(outcome.status, { message: 'Something is off' });
			case 'body':
				if (outcome.acts) this.act(request, row);
				return this.response(outcome.status, outcome.body);
			case 'late':
				void this.clock.sleep(outcome.after).then(() => this.act(request, row));
				return this.response(outcome.status, '<html><title>Gateway</title></html>');
			case 'silent': {
				if (outcome.acts) this.act(request, row);
				await this.clock.sleep(timeout, signal);
				return { fault: 'timeout', cause: new Error('silent') };
			}
		}
	}

	private act(request: HttpRequest, row: string): HttpResponse {
		if (request.method === 'GET') return this.list(request);
		const fields = JSON.parse(request.body ?? '{}') as JsonObject;
		const record = this.add(row, fields, this.clock.now());
		this.log(`record ${record.id} made for ${row}`);
		return this.response(201, { data: this.shown(record) });
	}

	private add(row: string | undefined, fields: JsonObject, at: number): Stored {
		const text = TEXTS[this.world.text];
		const stored = Object.fromEntries(
			Object.entries(fields).map(([name, value]) => [
				name,
				typeof value === 'string' ? text(value) : value,
			]),
		);
		const record = { id: this.records.length + 1, row, at, fields: stored };
		this.records.push(record);
		return record;
	}

	private list({ query }: HttpRequest): HttpResponse {
		const { order, pageSize, staleness, totals } = this.world;
		const now = this.clock.now();
		if (!this.cache || this.cache.until <= now) {
			this.cache = { until: now + staleness, records: [...this.records] };
		}
		const records = [...this.cache.records];
		if (order === 'newest-first') records.reverse();
		if (order === 'shuffled') records.sort((a, b) => ((a.id * 7) % 11) - ((b.id * 7) % 11));
		const page = Number(query.page ?? 1);
		const data = records.slice((page - 1) * pageSize, page * pageSize);
		const meta: JsonObject = { current_page: page, per_page: pageSize };
		const total = records.length;
		if (totals === 'right') meta.total = total;
		if (totals === 'text') meta.total = String(total);
		if (totals === 'too-low') meta.total = Math.max(0, total - 2);
		if (totals === 'too-high') meta.total = total + 2;
		if (totals === 'huge') meta.total = 1_000_000_000;
		return this.response(200, { data: data.map((record) => this.shown(record, true)), meta });
	}

	/** A record as the service shows it. */
	private shown({ id, at, fields }: Stored, isListed = false): JsonObject {
		const { dates, ids, hiddenFields } = this.world;
		const shown: JsonObject = { ...fields, status: 'published' };
		if (isListed && hiddenFields !== 'none') delete shown[hiddenFields];
		if (ids === 'text') shown.id = `post_${id}`;
		if (ids === 'number') shown.id = id;
		if (dates !== 'absent') shown.created_at = this.createdAt(at);
		return shown;
	}

	private createdAt(at: number): string {
		const { granularity, wrongZone, dates, clockOffset } = this.world;
		const shift = clockOffset + wrongZone * 3_600_000 + (dates === 'future' ? 1e12 : 0);
		const cut = Math.floor((at + shift) / granularity) * granularity;
		const text = new Date(cut).toISOString();
		return dates === 'no-zone' ? text.slice(0, -1) : text;
	}

	private response(status: number, body: unknown, more: JsonObject = {}): HttpResponse {
		const { clockOffset, hasDateHeader } = this.world;
		const date = new Date(this.clock.now() + clockOffset).toUTCString();
		return { status, headers: { ...(hasDateHeader ? { date } : {}), ...more }, body };
	}
}

/** What the rows of a sheet hold, with characters that services like to change. */
export function fieldsOfRow(index: number): JsonObject {
	return {
		title: `Offer ${index + 1}: "Café" & more`,
		content: `What **row ${index + 1}** has to say, isn't it ﬁne? ${'Come by and see. '.repeat(3)}`,
	};
}
