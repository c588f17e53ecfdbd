import {
	type Connection,
	folded,
	idOf,
	isRecord,
	jsonBytes,
	type JsonObject,
	type Paging,
	readCompleteList,
	spaced,
} from '../client';
import { InputError } from '../text/inputError';
import { asValue, listed, shortened } from '../text/words';
import { listRequest, location } from '../resources';

/** The name of a location and whatever else tells it apart; empty where the record has none. */
type Named = Record<'id' | Part, string>;
type Part = (typeof PARTS)[number];

const PARTS = ['name', 'city', 'country', 'address'] as const;
/** The forms in which people name a location: its name, what tells it from others of the same name, or all of it. */
const FORMS: Part[][] = [
	['name'],
	['name', 'city'],
	['name', 'address'],
	['name', 'city', 'address'],
	['name', 'city', 'country', 'address'],
];

/** How many locations a message lists. */
const MAX_LISTED = 5;
/** Letters of a word by which one name may be meant for another. */
const FEWEST_LETTERS = 3;
/** The memory of a location with its index, compared with its JSON. */
const INDEX_FACTOR = 6;

/** Signs that tell two names apart as letters do: "A+ Plumbing". */
const OTHER_SIGNS = /[^\p{L}\p{N}\p{M}\p{Sc}+%]+/gu;
/** "1-2" is not "12". */
const NOT_BETWEEN_NUMBERS = /(?<!\p{N}) | (?!\p{N})/gu;

/**
 * The locations of an account: by ID, and by name as people write it in a sheet.
 *
 * @param paging how to ask for pages; its limit is not used
 * @throws ServiceError if they can't be read
 */
export async function readDirectory(connection: Connection, paging: Paging): Promise<Directory> {
	const whole = { ...paging, limit: undefined };
	const records = await readCompleteList(connection, listRequest(location), whole);
	return new Directory(records.filter(isRecord));
}

export class Directory {
	/** The approximate size in memory. */
	readonly bytes: number;
	private readonly byId = new Map<string, Named>();
	/** By all that people call a location, as keys. */
	private readonly byForm = new Map<string, Set<Named>>();
	/** The words of their names and cities, once one is looked for that is not there. */
	private words?: Array<[Named, string[]]>;

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

	/** All locations, in the order of their list, with names as `nameOf` gives them. */
	get locations(): Array<{ id: string; name: string }> {
		return [...this.byId.values()].map((named) => ({ id: named.id, name: this.toldApart(named) }));
	}

	/**
	 * The name of a location in the account, with its city (or its address) where another one has the same
	 * name; undefined if it has none of this ID, or no name for it.
	 */
	nameOf(id: string): string | undefined {
		const named = this.byId.get(id);
		return named && (this.toldApart(named) || undefined);
	}

	/** The shortest form that no other location has; if all are shared, the name. */
	private toldApart(named: Named): string {
		const own = formsOf(named).find((form) => this.byForm.get(keyOf(form))?.size === 1);
		return own ?? named.name;
	}

	/**
	 * The ID of the location that a text names: by name, by name and city or address, as a list to pick
	 * from shows it, or by ID. Case, accents, spaces and punctuation make no difference.
	 *
	 * @throws InputError if no location is called so, or several are
	 */
	idOf(given: string): string {
		const called = [...(this.byForm.get(keyOf(given)) ?? [])];
		const [one = this.byId.get(given), ...others] = called;
		if (one && others.length === 0) return one.id;
		if (one) {
			throw new InputError(
				`${called.length} locations are called ${asValue(given)}: ${listOf(called, 'name', 'city', 'address')}`,
				"Write the city or the address after the name, or set 'Location' to 'By ID'.",
			);
		}
		const { meant, there } = this.insteadOf(given);
		throw new InputError(
			`No location is called ${asValue(given)}${meant}`,
			meant === '' ? `${there} Correct the name.` : 'Correct the name.',
		);
	}

	/**
	 * The advice for a text that is no location's name or ID: which one may be meant, to be added to a
	 * message (empty: none is near), and which there are, as a sentence.
	 */
	insteadOf(given: string): { meant: string; there: string } {
		const all = [...this.byId.values()];
		const called = [...(this.byForm.get(keyOf(given)) ?? [])];
		const spelled = all.filter(({ id }) => id.toLowerCase() === given.toLowerCase());
		const near = [called, spelled].find(({ length }) => length > 0) ?? this.near(given);
		return {
			meant: near.length > 0 ? `. Did you mean ${listOf(near, 'name', 'city')}?` : '',
			there:
				all.length === 0
					? `The account has no locations. ${location.whyEmpty}`
					: `The account has ${listOf(all, 'name', 'city')}.`,
		};
	}

	/** Locations that share most words with a text; none, if none shares any. */
	private near(given: string): Named[] {
		this.words ??= [...this.byId.values()].map((named) => [
			named,
			wordsOf(inWords(named, ['name', 'city'])),
		]);
		const looked = wordsOf(given);
		const shared = this.words.map(
			([, words]) => looked.filter((word) => words.includes(word)).length,
		);
		const most = shared.reduce((one, other) => Math.max(one, other), 1);
		return this.words.flatMap(([named], at) => (shared[at] === most ? [named] : []));
	}
}

function namedOf(record: JsonObject): Named | undefined {
	const id = idOf(record);
	const entries = PARTS.map((part): [string, string] => {
		const value = record[part];
		const isText = typeof value === 'string' || typeof value === 'number';
		return [part, isText ? String(value).trim() : ''];
	});
	return id === undefined ? undefined : ({ id, ...Object.fromEntries(entries) } as Named);
}

/** A location without a name is found by its ID alone. */
function formsOf(named: Named): string[] {
	return named.name === '' ? [] : FORMS.map((parts) => inWords(named, parts));
}

function inWords(named: Named, parts: Part[]): string {
	return parts
		.map((part) => named[part])
		.filter(Boolean)
		.join(', ');
}

/** A name without all that people write differently. */
function keyOf(text: string): string {
	return folded(text).replace(OTHER_SIGNS, ' ').replace(NOT_BETWEEN_NUMBERS, '') || spaced(text);
}

function wordsOf(text: string): string[] {
	const words = text.split(/[^\p{L}\p{N}\p{M}]+/u).map(keyOf);
	return words.filter(({ length }) => length >= FEWEST_LETTERS);
}

/** "Bakery East, Boston (loc_1); Bakery East, Salem (loc_2) and 3 more" */
function listOf(named: Named[], ...parts: Part[]): string {
	const labels = named.map((one) => `${shortened(inWords(one, parts))} (${one.id})`.trim());
	return listed(labels, MAX_LISTED, '; ');
}
