import {
	Account,
	addressWithin,
	type Clock,
	type Connection,
	faultOf,
	type HttpResponse,
	type JsonObject,
	type Method,
	send,
	ServiceError,
	type ServiceRequest,
	type Transport,
	withoutKey,
} from '../../../nodes/LocalSeo/client';

/** The most requests of a check: to read an account, to try a keyword there, and to delete it. */
export const MOST = { read: 34, try: 19, delete: 4 };
/** Milliseconds: for a request, for one that waits for the rate limit, and until it is said that it waits. */
const TIMEOUT = 30_000;
const PATIENCE = 600_000;
const SAID_AFTER = 2_000;

/** A response, and the method that it answers. */
export type Answer = HttpResponse & { method: Method };

/** The service as the check uses it: through the client, at its pace, and every response is kept. */
export class Service {
	readonly answers: Answer[] = [];
	readonly connection: Connection;
	/** Requests that may still be sent. */
	left = MOST.read;
	/** Why the last one failed, if it did. */
	failure?: ServiceError;

	/** @param say tells the person at the terminal how it goes on */
	constructor(
		transport: Transport,
		readonly clock: Clock,
		readonly say: (text: string) => void,
	) {
		const counted: Transport = async (request, signal) => {
			if (this.left <= 0) return { fault: 'other', cause: new Error('No request is left') };
			this.left--;
			const outcome = await transport(request, signal);
			if ('status' in outcome) this.answers.push({ ...outcome, method: request.method });
			return outcome;
		};
		const account = new Account(clock, Math.random);
		this.connection = { account, transport: counted, patienceMs: PATIENCE, timeoutMs: TIMEOUT };
	}

	/** What the service answers to a GET, whatever the status; undefined where it does not. */
	async get(path: string, query: JsonObject = {}, id = '', patienceMs = PATIENCE) {
		const connection = { ...this.connection, patienceMs };
		return await this.answerTo('GET', send(connection, { ...requestOf('GET', path, id), query }));
	}

	/** The last answer to what is under way. */
	async answerTo(method: Method, work: Promise<unknown>): Promise<Answer | undefined> {
		const { clock, say } = this;
		const before = this.answers.length;
		const done = new AbortController();
		const speak = () => {
			const seconds = Math.ceil(this.connection.account.governor.pauseMs / 1_000);
			if (seconds === 0) say('Waiting for the service to respond …');
			else say(`Rate limit reached: the service asks to wait another ${seconds} s …`);
		};
		clock.sleep(SAID_AFTER, done.signal).then(speak, () => {});
		this.failure = undefined;
		await work.catch((error: unknown) => {
			if (!(error instanceof ServiceError)) throw error;
			this.failure = error;
		});
		done.abort();
		return this.answers.slice(before).findLast((answer) => answer.method === method);
	}
}

/** @param id what stands in the path */
export function requestOf(method: Method, path: string, id = ''): ServiceRequest {
	return { method, path, ids: { locationId: id, keywordId: id }, query: {}, noun: 'record' };
}

/** Sends requests with Node.js's own fetch. @param key empty: without one */
export function transportTo(root: URL, key: string): Transport {
	return async ({ method, path, query, headers, body }, signal) => {
		const address = new URL(addressWithin(root, path));
		for (const name of Object.keys(query)) address.searchParams.set(name, String(query[name]));
		const sent = key === '' ? headers : { ...headers, Authorization: `Bearer ${key}` };
		try {
			const init = { method, headers: sent, body, redirect: 'manual' as const, signal };
			const response = await fetch(address, init);
			const json: unknown = await response
				.clone()
				.json()
				.catch(async () => await response.text());
			const received = Object.fromEntries(response.headers);
			const { status } = response;
			return withoutKey({ status, address: address.href, headers: received, body: json }, key);
		} catch (error) {
			const { cause = error } = error as Error;
			return { fault: faultOf(cause as Error), cause: cause as Error };
		}
	};
}
