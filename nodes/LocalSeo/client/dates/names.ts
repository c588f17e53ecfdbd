/**
 * Names of months and weekdays, as `Intl` knows them: there is no table of ours. A name that means
 * different months in two languages (Croatian and Polish "listopad") means none.
 */

/** The languages of those who write sheets and services, as far as they write months in letters. */
const LANGUAGES = [
	...[
		'en',
		'de',
		'de-AT',
		'fr',
		'es',
		'it',
		'pt',
		'nl',
		'pl',
		'cs',
		'sk',
		'hu',
		'ro',
		'hr',
		'sl',
		'sv',
		'da',
	],
	...['nb', 'fi', 'et', 'lv', 'lt', 'tr', 'el', 'ru', 'uk', 'bg', 'ca', 'id'],
];
/** A Monday, the first day of a month. */
const FIRST = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

type NamePart = 'month' | 'weekday';
type Names = Record<NamePart, Map<string, Set<number>>>;

/** English, and the others together, once they are needed. */
let known: Names[] | undefined;

/** 1 to 12; undefined for what is no month, or not certainly one. */
export function monthNamed(name: string): number | undefined {
	const [number, ...others] = numbersOf('month', name);
	return others.length > 0 ? undefined : number;
}

/** 1 (Monday) to 7; several where languages differ: "so" is Sunday in German, and Saturday in Czech. */
export function weekdaysNamed(name: string): number[] {
	return numbersOf('weekday', name);
}

function numbersOf(part: NamePart, name: string): number[] {
	known ??= [['en'], LANGUAGES].map((languages) => ({
		month: namesInLanguages(languages, 'month', 12),
		weekday: namesInLanguages(languages, 'weekday', 7),
	}));
	const key = lettersOf(name);
	return [...(known.map((names) => names[part].get(key)).find(Boolean) ?? [])];
}

/** Numbers by name, from 1. */
function namesInLanguages(languages: string[], part: NamePart, count: number): Names[NamePart] {
	const names: Names[NamePart] = new Map();
	for (const language of languages) {
		for (const width of ['long', 'short'] as const) {
			// Beside a day, many languages write a month in another case: "grudnia" for "grudzień".
			for (const beside of [{}, { day: 'numeric' }] as const) {
				const format = new Intl.DateTimeFormat(language, {
					[part]: width,
					...beside,
					timeZone: 'UTC',
				});
				for (let number = 1; number <= count; number++) {
					const name = nameIn(format, part, number);
					if (!/\p{L}/u.test(name)) continue;
					names.set(name, (names.get(name) ?? new Set()).add(number));
				}
			}
		}
	}
	return names;
}

function nameIn(format: Intl.DateTimeFormat, part: NamePart, number: number): string {
	const time = part === 'month' ? Date.UTC(2024, number - 1, 1) : FIRST + (number - 1) * DAY;
	const found = format.formatToParts(time).find(({ type }) => type === part);
	return lettersOf(found?.value ?? '');
}

function lettersOf(name: string): string {
	return name.normalize('NFC').toLowerCase().replace(/\.$/, '');
}
