import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';

import {
	Account,
	type Call,
	type Fields,
	type Kind,
	opaqueId,
	type Switches,
} from '../../../dev/sandbox/account';
import { appWithTexts, arrivalOf, requestIn, send } from '../../../dev/sandbox/socket';
import { Poller, runNode, type RunOptions } from '../../support/engine';

export {
	type Answer,
	type Call,
	type Fields,
	metaOf,
	type Page,
	type Switches,
} from '../../../dev/sandbox/account';

/** One customer's account at the backend, with switches of its own. */
export class Service {
	readonly account: Account;
	readonly credential: { baseUrl: string; apiKey: string };
	/** `METHOD /path?query` of every request, in order of arrival. */
	readonly requests: string[] = [];
	readonly calls: Call[] = [];

	constructor(origin: string, number: number, switches: Partial<Switches>) {
		const { id = opaqueId, instead } = switches;
		this.account = new Account(Date, {
			...switches,
			// A location always has an `id`: other paths begin with it.
			id: (index, kind, records) => ({
				...(kind === 'locations' && opaqueId(index, kind)),
				...id(index, kind, records),
			}),
			instead: (call) => {
				this.calls.push(call);
				return instead?.(call);
			},
		});
		this.credential = { baseUrl: `${origin}/${number}/api/v1`, apiKey: `key-of-account-${number}` };
		const city = { city: 'Leeds', country: 'GB' };
		for (const name of ['Corner Bakery', 'Hill Street Dental']) {
			const address = `${this.account.list('locations').length + 1} High Street`;
			const counts = { rank_score: 61, status: 'active', keywords_count: 0 };
			this.add('locations', { name, address, ...city, ...counts });
		}
	}

	/** All records as they were created. */
	get records(): Record<Kind, Fields[]> {
		const all = (kind: Kind) => this.account.all(kind);
		return {
			...{ locations: all('locations'), keywords: all('keywords') },
			...{ posts: all('posts'), scans: all('scans') },
		};
	}

	/** The ID of a location, in the form of the service. */
	location(index = 0): string {
		return String(this.records.locations[index].id);
	}

	/** Adds a record that was there before. */
	add(kind: Kind, fields: Fields, at = new Date('2026-01-05T09:30:00Z')): Fields {
		return this.account.add(kind, fields, fields.location_id as string | undefined, +at);
	}

	/** Posts from before, each with texts of its own. */
	addPosts(count: number, location = 0): Fields[] {
		return Array.from({ length: count }, (_, index) =>
			this.add('posts', {
				location_id: this.location(location),
				title: `Older post ${index + 1}`,
				content: `What we wrote in week ${index + 1}`,
			}),
		);
	}

	/** The requests that change something. */
	get writes(): string[] {
		return this.requests.filter((line) => !line.startsWith('GET '));
	}

	/** What was sent with a method. */
	sent(method: string): Fields[] {
		return this.calls.filter((call) => call.method === method).map(({ fields }) => fields);
	}

	countOf(method: string): number {
		return this.calls.filter((call) => call.method === method).length;
	}

	/** Runs the node with this account; a run that waits is stopped. */
	async run(parameters: INodeParameters, rows: object[] = [{}], more: Partial<RunOptions> = {}) {
		const { credential } = this;
		const signal = AbortSignal.timeout(GUARD);
		const result = await runNode({ credential, parameters, rows, signal, ...more });
		// The service's own records are what these tests look at; test/node shows the outcome beside them.
		const json = result.json.map((item) => ({ ...item }));
		for (const item of json) {
			delete item.outcome;
			delete item.goes_live;
		}
		return { ...result, json, waited: signal.aborted };
	}

	poller(parameters: INodeParameters): Poller {
		const { credential } = this;
		return new Poller({
			credential,
			parameters: { locationIds: [], options: {}, ...parameters },
			budget: GUARD,
		});
	}
}

/** Milliseconds after which a run is stopped that waits for something. */
const GUARD = 20_000;

/** Starts the backend for the tests of a file; each call gives an account of its own. */
export function useBackend(): (switches?: Partial<Switches>) => Service {
	const services: Service[] = [];
	const app = appWithTexts();
	app.all<{ Params: { number: string } }>('/:number/api/v1/*', (request, reply) => {
		const service = services[Number(request.params.number)];
		service.requests.push(`${request.method} ${request.url.replace(/^.*?\/api\/v1/, '')}`);
		// The account says what time it is, or does not.
		reply.raw.sendDate = false;
		const answer = service.account.handle(requestIn(arrivalOf(request)));
		const type = answer.body !== undefined && { 'content-type': 'application/json' };
		send(reply, { ...answer, headers: { ...type, ...answer.headers } });
	});
	beforeAll(async () => void (await app.listen({ host: '127.0.0.1', port: 0 })));
	afterAll(async () => await app.close());
	return (switches = {}) => {
		const { port } = app.server.address() as AddressInfo;
		const service = new Service(`http://127.0.0.1:${port}`, services.length, switches);
		services.push(service);
		return service;
	};
}
