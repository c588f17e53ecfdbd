import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpenAPIBackend, type Document, type Options, type Request } from 'openapi-backend';
import { parse } from 'yaml';
import type { Answer } from './account';
import type { Arrival } from './socket';

export const CONTRACT_FILE = join(__dirname, 'openapi.yaml');

export class Refusal extends Error {
	constructor(
		private readonly status: number,
		message: string,
		private readonly errors?: Record<string, string[]>,
	) {
		super(message);
	}

	get response(): Answer {
		const { status, message, errors } = this;
		return { status, body: errors ? { message, errors } : { message } };
	}
}

const FORMATS = {
	date: /^\d{4}-\d{2}-\d{2}$/,
	'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
};

/** Registers the formats of dev/sandbox/openapi.yaml; otherwise a validator warns about each and checks none. */
export const withFormats: NonNullable<Options['customizeAjv']> = (ajv) => {
	for (const [name, format] of Object.entries(FORMATS)) ajv.addFormat(name, format);
	return ajv;
};

/** Validates requests and responses against dev/sandbox/openapi.yaml. */
export class Contract {
	private static loading: Promise<Contract> | undefined;

	private constructor(private readonly api: OpenAPIBackend) {}

	/** The same for all sandboxes of a process: its checks are compiled once. */
	static async load(): Promise<Contract> {
		return await (Contract.loading ??= Contract.read());
	}

	private static async read(): Promise<Contract> {
		const api = new OpenAPIBackend({
			definition: parse(readFileSync(CONTRACT_FILE, 'utf8')) as Document,
			strict: true,
			// Checks are compiled when first needed; a test validates the file itself.
			quick: true,
			ajvOpts: { allErrors: true, meta: false, validateSchema: false },
			customizeAjv: withFormats,
		});
		await api.init();
		// The router makes this list anew several times a request.
		const operations = api.router.getOperations();
		api.router.getOperations = () => operations;
		return new Contract(api);
	}

	/** The name of the operation for a method and path; undefined if there is none. */
	operationOf(arrival: Arrival): string | undefined {
		return this.api.router.matchOperation(requestOf(arrival))?.operationId;
	}

	/** The JSON of a request; throws a Refusal with 400, 404 or 422 if it is not valid for the operation. */
	read(operation: string, arrival: Arrival): { body?: unknown } {
		const request = { ...requestOf(arrival), body: jsonOf(arrival.body) };
		const { errors } = this.api.validator.validateRequest(request, operation);
		if (errors?.some(({ instancePath }) => instancePath.startsWith('/path'))) {
			throw new Refusal(404, 'No record has this id.');
		}
		if (!errors?.length) return request;
		const byField: Record<string, string[]> = {};
		for (const error of errors) {
			const { field, text } = complaintOf(error);
			(byField[field] ??= []).push(text);
		}
		throw new Refusal(422, Object.values(byField)[0][0], byField);
	}

	/** What is wrong with a response of the operation; undefined if it is valid. */
	complaintAbout(operation: string, { status = 200, body }: Answer): string | undefined {
		const responses = this.api.getOperation(operation)?.responses ?? {};
		if (!(status in responses) && !(status >= 400 && status < 500)) {
			return `${operation}: status ${status} is not in openapi.yaml: ${JSON.stringify(body)}`;
		}
		const wrong = this.api.validator.validateResponse(body ?? null, operation, status).errors ?? [];
		if (wrong.length === 0) return undefined;
		const texts = wrong.map(({ instancePath, message }) => `${instancePath} ${message}`);
		return `${operation}: a ${status} response does not match openapi.yaml: ${texts.join('; ')}`;
	}
}

type Finding = NonNullable<
	ReturnType<OpenAPIBackend['validator']['validateRequest']>['errors']
>[number];

/** A finding as the service would report it: which field, and what is wrong with it. */
function complaintOf({ instancePath, keyword, params, message }: Finding) {
	// The first part is `requestBody` or `query`.
	const path = instancePath.split('/').slice(2);
	if (keyword === 'required' && instancePath) path.push(String(params.missingProperty));
	const field = path.join('.') || 'body';
	const words: Record<string, string> = {
		required: 'is required',
		pattern: 'has an invalid format',
		minLength: 'is empty',
	};
	return { field, text: `The ${field} field ${words[keyword] ?? message}.` };
}

function requestOf({ method, path, headers }: Arrival): Request {
	return { method, path, headers: headers as Request['headers'] };
}

function jsonOf(text: string | undefined): unknown {
	try {
		return text ? JSON.parse(text) : undefined;
	} catch (error) {
		throw new Refusal(400, `The body is not valid JSON: ${(error as Error).message}`);
	}
}
