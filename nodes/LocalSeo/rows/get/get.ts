import {
	concurrently,
	endsWithId,
	isEmpty,
	MAX_IN_FLIGHT,
	readData,
	readList,
	ServiceError,
	type ServiceRequest,
} from '../../client';
import type { Connected } from '../../host/connect';
import { isOnePageOfSeveral, nameInResponse, type Period } from '../../insights';
import type { Note } from '../../resources';
import { InputError } from '../../text/inputError';
import { shortened } from '../../text/words';
import type { Batch } from '../batch';
import type { Performed } from '../outcome';
import { addressed, directoryOf, readLocationName } from '../plan/location';
import type { Row } from '../read/row';
import { type Formed, type Got, type ReadLocation, ofLocations, periodOf, tableOf } from './form';

/** Reads what a row asks for: a list or a record, of one location or of all. */
export async function get(row: Row, batch: Batch, connection: Connected): Promise<Performed> {
	// Before anything is read: a form or a period that is none is refused.
	tableOf(row);
	const period = periodOf(row, connection);
	if (row.problems.error) throw row.problems.error;
	refusePaging(row, connection);
	if (row.isOfAll) return await readOfAll(row, batch, connection, period);
	const request = await addressed(row, batch, connection);
	const got = await read(row, connection, request);
	const formed = await inForm({ ...row, request }, batch, connection, got, period);
	return { ...formed, outcome: 'done', total: totalOf(row, [got], got.records.length) };
}

/** A list is read page by page, with query parameters of the node's own. */
function refusePaging({ request: { query } }: Row, { paging }: Connected): void {
	const { pageParameter, pageSizeParameter } = paging;
	const name = [pageParameter, pageSizeParameter].find((one) => Object.hasOwn(query, one));
	if (name === undefined) return;
	const isPage = name === pageParameter;
	throw new InputError(
		`The query parameter "${name}" ${isPage ? 'selects the page' : 'sets the page size'}, which the node does itself`,
		`Remove it, and ${isPage ? "set 'Limit' or 'Return All'" : "set 'Page Size' in the credential"}. If the service uses this name for something else, turn on 'Own Page Parameters' in the credential, or ask its owner.`,
	);
}

/** @throws ServiceError also for a list that is not complete, unless the row accepts that */
async function read(row: Row, connection: Connected, request: ServiceRequest): Promise<Got> {
	const { limit, acceptsIncomplete } = row;
	const paging = { ...connection.paging, limit };
	const isList = !request.isOfAnyShape && !endsWithId(request.path);
	const got = isList
		? await listed(connection, request, paging)
		: await ofData(connection, request, paging);
	const { list, data, beside } = got;
	if (list?.incomplete && !acceptsIncomplete) throw list.incomplete;
	if (isOnePageOfSeveral(data, beside) && !acceptsIncomplete) throw onePage(request);
	return got;
}

async function listed(...of: Parameters<typeof readList>): Promise<Got> {
	const list = await readList(...of);
	return { records: list.records, list };
}

async function ofData(...of: Parameters<typeof readData>): Promise<Got> {
	const read = await readData(...of);
	return { ...read, records: recordsOf(read.data) };
}

const onePage = ({ noun }: ServiceRequest) =>
	new InputError(
		`These ${noun}s are one page of several, and the node does not know how to ask for the others`,
		"Ask for all of them at once in the option 'Query Parameters', as the documentation of your service says. To take what came, add the option 'Accept Incomplete Lists'.",
	);

/** Data as records: nothing is none, and anything else but a list is one. */
function recordsOf(data: unknown): unknown[] {
	if (Array.isArray(data)) return data as unknown[];
	const isNothing = isEmpty(data) || Object.keys(Object(data)).length === 0;
	return isNothing && typeof data !== 'number' && typeof data !== 'boolean' ? [] : [data];
}

/** The number of records if a limit left some out; Infinity if it may have. */
function totalOf({ limit }: Row, all: Got[], shown: number): number | undefined {
	if (shown !== limit) return undefined;
	const sizes = all.map(({ list, records }) =>
		list?.isCut ? (list.total ?? Infinity) : records.length,
	);
	const total = sizes.reduce((sum, size) => sum + size, 0);
	return total > shown ? total : undefined;
}

