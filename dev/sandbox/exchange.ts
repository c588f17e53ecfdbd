import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { allows, type Scope, scopeOf } from './access';
import type { Account, Answer } from './account';
import { type Contract, Refusal } from './contract';
import type { Envelope, Fault, Faults, RecordedRequest } from './faults';
import { type Arrival, drop, requestIn, send, type SocketAnswer } from './socket';

interface ExchangeOptions {
	contract: Contract;
	service: Account;
	faults: Faults;
	requests: RecordedRequest[];
	/** How long a request takes at least. */
	latencyMs: number;
}

const MAX_KEPT = 100_000;

/** Takes a request to /api/v1 from its arrival to its response, faults included. */
export class Exchange {
	/** Responses of the sandbox itself that did not fit dev/sandbox/openapi.yaml. */
	readonly complaints: string[] = [];
	private inFlight = 0;

	constructor(private readonly options: ExchangeOptions) {}

	async handle(arrival: Arrival, reply: FastifyReply): Promise<void> {
		const { faults, requests, latencyMs } = this.options;
		const request = recordOf(arrival, ++this.inFlight);
		requests.push(request);
		if (requests.length > MAX_KEPT) requests.shift();
		try {
			await pause(latencyMs);
			const fault: Fault = faults.take(request) ?? {};
			const { actFirst, dropConnection, delayMs } = fault;
			// Such a fault responds without the service having acted.
			const standsAlone = !actFirst && (dropConnection || fault.response?.status !== undefined);
			if (!actFirst) await pause(delayMs);
			const own = standsAlone ? undefined : this.validated(arrival, request.scope);
			if (actFirst) await pause(delayMs);
			if (dropConnection) return drop(reply);

			const response = faultyResponse(own, fault, request);
			request.status = response.status;
			send(reply, response);
		} finally {
			this.inFlight -= 1;
		}
	}

	/** The service's response, or a 500 that says so if the sandbox itself violates the contract. */
	private validated(arrival: Arrival, scope?: Scope): Answer {
		const { contract, service } = this.options;
		const operation = contract.operationOf(arrival);
		let response: Answer;
		try {
			response = this.act(operation, arrival, scope);
		} catch (error) {
			const failure = { status: 500, body: { message: (error as Error).stack } };
			response = error instanceof Refusal ? error.response : failure;
		}
		if (scope) response = service.dressed(response, scope);
		const complaint = operation && contract.complaintAbout(operation, response);
		if (!complaint) return response;
		this.complaints.push(complaint);
		return { status: 500, body: { message: `The sandbox violates its contract: ${complaint}` } };
	}

	/** Checks key, limit, route, scope and request, in this order, then acts; the first failed check throws. */
	private act(operation: string | undefined, arrival: Arrival, scope?: Scope): Answer {
		const { contract, service } = this.options;
		const { method } = arrival;
		if (!scope) throw new Refusal(401, 'The API key is missing or unknown.');
		const refusal = service.refusal(scope);
		if (refusal) return refusal;
		if (!operation) throw new Refusal(404, 'This route does not exist.');
		if (!allows(scope, method)) {
			throw new Refusal(403, `A key with the ${scope} scope may not send ${method} requests.`);
		}
		contract.read(operation, arrival);
		return service.act(requestIn(arrival));
	}
}

function faultyResponse(
	own: Answer | undefined,
	{ response = {}, transform }: Fault,
	request: RecordedRequest,
): SocketAnswer {
	if (response.status !== undefined) return response;
	const { status = 200, headers, body } = own as Answer;
	// A copy, so that a transform cannot change the account's own records.
	const changed =
		transform && body !== undefined ? transform(structuredClone(body) as Envelope, request) : body;
	const all = { ...headers, ...response.headers };
	return { body: changed, ...response, status, headers: all };
}

function recordOf(arrival: Arrival, inFlight: number): RecordedRequest {
	const { method, path, query, body } = requestIn(arrival);
	const { authorization, ...others } = arrival.headers;
	const headers = Object.entries(others).map(([name, value]) => [name, String(value)]);
	return {
		...{ method, path, query, at: Date.now(), inFlight },
		body: parsedOrText(body),
		headers: Object.fromEntries(headers) as Record<string, string>,
		scope: scopeOf(authorization),
	};
}

function parsedOrText(body: string | undefined): unknown {
	try {
		return body ? JSON.parse(body) : undefined;
	} catch {
		return body;
	}
}

async function pause(milliseconds = 0): Promise<void> {
	if (milliseconds > 0) await sleep(milliseconds, undefined, { ref: false });
}
