/**
 * Names of months and weekdays, as `Intl` knows them: there is no table of ours. A name that means
 * different months in two languages (Croatian and Polish "listopad") means none.
 */

/** The languages of those who write sheets and services, as far as they write months in letters. */
const LANGUAGES = [
	...[
		'en',
		'de',
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
type Names = Record<NamePart, Map<string, number>>;

/** English, and the others together, once they are needed. */
let known: Names[] | undefined;

/** 1 to 12; undefined for what is no month, or not certainly one. */
export function monthNamed(name: string): number | undefined {
	return numberOf('month', name);
}

/** 1 (Monday) to 7; undefined for what is no weekday, or not certainly one. */
export function weekdayNamed(name: string): number | undefined {
	return numberOf('weekday', name);
}

function numberOf(part: NamePart, name: string): number | undefined {
	known ??= [['en'], LANGUAGES].map((languages) => ({
		month: namesInLanguages(languages, 'month', 12),
		weekday: namesInLanguages(languages, 'weekday', 7),
	}));
	const key = lettersOf(name);
	const number = known.map((names) => names[part].get(key)).find((one) => one !== undefined);
	return number === 0 ? undefined : number;
}

/** Numbers by name, from 1; 0 stands for a name with several. */
function namesInLanguages(languages: string[], part: NamePart, count: number): Map<string, number> {
	const names = new Map<string, number>();
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
					const other = names.get(name) ?? number;
					names.set(name, other === number ? number : 0);
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
