import {
	BoundedMap,
	type Connection,
	getOrMake,
	isRecord,
	type Paging,
	readRecords,
} from '../client';
import { PerAccount } from '../host/accounts';
import { InputError } from '../host/errors';
import { location } from './location';
import { LocationNames } from './locationNames';
import { listRequest } from './resource';

/** About 100,000 locations. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Milliseconds for which a run that did not find a name does not read the list again. */
const READ_AGAIN_AFTER = 5_000;
/** Characters of a name that a message shows. */
const MAX_SHOWN = 100;

/** Who looks for locations by name: the list is read once for each. */
export interface Reader {
	/** An execution's node, say. */
	name: string;
	/** The run of it that is looking; absent: each call is a run of its own. */
	run?: string;
	/** Milliseconds after which the list is read again; absent: it is the same for as long as it is used. */
	freshForMs?: number;
}

/** A reading of the account's locations. */
interface Reading {
	names: LocationNames;
	/** The run that needed it, and when it began. */
	run?: string;
	readAt: number;
}

/** By reader; those of executions that have ended go within the hour. */
const readings = new PerAccount(
	({ clock }) =>
		new BoundedMap<Promise<Reading>>({ maxBytes: MAX_BYTES, forgetAfterMs: 3_600_000 }, clock),
);

/**
 * The ID of the location that a text names, in one of the ways of `LocationNames`. If there is none,
 * the list is read once more: the location may have been created since.
 *
 * @param paging how to ask for pages; its limit is not used
 * @throws InputError if no location is called so, or several are, and ServiceError if the list can't be
 * read
 */
export async function locationIdOf(
	connection: Connection,
	given: string,
	paging: Paging,
	reader: Reader,
): Promise<string> {
	const { clock } = connection.account;
	const kept = readings.of(connection.account);
	const key = keyOf(paging, reader);
	const make = async () => await read(connection, wholeList(paging), reader.run);
	const calledAt = clock.now();
	for (;;) {
		const reading = getOrMake(kept, key, make, ({ names }) => names.bytes);
		const known = kept.get(key);
		const { names, run, readAt } = await reading;
		const found = names.find(given);
		const age = clock.now() - readAt;
		const isOwn = run !== undefined && run === reader.run;
		const mayBeNew = found.length === 0 && (!isOwn || age > READ_AGAIN_AFTER);
		const isOld = mayBeNew || age > (reader.freshForMs ?? Infinity);
		if (readAt >= calledAt || !isOld) return theOnly(found, given, names);
		// Unless another row has done so meanwhile.
		if (kept.get(key) === known) kept.delete(key);
	}
}

/**
 * What a location is called in the list that a reader has read for `locationIdOf`; undefined if it has
 * read none. Sends nothing.
 */
export async function listedNameOf(
	connection: Connection,
	id: string,
	paging: Paging,
	reader: Reader,
): Promise<string | undefined> {
	const reading = await readings.of(connection.account).get(keyOf(paging, reader));
	return reading?.names.nameOf(id);
}

const wholeList = (paging: Paging): Paging => ({ ...paging, limit: undefined });

function keyOf(paging: Paging, { name }: Reader): string {
	return JSON.stringify([name, wholeList(paging)]);
}

async function read(connection: Connection, paging: Paging, run?: string): Promise<Reading> {
	const readAt = connection.account.clock.now();
	const request = listRequest(location);
	const records = await readRecords(connection, request, paging);
	return { names: new LocationNames(records.filter(isRecord), MAX_BYTES), run, readAt };
}

/** @throws InputError if there is none, or more than one */
function theOnly(found: string[], given: string, names: LocationNames): string {
	if (found.length === 1) return found[0];
	const shown = JSON.stringify(given.slice(0, MAX_SHOWN));
	if (found.length > 1) {
		throw new InputError(
			`${found.length} locations are called ${shown}: ${names.list(found)}`,
			'Write the city or the address after the name, as they are listed here, or set Location to By ID.',
		);
	}
	const near = names.near(given);
	throw new InputError(
		`No location is called ${shown}${near && `. Did you mean ${near}?`}`,
		`${near ? '' : whatThereIs(names)}Correct the name, pick a location from the list, or set Location to By ID.`,
	);
}

function whatThereIs({ size, isTooLarge, examples }: LocationNames): string {
	if (isTooLarge) return 'The account has too many locations to find one by its name. ';
	if (size === 0) return `The account has no locations. ${location.whyEmpty} `;
	return `The account has ${examples}. `;
}
