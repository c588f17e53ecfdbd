import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { allows, scopeOf } from './access';
import { Refusal, type Answer } from './answer';
import type { Arrival, Call, Contract } from './contract';
import type { Envelope, Fault, Faults } from './faults';
import type { Limits } from './limits';
import { record, type RecordedRequest } from './requests';
import { drop, send, type WireAnswer } from './wire';

export interface ExchangeOptions {
	contract: Contract;
	/** The operations by name. */
	service: Record<string, (call: Call) => Answer>;
	limits: Limits;
	faults: Faults;
	requests: RecordedRequest[];
	latencyMs: number;
}

/** Takes a request to /api/v1 from its arrival to its answer, faults included. */
export class Exchange {
	/** Answers of the sandbox itself that did not fit api/openapi.yaml. */
	readonly complaints: string[] = [];
	private underway = 0;

	constructor(private readonly options: ExchangeOptions) {}

	async handle(arrival: Arrival, reply: FastifyReply): Promise<void> {
		const { faults, requests, latencyMs } = this.options;
		const request = recordOf(arrival, ++this.underway);
		record(requests, request);
		try {
			await pause(latencyMs);
			const fault: Fault = faults.take(request) ?? {};
			if (!fault.actFirst) await pause(fault.delayMs);
			const own = standsAlone(fault) ? undefined : this.judged(arrival, request);
			if (fault.actFirst) await pause(fault.delayMs);
			if (fault.dropConnection) return drop(reply);

			const answer = faultyAnswer(own, fault, request);
			request.status = answer.status;
			send(reply, answer);
		} finally {
			this.underway -= 1;
		}
	}

	/** The service's answer, or a loud 500 where the sandbox itself breaks the contract. */
	private judged(arrival: Arrival, { scope }: RecordedRequest): Answer {
		const { contract } = this.options;
		const operation = contract.operationOf(arrival);
		const headers: Record<string, string> = {};
		let answer: Answer;
		try {
			answer = this.act(operation, arrival, scope, headers);
		} catch (error) {
			const { stack } = error as Error;
			answer = error instanceof Refusal ? error.answer : { status: 500, body: { message: stack } };
		}
		answer = { ...answer, headers };
		const complaint = operation && contract.complaintAbout(operation, answer);
		if (!complaint) return answer;
		this.complaints.push(complaint);
		return { status: 500, body: { message: `The sandbox is wrong: ${complaint}` } };
	}

	/** Key, limit, route, scope, request, action: the first that does not hold is a Refusal. */
	private act(
		operation: string | undefined,
		arrival: Arrival,
		scope: RecordedRequest['scope'],
		headers: Record<string, string>,
	): Answer {
		const { contract, service, limits } = this.options;
		if (!scope) throw new Refusal(401, 'The API key is missing or not known.');
		const standing = limits.take(scope);
		Object.assign(headers, standing?.headers);
		if (standing?.allowed === false) throw new Refusal(429, 'This key has sent too many requests.');
		if (!operation) throw new Refusal(404, 'The route could not be found.');
		if (!allows(scope, arrival.method)) {
			throw new Refusal(403, `A key of scope ${scope} may not send ${arrival.method}.`);
		}
		return service[operation](contract.read(operation, arrival));
	}
}

/** Whether a fault answers, or drops the request, without the service having acted. */
function standsAlone({ actFirst, dropConnection, answer }: Fault): boolean {
	return !actFirst && (dropConnection === true || answer?.status !== undefined);
}

function faultyAnswer(
	own: Answer | undefined,
	{ answer = {}, transform }: Fault,
	request: RecordedRequest,
): WireAnswer {
	const { cutAfterBytes } = answer;
	if (answer.status !== undefined) {
		return { status: answer.status, headers: answer.headers, body: answer.body, cutAfterBytes };
	}
	const { status, headers, body } = own as Answer;
	// The copy keeps a transform from changing the account's own records.
	const changed =
		transform && body !== undefined ? transform(structuredClone(body) as Envelope, request) : body;
	return {
		status,
		headers: { ...headers, ...answer.headers },
		body: 'body' in answer ? answer.body : changed,
		cutAfterBytes,
	};
}

function recordOf({ method, path, headers, body }: Arrival, underway: number): RecordedRequest {
	const url = new URL(path, 'http://sandbox');
	const query: Record<string, string> = {};
	for (const [name, value] of url.searchParams) {
		query[name] = name in query ? `${query[name]},${value}` : value;
	}
	const { authorization, ...others } = headers;
	return {
		method,
		path: path.split('?')[0].replace(/^\/api\/v1/, ''),
		query,
		body: parsedOrText(body),
		headers: Object.fromEntries(
			Object.entries(others).map(([name, value]) => [name, String(value)]),
		),
		scope: scopeOf(authorization as string | undefined),
		at: Date.now(),
		underway,
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
