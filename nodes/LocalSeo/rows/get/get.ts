import type { Connected } from '../../host/connect';
import type { Note } from '../../resources';
import { InputError } from '../../text/inputError';
import type { Batch } from './batch';
import type { Performed } from '../outcome';
import type { Row } from '../read/row';
import { type Form, type Formed, formOf, type Got, inForm } from './form';
import { withNote } from './forTools';
import { withLocationId, readLocationName } from './locations';
import { readOfAll } from './ofAll';
import { notesOn, read, totalOf } from './read';

/** Reads what a row asks for: a list or a record, of one location or of all. */
export async function get(row: Row, batch: Batch, connection: Connected): Promise<Performed> {
	// Before anything is read: a form or a period that is none is refused.
	const form = formOf(row, connection);
	if (row.problems.error) throw row.problems.error;
	refusePaging(row, connection);
	const performed = row.isOfAll
		? await readOfAll(row, form, batch, connection)
		: await readOne(row, form, batch, connection);
	return row.isTool ? withNote(row, performed) : performed;
}

async function readOne(
	row: Row,
	form: Form,
	batch: Batch,
	connection: Connected,
): Promise<Performed> {
	const request = await withLocationId(row, batch, connection);
	const got = await read(row, connection, request);
	const formed = await ofOne({ ...row, request }, form, batch, connection, got);
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

const withoutName: Note['say'] = (names) =>
	`location_name is empty where the name could not be read: ${names}.`;

/** A table is of the location that was requested; its name is read only if the table needs it. */
async function ofOne(
	row: Row,
	form: Form,
	batch: Batch,
	connection: Connected,
	got: Got,
): Promise<Formed> {
	const { request, resource } = row;
	const { locationId: id } = request.ids;
	const isNamed = resource.tables && (form.table || got.records.length === 0);
	const { name, why } = isNamed
		? await readLocationName(row, batch, connection, id)
		: { name: null, why: undefined };
	const formed = inForm(row, form, { id, name }, got, false);
	const isMissing = why !== undefined && formed.records.length > 0;
	const nameless = isMissing ? [{ say: withoutName, of: `${id} (${why})` }] : [];
	return { ...formed, notes: [...notesOn(got, request), ...nameless, ...formed.notes] };
}