/** Notes for someone who would take the records for all of them. */
function notesOn({ list, records }: Got, { noun }: ServiceRequest): Note[] {
	const { endsWithRepeat, incomplete, total } = list ?? {};
	if (endsWithRepeat) {
		return [
			{
				say: () =>
					`The service returned a page of ${noun}s again in place of the next one. If there are more than these ${records.length}, turn on 'Own Page Parameters' in the credential, or ask its owner.`,
			},
		];
	}
	if (!incomplete) return [];
	const of = total === undefined ? '' : ` of ${total}`;
	return [{ say: () => `The list is incomplete: these are ${records.length}${of} ${noun}s.` }];
}
const leftOut: Note['say'] = (names, count) =>
	`${count === 1 ? '1 location was' : `${count} locations were`} left out: ${names}.`;
const withoutName: Note['say'] = (names) =>
	`location_name is empty where the name could not be read: ${names}.`;

/** Statuses with which a service says that it has nothing of a location, or does not give it. */
const NOT_OF_THIS_ONE = [400, 403, 404, 410, 422];

/**
 * The records of all locations, as far as the limit goes, each with its location. One that refuses (it
 * is not active, say) does not hold up the others.
 */
async function readOfAll(
	row: Row,
	batch: Batch,
	connection: Connected,
	period?: Period,
): Promise<Performed> {
	const { request, explain } = row;
	const { locations } = await directoryOf(batch, connection);
	const { limit = Infinity } = row;
	const refusals: ServiceError[] = [];
	const notes: Note[] = [];
	let count = 0;
	const jobs = locations.map((location) => async (): Promise<ReadLocation | undefined> => {
		// The readings that were started come first in the order of the locations.
		if (count >= limit) return undefined;
		const own = { ...request, ids: { locationId: location.id } };
		const got = await read(row, connection, own).catch((error: unknown) => {
			if (!isOfThisLocation(error)) throw error;
			refusals.push(error);
			const why = explain(error).message;
			notes.push({ say: leftOut, of: `${shortened(location.name || location.id)} (${why})` });
			return undefined;
		});
		if (!got) return undefined;
		count += got.records.length;
		notes.push(...notesOn(got, request));
		return { location, got };
	});
	const readings = (await concurrently(jobs, MAX_IN_FLIGHT)).filter((one) => one !== undefined);
	if (refusals.length > 0 && readings.length === 0) throw refusals[0];
	const isPartOfAll = readings.length + refusals.length < locations.length;
	const formed = ofLocations(row, period, readings, true);
	const records = formed.records.slice(0, limit);
	const known = totalOf(
		row,
		readings.map(({ got }) => got),
		records.length,
	);
	return {
		...formed,
		records,
		outcome: 'done',
		notes: [...notes, ...formed.notes],
		total: isPartOfAll ? Infinity : known,
	};
}

function isOfThisLocation(error: unknown): error is ServiceError {
	if (!(error instanceof ServiceError) || error.facts.kind !== 'rejected') return false;
	return NOT_OF_THIS_ONE.includes(error.status) && !error.facts.isBusy;
}

/** A table is of the location that was requested; its name is read only if the table needs it. */
async function inForm(
	row: Row,
	batch: Batch,
	connection: Connected,
	got: Got,
	period?: Period,
): Promise<Formed> {
	const { request, resource } = row;
	const { locationId: id } = request.ids;
	const isNamed = resource.tables && (tableOf(row) || got.records.length === 0);
	const own = isNamed ? nameInResponse(got.records[0]) : undefined;
	const read =
		isNamed && own === undefined ? await readLocationName(row, batch, connection, id) : {};
	const name = own ?? read.name ?? null;
	const formed = ofLocations(row, period, [{ location: { id, name }, got }], false);
	const isMissing = read.why !== undefined && formed.records.length > 0;
	const nameless = isMissing ? [{ say: withoutName, of: `${id} (${read.why})` }] : [];
	return { ...formed, notes: [...notesOn(got, request), ...nameless, ...formed.notes] };
}
