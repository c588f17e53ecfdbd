import { concurrently, type JsonObject, MAX_IN_FLIGHT, ServiceError } from '../../client';
import type { Connected } from '../../host/connect';
import { labelReading } from '../../insights';
import type { NamedLocation, Note } from '../../resources';
import { InputError } from '../../text/inputError';
import { asTextOrHtml, listed, onOneLine, shortened } from '../../text/words';
import type { Batch } from './batch';
import type { Performed } from '../outcome';
import type { Row } from '../read/row';
import { type Form, type Formed, type Got, inForm } from './form';
import { allLocations, type Listed } from './locations';
import { notesOn, read, totalOf } from './read';

/** A location that was read, and one that was not. */
interface Reading {
	got: Got;
	formed: Formed;
}
interface Failure {
	location: NamedLocation;
	error: InputError | ServiceError;
}

/** How many locations that failed a message lists. */
const MAX_LISTED = 5;

/**
 * The records of all locations, each with its location; with a limit, one location is read after the other
 * until there are enough. A location of which the service has nothing (404) is a note. One that fails
 * otherwise, or has no usable ID, comes out as an item of its own, or stops the node, as its setting On
 * Error says.
 *
 * @throws the first error, if all locations failed, and InputError if some did and errors stop the node
 */
export async function readOfAll(
	row: Row,
	form: Form,
	batch: Batch,
	connection: Connected,
): Promise<Performed> {
	const { request, limit = Infinity } = row;
	const { locations, part } = await allLocations(row, batch, connection);
	const failures: Failure[] = [];
	let count = 0;
	const readLocation = async (location: Listed): Promise<Reading> => {
		if (location.problem) throw location.problem;
		const own = { ...request, ids: { locationId: location.id } };
		const rest = limit < Infinity ? { ...row, limit: limit - count } : row;
		const got = await read(rest, connection, own);
		count += got.records.length;
		const formed = inForm(row, form, location, got, true);
		return { got, formed: { ...formed, notes: [...notesOn(got, request), ...formed.notes] } };
	};
	const jobs = locations.map((location) => async (): Promise<Reading | undefined> => {
		if (count >= limit) return undefined;
		return await readLocation(location).catch((error: unknown) => {
			if (!isOfThisLocation(error)) throw error;
			failures.push({ location, error });
			return undefined;
		});
	});
	const results = await concurrently(jobs, limit < Infinity ? 1 : MAX_IN_FLIGHT);
	const readings = results.filter((one) => one !== undefined);
	const failed = failures.filter(({ error }) => !isNothing(error));
	if (failures.length > 0 && readings.length === 0) throw (failed[0] ?? failures[0]).error;
	if (failed.length > 0 && !connection.continuesOnFail)
		throw failedOf(row, failed, locations.length);
	const nothing = failures.filter(({ error }) => isNothing(error));
	const records = readings.flatMap(({ formed }) => formed.records);
	const all = readings.map(({ got }) => got);
	const isWhole = readings.length + failures.length === locations.length;
	return {
		records: [...records, ...failed.map((failure) => failedRecord(row, failure))],
		outcome: 'done',
		notes: [
			...(part ? [{ say: () => partOf(locations.length, part) }] : []),
			...failed.map((failure) => ({ say: didFail, of: withReason(row, failure) })),
			...nothing.map((failure) => ({ say: leftOut, of: withReason(row, failure) })),
			...readings.flatMap(({ formed }) => formed.notes),
		],
		...(row.resource.tables && { empty: readings.flatMap(({ formed }) => formed.empty!) }),
		total: isWhole ? totalOf(row, all, records.length) : Infinity,
	};
}

function isOfThisLocation(error: unknown): error is Failure['error'] {
	const isOfService = error instanceof ServiceError && error.kind !== 'cancelled';
	return isOfService || error instanceof InputError;
}

/** True if the service says that there is nothing of a location. */
function isNothing(error: Failure['error']): boolean {
	return error instanceof ServiceError && error.kind === 'rejected' && error.status === 404;
}

const partOf = (count: number, { total = 0 }: { total?: number }): string =>
	`The list of locations is incomplete: these are of ${count}${total > count ? ` of ${total}` : ''} locations.`;
const leftOut: Note['say'] = (names, count) =>
	`${count === 1 ? '1 location was' : `${count} locations were`} left out: ${names}.`;
const didFail: Note['say'] = (names, count) =>
	`${count === 1 ? '1 location' : `${count} locations`} failed: ${names}.`;

function withReason({ explain }: Row, { location, error }: Failure): string {
	return `${shortened(labelReading(location))} (${explain(error).message})`;
}

/** Stops the node where errors do not go on: a table without some of the locations looks like a whole one. */
function failedOf(row: Row, failed: Failure[], count: number): InputError {
	const reasons = failed.map((failure) => withReason(row, failure));
	return new InputError(
		`${failed.length} of ${count} locations failed: ${listed(reasons, MAX_LISTED, '; ')}`,
		"To get the others, set 'On Error' to Continue (using error output) in the settings of this node. Each location that failed then leaves by the error output, with its reason.",
	);
}

/** The item of a location that failed; n8n sends one that holds nothing but `error` to the error output. */
function failedRecord({ explain, hasErrorOutput }: Row, { location, error }: Failure): JsonObject {
	const { message, description } = explain(error);
	const status = error instanceof ServiceError ? error.status : 0;
	const about = { location_id: location.id || null, location_name: location.name };
	const said = {
		message: asTextOrHtml(`${labelReading(location)}: ${message}`),
		description: description === undefined ? null : onOneLine(description),
		...(status > 0 && { httpCode: String(status) }),
	};
	return hasErrorOutput ? { error: { ...said, ...about } } : { ...about, error: said };
}
