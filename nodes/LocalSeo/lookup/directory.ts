import { folded, idOf, isRecord, type JsonObject, readList, ServiceError, textOf } from '../client';
import type { Connected } from '../host/connect';
import { listRequest, location } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed, sentences, shortened } from '../text/words';

/** A location with what people call it; a text is empty where the record has none. */
interface Named {
	id: string;
	name: string;
	city: string;
}

/** How many locations of one name a message lists, and how many others it suggests. */
const MAX_LISTED = 5;
const MAX_NEAR = 3;

/**
 * The locations of an account: by ID and by name.
 *
 * @param acceptsIncomplete false where a location that is missing could be taken for none
 * @throws ServiceError if they can't be read
 */
export async function readDirectory(
	connection: Connected,
	acceptsIncomplete = false,
): Promise<Directory> {
	const list = await readList(connection, listRequest(location), connection.paging);
	const { records, incomplete } = list;
	if (incomplete && !acceptsIncomplete)
		throw new ServiceError({ ...incomplete.facts, isNeededWhole: true });
	return new Directory(records.filter(isRecord));
}

export class Directory {
	private readonly byId = new Map<string, Named>();
	/** By `name` and by `name, city`, folded. */
	private readonly byName = new Map<string, Set<Named>>();
	/** By each word of its name, city and ID. */
	private readonly byWord = new Map<string, Set<Named>>();

	constructor(records: JsonObject[]) {
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined || this.byId.has(id)) continue;
			const [name, city] = [record.name, record.city].map((one) => textOf(one ?? '').trim());
			const named = { id, name, city };
			this.byId.set(id, named);
			if (name !== '') enter(this.byName, [folded(name), folded(inFull(named))], named);
			enter(this.byWord, wordsOf(`${name} ${city} ${id}`), named);
		}
	}

	has(id: string): boolean {
		return this.byId.has(id);
	}

	/** The name of a location alone; undefined if it has none. */
	ownNameOf(id: string): string | undefined {
		return this.byId.get(id)?.name || undefined;
	}

	/** The name of a location, with its city where another one has the same name; undefined if it has none. */
	nameOf(id: string): string | undefined {
		const named = this.byId.get(id);
		if (!named?.name) return undefined;
		return this.byName.get(folded(named.name))?.size === 1 ? named.name : inFull(named);
	}

	/**
	 * The ID of the location that a text names, as `name` or `name, city`; case, accents and repeated
	 * white space make no difference. An ID is taken, too: n8n keeps it when the mode is changed.
	 *
	 * @throws InputError if no location is called so, or several are
	 */
	idOf(given: string): string {
		const found = [...(this.byName.get(folded(given)) ?? [])];
		if (found.length > 1) {
			throw new InputError(
				`${found.length} locations are called ${asValue(given)}: ${listOf(found)}`,
				'Write the city after the name, as in Bakery East, Boston, or its ID.',
			);
		}
		const { id } = found[0] ?? this.byId.get(given) ?? {};
		if (id !== undefined) return id;
		throw new InputError(
			`No location is called ${asValue(given)}`,
			sentences(this.byId.size > 0 && 'Correct it', this.adviceFor(given)),
		);
	}

	/** Names the locations that share most words with a text that names none; empty if none shares one. */
	adviceFor(given: string): string {
		if (this.byId.size === 0) return `The account has no locations. ${location.whyEmpty}`;
		const shared = new Map<Named, number>();
		for (const word of wordsOf(given)) {
			for (const one of this.byWord.get(word) ?? []) shared.set(one, (shared.get(one) ?? 0) + 1);
		}
		const near = [...shared].sort(([, a], [, b]) => b - a).map(([one]) => one);
		return near.length > 0 ? `There is ${listOf(near.slice(0, MAX_NEAR))}.` : '';
	}
}

function enter(index: Map<string, Set<Named>>, keys: string[], named: Named): void {
	for (const key of keys) index.set(key, (index.get(key) ?? new Set()).add(named));
}

/** The name of a location's record; undefined if it has none. */
export function nameIn(record: unknown): string | undefined {
	// An error has a name, too.
	const name = isRecord(record) && !(record instanceof Error) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}

const inFull = ({ name, city }: Named) => (city === '' ? name : `${name}, ${city}`);

const wordsOf = (text: string): string[] => folded(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? [];

/** "Bakery East, Boston (loc_1); Bakery East, Salem (loc_2) and 3 more" */
function listOf(named: Named[]): string {
	const labels = named.map((one) => `${shortened(inFull(one))} (${one.id})`.trim());
	return listed(labels, MAX_LISTED, '; ');
}
