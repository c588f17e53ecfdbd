import { type JsonObject } from '../client';
import { InputError } from '../text/inputError';
import { Directory } from '../lookup';
import { location as resource, SET_BY_SERVICE } from '../resources';
import { asValue, listed as someOf, sentences } from '../text/words';
import { idIn } from './records';
import type { Settings } from './settings';

/** The most names in a message. */
const MAX_NAMED = 5;
const MAX_FIELDS = 20;

/**
 * The error for settings that can never match, with names that could: locations that the account does
 * not have, and fields that locations do not have. Undefined if all of them can match.
 */
export function neverMatching(settings: Settings, locations: JsonObject[]): InputError | undefined {
	return missingLocations(settings, locations) ?? missingFields(settings, locations);
}

function missingLocations(
	{ events, locationIds }: Settings,
	locations: JsonObject[],
): InputError | undefined {
	// An added location is reported whichever locations are selected.
	if ([...events].every((event) => event === 'locationAdded')) return undefined;
	const ids = new Set(locations.map(idIn));
	const missing = [...locationIds].filter((id) => !ids.has(id));
	if (missing.length === 0) return undefined;
	return new InputError(
		missing.length === 1
			? `No location has the ID ${asValue(missing[0])}`
			: `No locations have the IDs ${quotedNames(missing)}`,
		sentences(
			locations.length > 0 && "Correct 'Location Names or IDs'",
			new Directory(locations).adviceFor(missing[0]),
		),
	);
}

function missingFields(
	{ events, fieldsToWatch }: Settings,
	locations: JsonObject[],
): InputError | undefined {
	// Without a location, the fields are unknown.
	if (!events.has('locationChanged') || locations.length === 0) return undefined;
	const seen = [...new Set(locations.flatMap((location) => Object.keys(location)))];
	// The fields of the interface may appear later.
	const ofInterface = [...resource.fields.map(({ id }) => id), 'status', ...SET_BY_SERVICE];
	const known = new Set([...seen, ...ofInterface]);
	const missing = fieldsToWatch.filter((name) => !known.has(name));
	if (missing.length === 0) return undefined;
	const meant = [...known].find((name) => folded(name) === folded(missing[0]));
	return new InputError(
		missing.length === 1
			? `Locations have no field ${asValue(missing[0])}${meant ? `. Did you mean "${meant}"?` : ''}`
			: `Locations have no fields ${quotedNames(missing)}`,
		`They have: ${someOf(seen, MAX_FIELDS)}. Correct 'Fields to Watch' under Options.`,
	);
}

const quotedNames = (names: string[]) => someOf(names.map(asValue), MAX_NAMED);

/** Compares a label like the name of a field: "Rank Score" is `rank_score`. */
const folded = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');
