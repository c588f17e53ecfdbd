import { ServiceError } from '../client';

/** Records that a key can't read, or that no longer exist, or whose ID can't stand in an address. */
const INACCESSIBLE = [403, 404, 410];
/** Errors that say nothing about one record, by their kind and status. */
const OF_ALL: Array<ServiceError['kind']> = [
	'unreachable',
	'unknown-host',
	'insecure',
	'timeout',
	'rate-limited',
	'cancelled',
	'other',
];
const OF_ALL_STATUS = [401, 429];
/** So many may fail for other reasons; more of them, and more than succeed, mean that the service is in trouble. */
const MAX_FAILED = 3;

/**
 * Reads the lists of several records. One that can't be read says nothing about the others, unless
 * most of them fail.
 */
export class Failures {
	/** Of records that may be readable later. */
	readonly errors: ServiceError[] = [];
	private failed = 0;
	private succeeded = 0;

	/** @param onFailure called for each record that can't be read */
	constructor(private readonly onFailure: (error: ServiceError) => void) {}

	/**
	 * @returns undefined where it can't be read
	 * @throws ServiceError, if that concerns the others as well
	 */
	async skipFailed<T extends object>(read: () => Promise<T>): Promise<T | undefined> {
		const result = await read().catch((error: unknown) => error as Error);
		if (!(result instanceof Error)) {
			this.succeeded++;
			return result;
		}
		return this.skip(result);
	}

	private skip(error: Error): undefined {
		if (!isOfOne(error)) throw error;
		// An ID that can't stand in an address never will: nothing failed.
		if (error.kind !== 'invalid-id') this.errors.push(error);
		if (!isInaccessible(error)) this.failed++;
		if (this.failed > MAX_FAILED && this.failed > this.succeeded) throw error;
		this.onFailure(error);
		return undefined;
	}
}

function isOfOne(error: Error): error is ServiceError {
	if (!(error instanceof ServiceError)) return false;
	const { kind, status = 0 } = error.facts;
	return !OF_ALL.includes(kind) && !OF_ALL_STATUS.includes(status);
}

function isInaccessible({ facts: { kind, status = 0 } }: ServiceError): boolean {
	return kind === 'invalid-id' || INACCESSIBLE.includes(status);
}
