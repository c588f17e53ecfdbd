import {
	idOf,
	jsonBytes,
	type JsonObject,
	keyTextOf,
	plainText,
	spaced,
	withoutAccents,
} from '../client';
import { listed } from '../host/words';

/** What a location is called, and by what else it can be told apart; empty where the record has none. */
interface Named {
	id: string;
	/** `keyOf` its name. */
	key: string;
	name: string;
	city: string;
	country: string;
	address: string;
	status: string;
}

/** A location, and what a text called it. */
interface Match {
	named: Named;
	form: string;
}

/** How many locations a message lists. */
const MAX_LISTED = 3;
/** Letters of one that a message shows. */
const MAX_LABEL = 80;
/** Letters of a word by which one name may be meant for another. */
const FEWEST_LETTERS = 3;
/** A word that more locations have tells nothing. */
const MOST_OF_A_WORD = 1_000;

/** What a location takes with its index, compared with its JSON. */
const INDEX_FACTOR = 4;

/** Signs that tell two names apart as letters do: "A+ Plumbing". */
const TELLING = String.raw`\p{L}\p{N}\p{M}\p{Sc}+%`;
const OTHERS = new RegExp(`[^${TELLING}]+`, 'gu');
/** "1-2" is not "12". */
const NOT_BETWEEN_NUMBERS = /(?<!\p{N}) | (?!\p{N})/gu;
/** `Bakery East, Boston (loc_8f3k2m)`, as messages and lists show a location. */
const WITH_NOTE = /^(.*\S)\s*\(([^()]*)\)$/s;

/** The locations of an account by name, as people write it in a sheet. */
export class LocationNames {
	private readonly byId = new Map<string, Named>();
	private readonly byKey = new Map<string, Named[]>();
	/** By groups of the same name, once one is told from another. */
	private readonly forms = new Map<Named[], Map<string, Match[]>>();
	/** By the words of their names and cities, once one is looked for that is not there. */
	private byWord?: Map<string, Set<Named>>;
	/** Letters of the longest key of a name. */
	private longest = 0;
	/** What this takes in memory, roughly. */
	readonly bytes: number;
	/** Whether there were too many locations, so that none is kept. */
	readonly isTooLarge: boolean;

	/** @param maxBytes from which on nothing is kept */
	constructor(records: JsonObject[], maxBytes = Infinity) {
		const named = records.flatMap((record) => namedOf(record) ?? []);
		const bytes = INDEX_FACTOR * jsonBytes(named);
		this.isTooLarge = bytes > maxBytes;
		this.bytes = this.isTooLarge ? 0 : bytes;
		if (!this.isTooLarge) for (const one of named) this.add(one);
	}

	/**
	 * The IDs of the locations that a text names: by name, by name and city or address, as a list to
	 * pick from shows them, or by ID. Case, accents, spaces and punctuation make no difference, unless
	 * they are all that tells two locations apart; "ae" is "ä".
	 */
	find(given: string): string[] {
		return this.named(given).map(({ id }) => id);
	}

	get size(): number {
		return this.byId.size;
	}

	/** What the account calls a location; undefined if it has none of this ID, or no name for it. */
	nameOf(id: string): string | undefined {
		return this.byId.get(id)?.name || undefined;
	}

	/** Locations as a message lists them, with what tells them apart. */
	list(ids: string[]): string {
		const named = ids.map((id) => this.byId.get(id)).filter((one) => one !== undefined);
		return listOf(named, ({ name, city, address }) => [name, city, address]);
	}

	/** Locations that share most words with a text, as a message lists them; empty if none shares any. */
	near(given: string): string {
		const byWord = (this.byWord ??= this.indexWords());
		const shared = new Map<Named, number>();
		for (const word of wordsOf(given)) {
			const having = byWord.get(word) ?? new Set();
			if (having.size > MOST_OF_A_WORD) continue;
			for (const named of having) shared.set(named, (shared.get(named) ?? 0) + 1);
		}
		const most = Math.max(...shared.values());
		const near = [...shared].filter(([, count]) => count === most).map(([named]) => named);
		return listOf(near.slice(0, MAX_LISTED), ({ name, city }) => [name, city]);
	}

	/** Some of the account's locations, as a message lists them. */
	get examples(): string {
		return listOf([...this.byId.values()], ({ name, city }) => [name, city]);
	}

	private add(named: Named): void {
		if (this.byId.has(named.id)) return;
		this.byId.set(named.id, named);
		if (named.key === '') return;
		for (const key of keysOf(named.name)) {
			const group = this.byKey.get(key);
			if (group) group.push(named);
			else this.byKey.set(key, [named]);
			this.longest = Math.max(this.longest, key.length);
		}
	}

