import { folded, idOf, isRecord, type JsonObject, readList, ServiceError, textOf } from '../client';
import type { Connected } from '../host/connect';
import { listRequest, location } from '../resources';
import { InputError } from '../text/inputError';
import { asValue, listed, shortened } from '../text/words';

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
	/** The words of each location; made when a name is not found. */
	private words?: Array<{ named: Named; own: Set<string> }>;

	constructor(records: JsonObject[]) {
		for (const record of records) {
			const id = idOf(record);
			if (id === undefined || this.byId.has(id)) continue;
			const [name, city] = [record.name, record.city].map((one) => textOf(one ?? '').trim());
			const named = { id, name, city };
			this.byId.set(id, named);
			if (name === '') continue;
			for (const key of [folded(name), folded(inFull(named))]) {
				this.byName.set(key, (this.byName.get(key) ?? new Set()).add(named));
			}
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
		if (!named || named.name === '') return undefined;
		return this.byName.get(folded(named.name))?.size === 1 ? named.name : inFull(named);
	}

	/**
	 * The ID of the location that a text names, as `name` or `name, city`; case, accents and repeated
	 * white space make no difference. An ID is taken, too: n8n keeps it when the mode is changed.
	 *
	 * @throws InputError if no location is called so, or several are
	 */
	idOf(given: string): string {
		const [one = this.byId.get(given), ...others] = this.byName.get(folded(given)) ?? [];
		if (one && others.length === 0) return one.id;
		if (one) {
			throw new InputError(
				`${others.length + 1} locations are called ${asValue(given)}: ${listOf([one, ...others], MAX_LISTED)}`,
				'Write the city after the name, as in Bakery East, Boston, or its ID.',
			);
		}
		throw new InputError(
			`No location is called ${asValue(given)}`,
			`${this.byId.size > 0 ? 'Correct it. ' : ''}${this.adviceFor(given)}`.trim(),
		);
	}

	/** Names the locations that a text may mean, if it is no name or ID of one; empty if none is near. */
	adviceFor(given: string): string {
		if (this.byId.size === 0) return `The account has no locations. ${location.whyEmpty}`;
		const near = this.near(given);
		return near.length > 0 ? `There is ${listOf(near.slice(0, MAX_NEAR), MAX_NEAR)}.` : '';
	}

	/** The locations that share a word with a text; those that share most come first. */
	private near(given: string): Named[] {
		const looked = wordsOf(given);
		this.words ??= [...this.byId.values()].map((named) => {
			return { named, own: new Set(wordsOf(`${named.name} ${named.city} ${named.id}`)) };
		});
		return this.words
			.map(({ named, own }) => ({ named, count: looked.filter((word) => own.has(word)).length }))
			.filter(({ count }) => count > 0)
			.sort((a, b) => b.count - a.count)
			.map(({ named }) => named);
	}
}

/** The name of a location's record; undefined if it has none. */
export function nameIn(record: unknown): string | undefined {
	// An error has a name, too.
	const name = isRecord(record) && !(record instanceof Error) ? record.name : undefined;
	return typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
}

const inFull = ({ name, city }: Named) => (city === '' ? name : `${name}, ${city}`);

const wordsOf = (text: string) => folded(text).match(/[\p{L}\p{N}_]{2,}/gu) ?? [];

/** "Bakery East, Boston (loc_1); Bakery East, Salem (loc_2) and 3 more" */
function listOf(named: Named[], most: number): string {
	const labels = named.map((one) => `${shortened(inFull(one))} (${one.id})`.trim());
	return listed(labels, most, '; ');
}
