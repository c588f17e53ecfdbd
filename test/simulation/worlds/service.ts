import type { Account, Answer } from '../../../dev/sandbox/account';
import type { Clock, HttpRequest, Transport } from '../../../nodes/LocalSeo/client';
import { transportTo } from '../../support/accountTransport';
import { meet, type Outcome } from './faults';

/** An entry of the history; milliseconds since the world began. */
export interface Entry {
	at: number;
	what: string;
}

/** A service that is drawn, in virtual time: an account, faults, and a history. */
export abstract class DrawnService {
	readonly history: Entry[] = [];
	readonly began: number;
	protected abstract readonly account: Account;

	constructor(protected readonly clock: Clock) {
		this.began = clock.now();
	}

	log(what: string): void {
		this.history.push({ at: this.clock.now() - this.began, what });
	}

	/**
	 * The way to the service.
	 *
	 * @param latency there and back (ms)
	 * @param met what a request meets when it arrives; an answer in place of all that the account would do
	 */
	protected way(
		latency: number,
		met: (request: HttpRequest) => Outcome | Answer,
		act = (request: HttpRequest) => this.account.act(request),
	): Transport {
		const { clock } = this;
		const arrive: Parameters<typeof transportTo>[0] = async (request, signal) => {
			const outcome = met(request);
			const how = { clock, timeout: request.timeoutMs, signal };
			const answer = 'acts' in outcome ? await meet(outcome, () => act(request), how) : outcome;
			return 'fault' in answer ? answer : this.account.dressed(answer);
		};
		const send = transportTo(arrive, clock, () => latency);
		return async (request, signal) => {
			const response = await send(request, signal);
			const { method, path, query } = request;
			const { data } = ('body' in response ? response.body : {}) as { data?: unknown };
			const count = Array.isArray(data) ? `, ${data.length} records` : '';
			const end = 'fault' in response ? response.fault : response.status;
			this.log(`${method} ${path} ${JSON.stringify(query)}: ${end}${count}`);
			return response;
		};
	}
}