	private named(given: string): Named[] {
		const byName = this.byForm(given);
		if (byName.length > 0) return byName;
		const byId = this.byId.get(given);
		if (byId) return [byId];
		const [, form, note] = WITH_NOTE.exec(given) ?? [];
		if (form === undefined) return [];
		return this.named(form).filter(({ id, status }) => id === note || status === note);
	}

	/** Those that have a form with the same letters; where there are several, the most exact ones. */
	private byForm(given: string): Named[] {
		const [usual, spelledOut] = keysOf(given);
		let found = this.withKey(usual);
		if (found.length === 0 && spelledOut !== undefined) found = this.withKey(spelledOut);
		for (const reading of [keyTextOf, spacedInLowerCase, spaced]) {
			if (found.length < 2) break;
			const read = reading(given);
			const exact = found.filter(({ form }) => reading(form) === read);
			if (exact.length > 0) found = exact;
		}
		return found.map(({ named }) => named);
	}

	/** Those whose name it is, or begins with their name and goes on with their city, say. */
	private withKey(key: string): Match[] {
		let found = (this.byKey.get(key) ?? []).map((named): Match => ({ named, form: named.name }));
		for (let end = 1; end <= Math.min(key.length - 1, this.longest); end++) {
			const group = this.byKey.get(key.slice(0, end));
			if (group) found = found.concat(this.formsIn(group).get(key) ?? []);
		}
		return found;
	}

	/** The locations of one name by the keys of their forms: a chain may have thousands. */
	private formsIn(group: Named[]): Map<string, Match[]> {
		const known = this.forms.get(group);
		if (known) return known;
		const forms = new Map<string, Match[]>();
		for (const named of group) {
			const ofKeys = formsOf(named).flatMap((form) =>
				keysOf(form).map((key): [string, string] => [key, form]),
			);
			for (const [key, form] of new Map(ofKeys)) {
				const matches = forms.get(key);
				if (matches) matches.push({ named, form });
				else forms.set(key, [{ named, form }]);
			}
		}
		this.forms.set(group, forms);
		return forms;
	}

	private indexWords(): Map<string, Set<Named>> {
		const byWord = new Map<string, Set<Named>>();
		for (const named of this.byId.values()) {
			for (const word of wordsOf(`${named.name} ${named.city}`)) {
				byWord.set(word, (byWord.get(word) ?? new Set()).add(named));
			}
		}
		return byWord;
	}
}

function namedOf(record: JsonObject): Named | undefined {
	const id = idOf(record);
	if (id === undefined) return undefined;
	const { name, city, country, address, status } = record;
	return {
		id,
		key: keyOf(textOf(name)),
		name: textOf(name),
		city: textOf(city),
		country: textOf(country),
		address: textOf(address),
		status: textOf(status),
	};
}

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** What people call a location: by its name, and by what tells it from others of the same name. */
function formsOf({ name, city, country, address }: Named): string[] {
	const forms = [
		[name],
		[name, city],
		[name, address],
		[name, country],
		[name, city, country],
		[name, city, address],
		[name, address, city],
		[name, city, country, address],
		[name, address, city, country],
	];
	return forms.map((parts) => parts.filter(Boolean).join(', '));
}

/** What is left of a name when all that people write differently is taken away. */
function keyOf(text: string): string {
	const letters = withoutAccents(plainText(text).toLowerCase());
	return letters.replace(OTHERS, ' ').replace(NOT_BETWEEN_NUMBERS, '') || spacedInLowerCase(text);
}

/** Two letters in place of one, as people write it whose keyboard lacks it: German, Danish, Swedish. */
const SPELLED_OUT: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

/** The key of a text and, if it differs, that of the same text with letters spelled out: "Sanitaer". */
function keysOf(text: string): string[] {
	const letters = text.toLowerCase().normalize();
	const spelledOut = letters.replace(/[äöüåø]/g, (letter) => SPELLED_OUT[letter]);
	return [...new Set([keyOf(text), keyOf(spelledOut)])];
}

function spacedInLowerCase(text: string): string {
	return spaced(text).toLowerCase();
}

function wordsOf(text: string): string[] {
	const words = text.split(/[^\p{L}\p{N}\p{M}]+/u).map(keyOf);
	return [...new Set(words)].filter(({ length }) => length >= FEWEST_LETTERS);
}

/** "Bakery East, Boston (loc_1); Bakery East, Salem (loc_2) and 3 more" */
function listOf(named: Named[], partsOf: (named: Named) => string[]): string {
	const labels = named.map((one) => {
		const label = partsOf(one).filter(Boolean).join(', ');
		return label === '' ? one.id : `${label.slice(0, MAX_LABEL)} (${one.id})`;
	});
	return listed(labels, MAX_LISTED, '; ');
}
