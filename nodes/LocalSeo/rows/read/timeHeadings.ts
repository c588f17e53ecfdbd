import { inSnakeCase } from '../../resources';

// Headings of a sheet that say when, or of what a date is, in several languages. A list of words is never
// whole: dates that are still to come are seen under any heading (`plannedTimes`).

const word = (words: string) => new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, 'iu');
/** Headings over when to publish, in several languages: whatever stands below is a time, or one that is not understood. */
const PUBLISH = word(
	String.raw`publish(?!e[dr])\p{L}*|to be (?:published|posted)|sched\p{L}*|go live|live date|` +
		String.raw`post(?:ing)? ?(?:date|time|day|by)|post(?:ing)? ?(?:on|at)(?= (?:date|time|day)|$)|` +
		String.raw`planned(?= (?:for|on|at|date|time|day)|$)|send(?:ing)? (?:on(?= (?:date|time|day)|$)|at|time|date)|queued? for|` +
		String.raw`publi[ck]ar|pubblicare|publi(?:er|é le)|publiceren|veröffentlich(?:en|ung)\p{L}*|` +
		String.raw`erscheint am|erscheinungs?(?:datum|tag|termin)?|(?:post|sende)termine?|posten am|(?:ein)?geplant|` +
		String.raw`plaatsen op|postar em|(?:programmée?s?|planifiée?s?|programad[oa]s?|agendad[oa]s?|` +
		String.raw`programmat[oa]|pianificat[oa]|(?:in)?gepland)(?= (?:pour|le|para|per|il|op|voor|em)(?: |$)|$)`,
);
/** Headings over when a post may be shown at the earliest. */
const EMBARGO = word(
	String.raw`embargo\p{L}*|sperrfrist\p{L}*|^not before|` +
		String.raw`(?:hold|hidden|(?:not|don t) (?:publish|post)|nicht) (?:until|till|before|bis|vor)`,
);
/** The things that are published, in several languages: "Tipo de publicación" says nothing of when, but its day does. */
const PUBLICATION = word(
	String.raw`publi[ck]a(?!d[oa])\p{L}*|pubblica(?!t[oa])\p{L}*|mise en ligne|parution|` +
		String.raw`programmation|programaci[oó]n|programmazione|agendamento|postagem|plaatsing\p{L}*`,
);
const DAY_OF = word(
	String.raw`date|day|time|data|fecha|d[ií]a|hora|giorno|ora|tag|zeit|jour|heure|dag|tijd|week|slot|start|` +
		String.raw`\p{L}*datum|\p{L}*termine?|publi[ck]a\p{L}*(?:date|zeit|tag|tijd|moment)|next|` +
		String.raw`planned|scheduled|geplant\p{L}*|prévue?|prevista|programad[ao]|(?:at|on)$`,
);
/** Other things that such a heading may be about, at its end. */
const NO_TIME = word(
	String.raw`(?:(?:scheduled|planned|geplant|gepland|program\p{L}*|agend\p{L}*|plan\p{L}*|pian\p{L}*) ` +
		'(?:by|von|par|por|da|door)|channels?|platforms?|house|id|url|link|until|ends?)$',
);
const WHEN = 'when|wann|quand|cu[aá]ndo|quando|wanneer';
/** Headings over dates. */
const DATE = word(String.raw`date(?:s|time)?|\p{L}*datum|\p{L}*termine?|fecha|дата|` + WHEN);
const ONLY_DATE = new RegExp(
	String.raw`^(?:(?:date(?:s|time)?|datum|termine?|fecha|data|дата|${WHEN}|` +
		String.raw`time|zeit|uhrzeit|hora|heure|ora|and|und|y|et|e|utc|\d+)(?: |$))+$`,
	'i',
);
/** Dates in some languages, and anything in English. */
const DATA = word('data');
/** Headings that are no more than a word for a day, which also stands for other things: "Release notes". */
const DAY =
	/^(?:day|tag|jour|d[ií]a|giorno|dag|slot|launch)(?: (?:and|und|y|et|e|date|time|uhrzeit|hora|heure|ora|tijd|\d+))*$/i;
/** Headings over dates of something else: what has happened, unless it is still to come. */
const PAST = word(
	'created?|creation|creaci[oó]n|creazione|création|modified|modification|modifica|edited|updated?|' +
		'changed|submitted|submission|received|approved|reviewed|imported|published|posted|last|' +
		String.raw`erstellt|erstellung\p{L}*|geändert|änderung\p{L}*|aktualisiert|eingereicht|erledigt|` +
		String.raw`aanmaak\p{L}*|birth ?(?:day|date)?|geburts\p{L}*|naissance|nacimiento|nascita`,
);
/** Headings over when something ends: no time to publish. */
const END = word(
	String.raw`until|expir\p{L}*|ends?|enddatum|bis|ablauf\p{L}*|hasta|scadenza|vencimiento|vervaldatum|` +
		String.raw`date limite|jusqu\p{L}*`,
);
const START = word('starts?|begins?|beginn|ab|inicio|inizio|début|^(?:from|von)');
/** Dates of an entry of a feed, as n8n's RSS nodes call them. */
const OF_FEED = /^(?:pubDate|isoDate)$/;

const wordsOf = (heading: string) =>
	inSnakeCase(heading.normalize())
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();

/** Whether a heading says that below it stands when to publish. */
export function isPublishHeading(heading: string): boolean {
	const words = wordsOf(heading);
	const isDay = PUBLICATION.test(words) && (words === 'publication' || DAY_OF.test(words));
	return EMBARGO.test(words) || ((isDay || PUBLISH.test(words)) && !NO_TIME.test(words));
}

/** Whether a heading says until when a post is held back. */
export function isEmbargoHeading(heading: string): boolean {
	return EMBARGO.test(wordsOf(heading));
}

/** Whether a heading says when something ends, and not also when it starts. */
export function isEndHeading(heading: string): boolean {
	const words = wordsOf(heading);
	return END.test(words) && !START.test(words) && !EMBARGO.test(words);
}

/** Whether a heading is over dates of what has happened. */
export function isPastHeading(heading: string): boolean {
	return PAST.test(wordsOf(heading)) || OF_FEED.test(heading);
}

/** The kind of date that a heading promises. */
export interface DateHeading {
	/** Whether there may also be something else below it. */
	isOpen: boolean;
	/** Whether it says no more than that it is a date. */
	isBare: boolean;
}

/** The date that a heading promises; undefined for one of what has happened, and for any other heading. */
export function dateHeading(heading: string): DateHeading | undefined {
	if (isPastHeading(heading)) return undefined;
	const words = wordsOf(heading);
	const isBare = ONLY_DATE.test(words);
	if (DATE.test(words)) return { isOpen: false, isBare };
	const isOpen = [DATA, DAY, PUBLICATION].some((open) => open.test(words));
	return isOpen ? { isOpen, isBare } : undefined;
}
