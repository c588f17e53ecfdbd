import {
	type Connection,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	type Paging,
	plainText,
	readRecords,
	spaced,
	withoutAccents,
} from '../client';
import { InputError } from '../host/errors';
import { listed } from '../host/words';
import { location } from './location';
import { listRequest } from './resource';

/** What a location is called, and by what else it can be told apart; empty where the record has none. */
interface Named extends Record<Part, string> {
	id: string;
	status: string;
}
type Part = 'name' | 'city' | 'country' | 'address';

/** What people call a location: its name, what tells it from others of the same name, or all of it. */
const FORMS: Part[][] = [
	['name'],
	['name', 'city'],
	['name', 'address'],
	['name', 'city', 'address'],
	['name', 'city', 'country', 'address'],
];

/** How many locations a message lists, and how many characters it shows of a name. */
const MAX_LISTED = 3;
const MAX_SHOWN = 100;
/** Letters of a word by which one name may be meant for another. */
const FEWEST_LETTERS = 3;
/** What a location takes with its index, compared with its JSON. */
const INDEX_FACTOR = 6;

/** Signs that tell two names apart as letters do: "A+ Plumbing". */
const OTHER_SIGNS = /[^\p{L}\p{N}\p{M}\p{Sc}+%]+/gu;
/** "1-2" is not "12". */
const NOT_BETWEEN_NUMBERS = /(?<!\p{N}) | (?!\p{N})/gu;
/** `Bakery East, Boston (loc_8f3k2m)`, as messages and lists show a location. */
const WITH_NOTE = /^(.*\S)\s*\(([^()]*)\)$/s;

/**
 * The locations of an account: by ID, and by name as people write it in a sheet.
 *
 * @param paging how to ask for pages; its limit is not used
 * @throws ServiceError if they can't be read
 */
export async function readDirectory(connection: Connection, paging: Paging): Promise<Directory> {
	const whole = { ...paging, limit: undefined };
	const records = await readRecords(connection, listRequest(location), whole);
	return new Directory(records.filter(isRecord));
}

export class Directory {
	/** What this takes in memory, roughly. */
	readonly bytes: number;
	private readonly byId = new Map<string, Named>();
	/** By all that people call a location, as keys. */
	private readonly byForm = new Map<string, Set<Named>>();
	/** The words of their names and cities, once one is looked for that is not there. */
	private words?: Array<[Named, Set<string>]>;

	constructor(records: JsonObject[]) {
		for (const named of records.flatMap((record) => namedOf(record) ?? [])) {
			if (this.byId.has(named.id)) continue;
			this.byId.set(named.id, named);
			for (const key of formsOf(named).map(keyOf)) {
				this.byForm.set(key, (this.byForm.get(key) ?? new Set()).add(named));
			}
		}
		this.bytes = INDEX_FACTOR * jsonBytes([...this.byId.values()]);
	}

	/** All locations, in the order of their list. */
	get locations(): Array<{ id: string; name: string }> {
		return [...this.byId.values()];
	}

	/** What the account calls a location; undefined if it has none of this ID, or no name for it. */
	nameOf(id: string): string | undefined {
		return this.byId.get(id)?.name || undefined;
	}

	/**
	 * The ID of the location that a text names: by name, by name and city or address, as a list to pick
	 * from shows it, or by ID. Case, accents, spaces and punctuation make no difference, unless they are
	 * all that tells two locations apart.
	 *
	 * @throws InputError if no location is called so, or several are
	 */
	idOf(given: string): string {
		const found = this.find(given);
		if (found.length === 1) return found[0].id;
		const shown = JSON.stringify(given.slice(0, MAX_SHOWN));
		if (found.length > 1) {
			throw new InputError(
				`${found.length} locations are called ${shown}: ${listOf(found, 'name', 'city', 'address')}`,
				"Write the city or the address after the name, as they are listed here, or set 'Location' to 'By ID'.",
			);
		}
		const near = this.near(given);
		throw new InputError(
			`No location is called ${shown}${near && `. Did you mean ${near}?`}`,
			`${near ? '' : this.whatThereIs}Correct the name.`,
		);
	}

	private get whatThereIs(): string {
		if (this.byId.size === 0) return `The account has no locations. ${location.whyEmpty} `;
		return `The account has ${listOf([...this.byId.values()], 'name', 'city')}. `;
	}

	private find(given: string): Named[] {
		const called = this.byForm.get(keyOf(given));
		if (called) return closest([...called], given);
		const byId = this.byId.get(given);
		if (byId) return [byId];
		const [, form, note] = WITH_NOTE.exec(given) ?? [];
		if (form === undefined) return [];
		return this.find(form).filter(({ id, status }) => id === note || status === note);
	}

	/** Locations that share most words with a text, as a message lists them; empty if none shares any. */
	private near(given: string): string {
		this.words ??= [...this.byId.values()].map((named) => [
			named,
			wordsOf(`${named.name} ${named.city}`),
		]);
		const looked = [...wordsOf(given)];
		const shared = this.words.map(([, words]) => looked.filter((word) => words.has(word)).length);
		const most = Math.max(1, ...shared);
		const near = [...this.byId.values()].filter((_, at) => shared[at] === most);
		return listOf(near.slice(0, MAX_LISTED), 'name', 'city');
	}
}

function namedOf(record: JsonObject): Named | undefined {
	const id = idOf(record);
	const textOf = (key: string) => {
		const value = record[key];
		return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
	};
	const [name, city, country] = ['name', 'city', 'country'].map(textOf);
	const [address, status] = ['address', 'status'].map(textOf);
	return id === undefined ? undefined : { id, name, city, country, address, status };
}

/** Who has no name is found by the ID alone. */
function formsOf(named: Named): string[] {
	return named.name === '' ? [] : FORMS.map((parts) => inWords(named, parts));
}

function inWords(named: Named, parts: Part[]): string {
	return parts
		.map((part) => named[part])
		.filter(Boolean)
		.join(', ');
}

/** Of several that a text may name, those that are called so to the letter, if there are any. */
function closest(called: Named[], given: string): Named[] {
	if (called.length === 1) return called;
	const text = spaced(given);
	const exact = called.filter((named) => formsOf(named).some((form) => spaced(form) === text));
	return exact.length > 0 ? exact : called;
}

/** What is left of a name when all that people write differently is taken away. */
function keyOf(text: string): string {
	const letters = withoutAccents(plainText(text).toLowerCase());
	return letters.replace(OTHER_SIGNS, ' ').replace(NOT_BETWEEN_NUMBERS, '') || spaced(text);
}

function wordsOf(text: string): Set<string> {
	const words = text.split(/[^\p{L}\p{N}\p{M}]+/u).map(keyOf);
	return new Set(words.filter(({ length }) => length >= FEWEST_LETTERS));
}

/** "Bakery East, Boston (loc_1); Bakery East, Salem (loc_2) and 3 more" */
function listOf(named: Named[], ...parts: Part[]): string {
	const labels = named.map((one) => {
		const label = inWords(one, parts).slice(0, MAX_SHOWN);
		return label === '' ? one.id : `${label} (${one.id})`;
	});
	return listed(labels, MAX_LISTED, '; ');
}
