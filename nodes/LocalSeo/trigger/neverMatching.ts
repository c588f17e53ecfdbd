import { type JsonObject, ServiceError } from '../client';
import { Directory, readDirectory } from '../lookup';
import { location as resource, SET_BY_SERVICE } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed, sentences } from '../text/words';
import { isLocationAdded } from './events';
import { idIn } from './known';
import type { ReadLocations } from './locations';
import type { Reader } from './reader';
import { hasEvent } from './settings';

/** The most names in a message. */
const MAX_NAMED = 5;
const MAX_FIELDS = 20;

/**
 * Refuses settings that can never match, for whoever activates a workflow: locations that the account
 * does not have, and fields that locations do not have.
 *
 * @throws InputError with what could match
 */
export async function assertMatching(reader: Reader, read: ReadLocations): Promise<void> {
	await assertLocations(reader, read);
	assertFields(reader, read.watched);
}

async function assertLocations(
	{ connection, paging, settings }: Reader,
	{ listing, failures }: ReadLocations,
): Promise<void> {
	// An added location is reported whichever locations are picked.
	if (settings.events.every(isLocationAdded)) return;
	const ids = listing && new Set(listing.map(idIn));
	const [missing, ...more] = settings.locationIds.filter((id) =>
		ids ? !ids.has(id) : isGone(failures.get(id)),
	);
	if (missing === undefined) return;
	const directory = listing
		? new Directory(listing)
		: await readDirectory({ ...connection, paging }).catch(() => undefined);
	throw new InputError(
		more.length === 0
			? `No location has the ID ${asValue(missing)}`
			: `No locations have the IDs ${listed([missing, ...more].map(asValue), MAX_NAMED)}`,
		sentences("Correct 'Location Names or IDs'", directory?.adviceFor(missing)),
	);
}

/** True if the service has no such record, or no path for its ID. */
export function isGone(error: Error | undefined): boolean {
	return error instanceof ServiceError && (error.status === 404 || error.kind === 'invalid-id');
}

function assertFields({ settings }: Reader, locations: JsonObject[]): void {
	const isWatched = hasEvent(settings, 'locations', 'changed');
	// Without a location, the fields are unknown.
	if (!isWatched || locations.length === 0) return;
	const seen = [...new Set(locations.flatMap((location) => Object.keys(location)))];
	// The fields of the interface may appear later.
	const ofInterface = [...resource.fields.map(({ id }) => id), 'status', ...SET_BY_SERVICE];
	const all = new Set([...seen, ...ofInterface]);
	const missing = settings.fieldsToWatch.filter((name) => !all.has(name));
	if (missing.length === 0) return;
	throw new InputError(
		`Locations have no field ${listed(missing.map(asValue), MAX_NAMED)}`,
		`They have: ${listed(seen, MAX_FIELDS)}. Correct 'Fields to Watch' under Options.`,
	);
}
