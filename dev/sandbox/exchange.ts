import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { allows, scopeOf } from './access';
import type { Account, Answer, Workers } from './account';
import type { Contract } from './contract';
import type { Envelope, Fault, Faults } from './faults';
import { habitual, type Habits } from './habits';
import { type LatencyByKind, latencyFor } from './latency';
import { Refusal } from './refusal';
import { record, type RecordedRequest } from './requests';
import { type Arrival, drop, requestIn, send, type SocketAnswer } from './socket';

export interface ExchangeOptions {
	contract: Contract;
	service: Account;
	faults: Faults;
	habits: Habits;
	requests: RecordedRequest[];
	latency: LatencyByKind;
	workers: Workers;
}

const OVERLOADED: Fault = { response: { status: 503, body: { message: 'The service is busy.' } } };

/** Takes a request to /api/v1 from its arrival to its response, faults included. */
export class Exchange {
	/** Responses of the sandbox itself that did not fit dev/sandbox/openapi.yaml. */
	readonly complaints: string[] = [];
	private inFlight = 0;

	constructor(private readonly options: ExchangeOptions) {}

	async handle(arrival: Arrival, reply: FastifyReply): Promise<void> {
		const { faults, requests, latency, workers } = this.options;
		const request = recordOf(arrival, ++this.inFlight);
		record(requests, request);
		try {
			const isServed = await workers.enter();
			if (isServed) {
				await pause(latencyFor(latency, request));
				workers.leave();
			}
			const fault: Fault = (isServed ? faults.take(request) : OVERLOADED) ?? {};
			if (!fault.actFirst) await pause(fault.delayMs);
			const own = standsAlone(fault) ? undefined : this.validated(arrival, request);
			if (fault.actFirst) await pause(fault.delayMs);
			if (fault.dropConnection) return drop(reply);

			const response = faultyResponse(own, fault, request);
			request.status = response.status;
			send(reply, response);
		} finally {
			this.inFlight -= 1;
		}
	}

	/** The service's response, or a 500 that says so if the sandbox itself violates the contract. */
	private validated(arrival: Arrival, { scope }: RecordedRequest): Answer {
		const { contract, service } = this.options;
		const operation = contract.operationOf(arrival);
		let response: Answer;
		try {
			response = this.act(operation, arrival, scope);
		} catch (error) {
			const { stack } = error as Error;
			response =
				error instanceof Refusal ? error.response : { status: 500, body: { message: stack } };
		}
		if (scope) response = service.dressed(response, scope);
		const complaint = operation && contract.complaintAbout(operation, response);
		if (!complaint) return habitual(this.options.habits, response);
		this.complaints.push(complaint);
		return { status: 500, body: { message: `The sandbox violates its contract: ${complaint}` } };
	}

	/** Checks key, limit, route, scope and request, in this order, then acts; the first failed check throws. */
	private act(
		operation: string | undefined,
		arrival: Arrival,
		scope: RecordedRequest['scope'],
	): Answer {
		const { contract, service } = this.options;
		if (!scope) throw new Refusal(401, 'The API key is missing or unknown.');
		const refusal = service.refusal(scope);
		if (refusal) return refusal;
		if (!operation) throw new Refusal(404, 'This route does not exist.');
		if (!allows(scope, arrival.method)) {
			throw new Refusal(
				403,
				`A key with the ${scope} scope may not send ${arrival.method} requests.`,
			);
		}
		contract.read(operation, arrival);
		return service.act(requestIn(arrival));
	}
}

/** Whether a fault responds, or drops the connection, without the service having acted. */
function standsAlone({ actFirst, dropConnection, response }: Fault): boolean {
	return !actFirst && (dropConnection === true || response?.status !== undefined);
}

function faultyResponse(
	own: Answer | undefined,
	{ response = {}, transform }: Fault,
	request: RecordedRequest,
): SocketAnswer {
	const { cutAfterBytes } = response;
	if (response.status !== undefined) {
		return {
			status: response.status,
			headers: response.headers,
			body: response.body,
			cutAfterBytes,
		};
	}
	const { status = 200, headers, body } = own as Answer;
	// A copy, so that a transform cannot change the account's own records.
	const changed =
		transform && body !== undefined ? transform(structuredClone(body) as Envelope, request) : body;
	return {
		status,
		headers: { ...headers, ...response.headers },
		body: 'body' in response ? response.body : changed,
		cutAfterBytes,
	};
}

function recordOf(arrival: Arrival, inFlight: number): RecordedRequest {
	const { method, path, query, body } = requestIn(arrival);
	const { authorization, ...others } = arrival.headers;
	return {
		...{ method, path, query },
		body: parsedOrText(body),
		headers: Object.fromEntries(
			Object.entries(others).map(([name, value]) => [name, String(value)]),
		),
		scope: scopeOf(authorization as string | undefined),
		at: Date.now(),
		inFlight,
	};
}

function parsedOrText(body: string | undefined): unknown {
	if (!body) return undefined;
	try {
		return JSON.parse(body);
	} catch {
		return body;
	}
}

async function pause(milliseconds = 0): Promise<void> {
	if (milliseconds > 0) await sleep(milliseconds, undefined, { ref: false });
}
